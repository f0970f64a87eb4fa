// page.mjs - uses the page of `ltt view` in Chromium as a person does. tests/cli/test_view_page.py runs it.
//
// usage: node page.mjs FOLDER
//
// Each line of standard input is a JSON object with the url of a page and a list of steps, for which the page is opened in a
// context of its own. For each step a line of JSON is printed, at the end one with the complaints of the page; or one with the
// error of a step that failed, instead of the others:
//	["open", HASH]          the page with this state; answers its title and status
//	["go", HASH]            the open page gets this state, as by a link; answers the labels and the text of the search
//	["press", KEY]          a key; answers the state in the URL, and the id of the element that has the focus then
//	["focused", ID]         waits until this element has the focus
//	["lane", LABEL, N]      answers the place of the lane with this label; of the N-th one, from 0
//	["seen", LABEL]         waits until a lane with this label is visible as a whole
//	["hover", X, Y, TEXT]   answers the text at the pointer, when it has TEXT if that is given
//	["click", X, Y]         answers the text of the details
//	["tap", X, Y]           only clicks; answers the state in the URL
//	["drag", X, Y, TO]      the same
//	["search", TEXT]        answers the labels of the rows
//	["type", SELECTOR, TEXT, KEY]  types into an element, then presses the key; answers the state in the URL
//	["key", SELECTOR, KEY]  focuses an element, then presses the key; answers the labels, and that of the focused button
//	["carry", SELECTOR, TO] drags an element to another one; answers the labels
//	["push", SELECTOR]      a click on an element; answers the state in the URL
//	["read", SELECTOR, TEXT]       waits until an element contains TEXT; answers all of its text
//	["download", SELECTOR]  a click that saves a file; answers its name and its first bytes
//	["keep", KEY, NAME]     a key that saves a picture; answers as download, the texts of the picture with their fonts, and how many
//	                        swatches of the legend it has; keeps it in FOLDER if NAME is given
//	["said", TEXT]          waits until the page has said a line with TEXT, which it shows for some seconds; answers the line
//	["copied"]              answers what is on the clipboard
//	["swipe", BY]           a finger moves on the lanes by a share of their width; answers the state in the URL
//	["hold", BY]            a finger rests on the middle of the lanes, then moves by a share of their width; the same
//	["pinch"]               two fingers move apart on the lanes; answers the state in the URL
//	["size", WIDTH, HEIGHT]        makes the window as large
//	["box", SELECTOR]       answers the place of an element, and its text
//	["tree", SELECTOR]      answers what a screen reader is told of an element
//	["count", COLOUR]       answers how many pixels of the lanes have the colour "R,G,B"
//	["picture", NAME]       keeps a picture in FOLDER; answers how many colours its lanes have
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const [, , folder] = process.argv;
const browser = await chromium.launch({
	executablePath: "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

// Of the page that is used.
let url, context, page, complaints;

async function openPage() {
	context = await browser.newContext({ viewport: { width: 1200, height: 800 }, hasTouch: true, permissions: ["clipboard-read", "clipboard-write"] });
	page = await context.newPage();
	page.setDefaultTimeout(300_000); // of a busy machine
	await page.addInitScript(() => {
		window.said = [];
		addEventListener("say", (event) => window.said.push(event.detail));
	});
	complaints = [];
	page.on("console", (message) => {
		if (!message.text().startsWith("Canvas2D: Multiple readback")) complaints.push(message.text()); // of the steps below
	});
	page.on("pageerror", (error) => complaints.push(error.message));
	page.on("request", (request) => {
		if (!request.url().startsWith(url.replace(/[0-9a-f]{32}\/$/, "")) && !request.url().startsWith("data:")) complaints.push(`asks for ${request.url()}`);
	});
}

const settled = () => page.waitForFunction(() => document.body.dataset.stage === "ready" && document.body.dataset.waiting === "false");
const labels = () => page.$$eval(".label .text", (elements) => elements.map((element) => element.textContent));
const hash = () => ({ hash: new URL(page.url()).hash });
const box = () => page.locator("#canvas").boundingBox();

async function begin(file) {
	return { name: file.suggestedFilename(), begin: readFileSync(await file.path()).subarray(0, 8).toString("hex") };
}

/** Fingers on the lanes: each place is that of one finger, as a share of the width. A function is waited for. */
async function touch(...moves) {
	const { x, y, width } = await box();
	const session = await context.newCDPSession(page);
	const send = (type, places) => session.send("Input.dispatchTouchEvent", { type, touchPoints: places.map((place, id) => ({ x: x + place * width, y: y + 30, id })) });
	for (const [i, move] of moves.entries()) await (typeof move === "function" ? move() : send(i === 0 ? "touchStart" : "touchMove", move));
	await send("touchEnd", []);
	await settled();
	return hash();
}

async function details() {
	await page.waitForSelector('#panel:not([hidden]) #details[aria-busy="false"]');
	return page.innerText("#details");
}

const steps = {
	async open(hash) {
		await page.goto("about:blank");
		await page.goto(url + hash);
		await settled();
		return { title: await page.title(), status: await page.innerText("#status"), labels: await labels() };
	},
	async go(hash) {
		await page.evaluate((hash) => (location.hash = hash), hash);
		await settled();
		return { labels: await labels(), search: await page.inputValue("#search") };
	},
	async press(key) {
		await page.locator("#lanes").focus();
		await page.keyboard.press(key);
		await settled();
		return { ...hash(), active: await page.evaluate(() => document.activeElement.id) };
	},
	async focused(id) {
		await page.waitForFunction((id) => document.activeElement.id === id, id);
		return hash();
	},
	async lane(label, number = 0) {
		const place = await page.locator(".label", { hasText: label }).nth(number).boundingBox();
		const canvas = await box();
		return { left: canvas.x, width: canvas.width, top: place.y, height: place.height };
	},
	async seen(label) {
		await page.waitForFunction((label) => {
			const box = document.getElementById("lanes").getBoundingClientRect();
			return [...document.querySelectorAll(".label")].some((element) => {
				const { top, bottom } = element.getBoundingClientRect();
				return element.textContent.includes(label) && !element.classList.contains("group") && top >= box.top && bottom <= box.bottom;
			});
		}, label);
		return { seen: true };
	},
	async hover(x, y, text) {
		await page.mouse.move(x, y);
		if (text !== undefined) await page.waitForFunction((text) => document.getElementById("hover").textContent.includes(text), text);
		return { text: (await page.isVisible("#hover")) ? await page.innerText("#hover") : "" };
	},
	async click(x, y) {
		await page.mouse.click(x, y);
		return { text: await details() };
	},
	async tap(x, y) {
		await page.mouse.click(x, y);
		await settled();
		return { hash: new URL(page.url()).hash };
	},
	async drag(x, y, to) {
		await page.mouse.move(x, y);
		await page.mouse.down();
		await page.mouse.move((x + to) / 2, y);
		await page.mouse.move(to, y);
		await page.mouse.up();
		return { text: await details(), hash: new URL(page.url()).hash };
	},
	async search(text) {
		await page.fill("#search", text);
		await settled();
		return { labels: await labels() };
	},
	async type(selector, text, key) {
		await page.fill(selector, text);
		await page.press(selector, key);
		await settled();
		return { hash: new URL(page.url()).hash };
	},
	async key(selector, key) {
		await page.locator(selector).first().focus();
		await page.keyboard.press(key);
		await settled();
		return { labels: await labels(), focus: await page.evaluate(() => document.activeElement.closest(".label")?.querySelector(".text").textContent), ...hash() };
	},
	async carry(selector, to) {
		await page.locator(selector).first().hover();
		await page.mouse.down();
		await page.locator(to).first().hover();
		await page.mouse.up();
		await settled();
		return { labels: await labels(), hash: new URL(page.url()).hash };
	},
	async push(selector) {
		await page.locator(selector).first().click();
		await settled();
		return { hash: new URL(page.url()).hash };
	},
	async read(selector, text = "") {
		const element = page.locator(selector).filter({ hasText: text }).first();
		await element.waitFor();
		return { text: await element.innerText() };
	},
	async download(selector) {
		const [file] = await Promise.all([page.waitForEvent("download"), page.locator(selector).first().click()]);
		return begin(file);
	},
	async keep(key, name) {
		await page.locator("#lanes").focus();
		await page.evaluate(() => {
			window.drawn = { texts: [], swatches: 0 };
			const { fillText, drawImage } = CanvasRenderingContext2D.prototype;
			Object.assign(CanvasRenderingContext2D.prototype, {
				fillText(text, ...place) {
					if (!this.canvas.isConnected) window.drawn.texts.push([text, this.font]);
					fillText.call(this, text, ...place);
				},
				drawImage(image, ...place) {
					if (image.closest("#legend")) window.drawn.swatches++;
					drawImage.call(this, image, ...place);
				},
			});
		});
		const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press(key)]);
		if (name) await file.saveAs(`${folder}/${name}.png`);
		return { ...(await begin(file)), ...(await page.evaluate(() => window.drawn)) };
	},
	async said(text) {
		const line = await page.waitForFunction((text) => window.said.find((line) => line.includes(text)), text);
		return { text: await line.jsonValue() };
	},
	async copied() {
		return { text: await page.evaluate(() => navigator.clipboard.readText()) };
	},
	async hold(by) {
		await page.evaluate(() => {
			navigator.vibrate = () => (window.held = true); // by which the page says that the selection begins
		});
		const moved = await touch([0.5], () => page.waitForFunction(() => window.held), [0.5 + by / 2], [0.5 + by]);
		await page.evaluate(() => (window.held = false));
		return moved;
	},
	async pinch() {
		return touch([0.4, 0.6], [0.3, 0.7], [0.2, 0.8]);
	},
	async swipe(by) {
		return touch([0.5], [0.5 + by / 2], [0.5 + by]);
	},
	async size(width, height) {
		await page.setViewportSize({ width, height });
		await settled();
		return {};
	},
	async box(selector) {
		const element = page.locator(selector).first();
		return { ...(await element.boundingBox()), text: await element.innerText() };
	},
	async tree(selector) {
		return { text: await page.locator(selector).first().ariaSnapshot() };
	},
	async count(colour) {
		await settled();
		return {
			pixels: await page.$eval("#canvas", (canvas, wanted) => {
				const bytes = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
				let n = 0;
				for (let i = 0; i < bytes.length; i += 4) if (bytes[i + 3] === 255 && `${bytes[i]},${bytes[i + 1]},${bytes[i + 2]}` === wanted) n++;
				return n;
			}, colour),
		};
	},
	async picture(name) {
		await page.screenshot({ path: `${folder}/${name}.png` });
		return {
			colours: await page.$eval("#canvas", (canvas) => {
				const bytes = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
				const found = new Set();
				for (let i = 0; i < bytes.length; i += 4) if (bytes[i + 3] === 255) found.add(`${bytes[i]},${bytes[i + 1]},${bytes[i + 2]}`);
				return found.size;
			}),
		};
	},
};

const print = (answer) => console.log(JSON.stringify(answer));

for await (const line of createInterface({ input: process.stdin })) {
	const asked = JSON.parse(line);
	try {
		url = asked.url;
		await openPage();
		for (const [step, ...words] of asked.steps) print(await steps[step](...words));
		print({ complaints });
	} catch (error) {
		print({ error: error.stack });
	}
	await context.close();
}
await browser.close();
