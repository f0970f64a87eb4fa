// save-picture.ts - saves what the page shows as a PNG: title and window, density, ruler, legend, labels and lanes.
import { duration, offset } from "./clock.ts";
import { find, make } from "./dom.ts";
import type { Host } from "./host.ts";
import { measureIn, shorten } from "./text.ts";

const TITLE_HEIGHT = 26;

/** Shortens the parts of a text of the page as the page does, and joins them. The font is that of the context. */
function shortened(context: CanvasRenderingContext2D, element: Element): string {
	const parts = [...element.querySelectorAll("span")];
	if (parts.length === 0) return element.textContent ?? "";
	return parts.map((part) => shorten(part.textContent ?? "", part.getBoundingClientRect().width + 1, measureIn(context))).join("");
}

/** Draws a text of the page in its own font, at its own place. @at: the place of @box in the picture */
function write(context: CanvasRenderingContext2D, element: Element, box: DOMRect, at: { x: number; y: number }): void {
	const { fontSize, fontWeight, fontFamily, color } = getComputedStyle(element);
	const range = document.createRange();
	range.selectNodeContents(element.querySelector("span") ?? element.lastChild ?? element);
	const place = range.getBoundingClientRect();
	context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
	context.fillStyle = color;
	context.textBaseline = "middle";
	context.fillText(shortened(context, element), at.x + place.left - box.left, at.y + place.top - box.top + place.height / 2);
	context.textBaseline = "alphabetic";
}

/** Draws the legend of the states at @y. */
function drawLegend(context: CanvasRenderingContext2D, legend: HTMLElement, y: number): void {
	const box = legend.getBoundingClientRect();
	for (const entry of legend.children) {
		const swatch = entry.querySelector("canvas");
		const place = swatch?.getBoundingClientRect();
		if (swatch && place) context.drawImage(swatch, place.left - box.left, y + place.top - box.top);
		write(context, entry, box, { x: 0, y });
	}
}

/** Draws the labels of the visible rows at @y. Those of groups are bold on a bar, as on the page. */
function drawLabels(context: CanvasRenderingContext2D, y: number, width: number, height: number): void {
	const box = find("lanes").getBoundingClientRect();
	context.save();
	context.beginPath();
	context.rect(0, y, width, height);
	context.clip();
	for (const label of document.querySelectorAll<HTMLElement>(".label")) {
		const place = label.getBoundingClientRect();
		const text = label.querySelector(".text")!;
		if (label.classList.contains("group")) {
			context.fillStyle = getComputedStyle(label).backgroundColor;
			context.fillRect(0, y + place.top - box.top, width, place.height - 1);
		}
		write(context, text, box, { x: 0, y });
	}
	context.restore();
}

/** Saves what the page shows. */
export function savePicture(host: Host): void {
	const [overview, ruler, lanes] = ["overview", "ruler", "canvas"].map((id) => find<HTMLCanvasElement>(id)) as [HTMLCanvasElement, HTMLCanvasElement, HTMLCanvasElement];
	const legend = find("legend"); // of no height if it is hidden
	const ratio = lanes.width / lanes.clientWidth;
	const style = getComputedStyle(document.body);
	const left = find("labels").clientWidth;
	const below = TITLE_HEIGHT + overview.clientHeight + ruler.clientHeight;
	const top = below + legend.clientHeight;
	const picture = make("canvas");
	picture.width = (left + lanes.clientWidth) * ratio;
	picture.height = (top + lanes.clientHeight) * ratio;
	const context = picture.getContext("2d")!;
	context.fillStyle = style.backgroundColor;
	context.fillRect(0, 0, picture.width, picture.height);
	context.drawImage(overview, 0, TITLE_HEIGHT * ratio);
	context.drawImage(ruler, left * ratio, (TITLE_HEIGHT + overview.clientHeight) * ratio);
	context.drawImage(lanes, left * ratio, top * ratio);
	context.scale(ratio, ratio);
	context.fillStyle = style.color;
	context.font = `600 13px ${style.fontFamily}`;
	const { state, trace } = host;
	context.fillText(`${trace.title}: ${duration(state.to - state.from)} from ${offset(state.from)}`, 8, 17);
	context.font = `12px ${style.fontFamily}`;
	for (const flag of document.querySelectorAll<HTMLElement>(".flag")) context.fillText(flag.textContent ?? "", left + parseFloat(flag.style.left) + 4, top + 11);
	drawLegend(context, legend, below);
	drawLabels(context, top, left, lanes.clientHeight);
	picture.toBlob((blob) => {
		if (!blob) return;
		const link = make("a", { href: URL.createObjectURL(blob), download: `${trace.title.replace(/[^\w.-]+/g, "-")}.png` });
		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href), 10000);
		state.say("The picture is saved with the downloads.");
	});
}
