// speed.mjs - measures the page of `ltt view` in Chromium. tests/bench/view.py runs it.
//
// usage: node speed.mjs URL
//
// Prints JSON: milliseconds until the first picture; of each zoom and pan until the picture shows the new window, and
// until it is as exact as it gets; frames a second while panning; megabytes of the process of the page, and of all
// processes of the browser (proportional set size).
import { readdirSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const STEPS = 100;
const KEYS = ["w", "w", "d", "a", "w", "d", "d", "s", "w", "a"];
const FRAMES = 120;

const server = await chromium.launchServer({
	executablePath: "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const browser = await chromium.connect(server.wsEndpoint());
const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });

/** Waits in the page itself, because a round trip to it takes milliseconds. Returns: the times of a picture of the window,
 * and of the exact one */
const settle = () =>
	page.evaluate(
		() =>
			new Promise((resolve) => {
				let shown;
				const look = () => {
					const { waiting } = document.body.dataset;
					if (waiting !== "true") shown ??= performance.now();
					if (waiting === "false") resolve([shown, performance.now()]);
					else setTimeout(look, 1);
				};
				requestAnimationFrame(look);
			}),
	);

/** A picture: pixels of the lanes have some colours. */
async function firstPicture() {
	const start = performance.now();
	await page.goto(process.argv[2]);
	await page.waitForFunction(() => {
		const canvas = document.querySelector("#canvas");
		const bytes = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
		const found = new Set();
		for (let i = 0; i < bytes.length; i += 4) if (bytes[i + 3] === 255) found.add((bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2]);
		return document.body.dataset.waiting === "false" && found.size > 3;
	});
	return performance.now() - start;
}

async function step(key) {
	const start = await page.evaluate((key) => {
		const start = performance.now();
		document.querySelector("#lanes").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
		return start;
	}, key);
	return (await settle()).map((time) => time - start);
}

async function steps() {
	const took = [];
	for (let i = 0; i < STEPS; i++) {
		if (i % 25 === 0) await step("0");
		took.push(await step(KEYS[i % KEYS.length]));
	}
	return [0, 1].map((which) => took.map((times) => times[which]).sort((a, b) => a - b));
}

/** Pans a little in each frame. */
const frameRate = () =>
	page.evaluate(
		(n) =>
			new Promise((resolve) => {
				const start = performance.now();
				let left = n;
				const draw = () => {
					if (left-- === 0) return resolve((1000 * n) / (performance.now() - start));
					document.querySelector("#lanes").dispatchEvent(new KeyboardEvent("keydown", { key: left % 60 < 30 ? "d" : "a", bubbles: true }));
					requestAnimationFrame(draw);
				};
				requestAnimationFrame(draw);
			}),
		FRAMES,
	);

function megabytes() {
	const children = new Map();
	for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
		try {
			const parent = Number(readFileSync(`/proc/${pid}/stat`, "utf-8").replace(/^.*\) /s, "").split(" ")[1]);
			children.set(parent, [...(children.get(parent) ?? []), Number(pid)]);
		} catch { /* it has ended */ }
	}
	let all = 0;
	let ofPage = 0;
	for (const list = [server.process().pid]; list.length > 0; ) {
		const pid = list.pop();
		list.push(...(children.get(pid) ?? []));
		try {
			const size = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf-8"))[1]) / 1000;
			all += size;
			if (readFileSync(`/proc/${pid}/cmdline`, "utf-8").includes("--type=renderer")) ofPage = Math.max(ofPage, size);
		} catch { /* it has ended */ }
	}
	return { all, page: ofPage };
}

try {
	const first = await firstPicture();
	await page.waitForFunction(() => document.body.dataset.stage === "ready", undefined, { timeout: 600000 });
	await settle();
	const [shown, exact] = await steps();
	const rate = await frameRate();
	await settle();
	console.log(JSON.stringify({ first, median: shown[STEPS / 2], p95: shown[(STEPS * 95) / 100], exact: exact[(STEPS * 95) / 100], rate, megabytes: megabytes() }));
} finally {
	await browser.close();
	await server.close();
}
