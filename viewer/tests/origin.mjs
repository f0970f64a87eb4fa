// origin.mjs - tries to read a server of `ltt view` from a page of another origin, in Chromium.
// usage: node origin.mjs URL. Writes what the page got, as JSON.
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const target = process.argv[2];
const server = createServer((_, response) => response.end("<!doctype html><title>foreign</title>")).listen(0, "127.0.0.1");
await new Promise(done => server.on("listening", done));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto("http://127.0.0.1:" + server.address().port + "/");
const got = await page.evaluate(async url => {
	const read = async (path, options) => fetch(url + path, options).then(response => response.text(), () => "refused");
	const load = (tag, path) => new Promise(done => {
		const element = document.createElement(tag);
		element.onload = () => done("loaded");
		element.onerror = () => done("refused");
		element.src = url + path;
		document.body.append(element);
	});
	const frame = document.createElement("iframe");
	await new Promise(done => { frame.onload = done; frame.src = url; document.body.append(frame); });
	let framed = "refused";
	try { framed = frame.contentDocument?.title ?? "refused"; } catch { /* of another origin */ }
	return {
		fetch: await read("api/trace"),
		opaque: await read("api/trace", { mode: "no-cors" }),
		post: await read("tsp/api/traces", { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } }),
		script: await load("script", "viewer.js"),
		image: await load("img", "api/trace"),
		frame: framed,
	};
}, target);
console.log(JSON.stringify(got));
await browser.close();
server.close();
