// paint.ts - draws lanes on a canvas: spans as rectangles with their names, and spans shorter than a pixel as
// columns whose height is the share of time that they cover.
import { colourOf, inkOn } from "./colour.ts";
import { mark, multiples, step } from "./clock.ts";
import type { Picture } from "./picture.ts";
import type { Pixels } from "./pixels.ts";
import { DEPTH_HEIGHT, depthsOf, EVENTS_HEIGHT, spansTop, type Row } from "./rows.ts";
import { measureIn, shortenName } from "./text.ts";

export interface Theme {
	ink: string;
	faint: string;
	grid: string;
	select: string;
	events: string;
	match: string; // colour of what a filter selects
	bad: string; // damage
}

export function theme(): Theme {
	const style = getComputedStyle(document.documentElement);
	const get = (name: string) => style.getPropertyValue(name).trim();
	return { ink: get("--ink"), faint: get("--faint"), grid: get("--grid"), select: get("--select"), events: get("--events"), match: get("--match"), bad: get("--bad") };
}

/** The map from times to pixels. */
export class Scale {
	constructor(readonly from: number, readonly to: number, readonly width: number) {}
	x(ns: number): number {
		return ((ns - this.from) / (this.to - this.from)) * this.width;
	}
	ns(x: number): number {
		return this.from + (x / this.width) * (this.to - this.from);
	}
}

/** Makes the canvas as large as its box, in the pixels of the screen. */
export function fit(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
	const ratio = devicePixelRatio || 1;
	const { clientWidth, clientHeight } = canvas;
	if (canvas.width !== Math.round(clientWidth * ratio) || canvas.height !== Math.round(clientHeight * ratio)) {
		canvas.width = Math.round(clientWidth * ratio);
		canvas.height = Math.round(clientHeight * ratio);
	}
	const context = canvas.getContext("2d")!;
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.clearRect(0, 0, clientWidth, clientHeight);
	return context;
}

interface Rect {
	begin: number;
	end: number;
	depth: number;
	name: string;
	room: number; // where the next rectangle of its depth begins
}

/** The rectangles of a row, by their begins. Asynchronous spans for which there is no row of their own overlap. */
function rectsOf(scale: Scale, picture: Picture, row: Row): Rect[] {
	const numbers = picture.answer.spans;
	const depths = depthsOf(row);
	const rects: Rect[] = [];
	for (const i of picture.spans.get(row.lane!.id) ?? []) {
		const begin = Math.max(scale.x(numbers[i + 1]!), -2);
		const end = Math.min(scale.x(numbers[i + 1]! + numbers[i + 2]!), scale.width + 2);
		const depth = numbers[i + 3]!;
		if (end >= 0 && begin <= scale.width && depth < depths) rects.push({ begin, end, depth, name: picture.names[numbers[i + 4]!]!, room: end });
	}
	return placeNames(rects);
}

/** Sorts rectangles by their begins, and gives each the room up to the next one of its depth. */
export function placeNames(rects: Rect[]): Rect[] {
	rects.sort((a, b) => a.begin - b.begin);
	const last = new Map<number, Rect>();
	for (const rect of rects) {
		const before = last.get(rect.depth);
		if (before) before.room = Math.min(before.end, rect.begin);
		last.set(rect.depth, rect);
	}
	return rects;
}

function paintSpans(context: CanvasRenderingContext2D, scale: Scale, picture: Picture, row: Row, top: number): void {
	const measure = measureIn(context);
	for (const { begin, end, depth, name, room } of rectsOf(scale, picture, row)) {
		const width = Math.max(end - begin, 1);
		const y = top + spansTop(row) + depth * DEPTH_HEIGHT;
		context.fillStyle = colourOf(name);
		context.fillRect(begin, y, width > 2 ? width - 0.5 : width, DEPTH_HEIGHT - 1);
		if (room - begin < 30) continue;
		context.fillStyle = inkOn(name);
		context.fillText(shortenName(name, room - begin - 5, measure), begin + 3, y + DEPTH_HEIGHT - 4.5);
	}
}

function paintBins(columns: Pixels, scale: Scale, picture: Picture, row: Row, top: number, ink: Theme): void {
	const numbers = picture.answer.bins;
	const each = (picture.to - picture.from) / picture.pixels;
	const depths = depthsOf(row);
	const bins = picture.bins.get(row.lane!.id) ?? [];
	let most = 1;
	for (const i of bins) if (numbers[i + 2] === -1) most = Math.max(most, numbers[i + 3]!);
	for (const i of bins) {
		const at = picture.from + numbers[i + 1]! * each;
		const x = scale.x(at);
		const width = Math.max(scale.x(at + each) - x, 1);
		const depth = numbers[i + 2]!;
		if (x + width < 0 || x > scale.width) continue;
		if (depth === -1) {
			const height = Math.max(1, (EVENTS_HEIGHT * Math.log1p(numbers[i + 3]!)) / Math.log1p(most));
			columns.fill(ink.events, x, top + row.height - 2 - height, width, height);
		} else if (depth < depths) {
			const share = Math.min(1, numbers[i + 5]! / each);
			const height = Math.max(2, (DEPTH_HEIGHT - 1) * share);
			columns.fill(colourOf(picture.names[numbers[i + 4]!]!), x, top + spansTop(row) + depth * DEPTH_HEIGHT + DEPTH_HEIGHT - 1 - height, width, height);
		}
	}
}

/** The rows that a picture has */
function shownIn(picture: Picture, rows: Row[]): Row[] {
	return rows.filter((row) => row.lane && picture.lanes.has(row.lane.id));
}

/** Draws what is shorter than a pixel. */
export function paintColumns(columns: Pixels, scale: Scale, rows: Row[], scroll: number, picture: Picture | undefined, ink: Theme): void {
	if (picture) for (const row of shownIn(picture, rows)) paintBins(columns, scale, picture, row, row.top - scroll, ink);
}

/** Draws the rectangles of spans. */
export function paintRects(context: CanvasRenderingContext2D, scale: Scale, rows: Row[], scroll: number, picture: Picture | undefined): void {
	context.font = "11px system-ui, sans-serif";
	if (picture) for (const row of shownIn(picture, rows)) paintSpans(context, scale, picture, row, row.top - scroll);
}

/** Draws the lower edges of rows. */
export function paintEdges(context: CanvasRenderingContext2D, scale: Scale, rows: Row[], scroll: number, ink: Theme): void {
	context.fillStyle = ink.grid;
	for (const row of rows) context.fillRect(0, row.top - scroll + row.height - 1, scale.width, 1);
}

/** Draws the marks of the time, and lines through the lanes below them. The text of the last mark is on its left if there
 * is no room on its right; it is left out if it would cover the one before. */
export function paintGrid(context: CanvasRenderingContext2D, scale: Scale, height: number, ink: Theme, with_text: boolean): void {
	const each = step(((scale.to - scale.from) / scale.width) * 110);
	context.font = "11px system-ui, sans-serif";
	let end = 0; // of the last text
	for (const ns of multiples(scale.from, scale.to, each)) {
		const x = Math.round(scale.x(ns));
		context.fillStyle = ink.grid;
		context.fillRect(x, 0, 1, height);
		if (!with_text) continue;
		context.fillStyle = ink.faint;
		const text = mark(ns, each);
		const { width } = context.measureText(text);
		const at = x + 4 + width > scale.width ? x - 4 - width : x + 4;
		if (at < end) continue;
		context.fillText(text, at, height - 5);
		end = at + width + 8;
	}
}

export function paintSelection(context: CanvasRenderingContext2D, scale: Scale, height: number, range: [number, number] | undefined, ink: Theme): void {
	if (!range) return;
	const from = scale.x(range[0]);
	context.fillStyle = ink.select;
	context.fillRect(from, 0, Math.max(scale.x(range[1]) - from, 1), height);
}

/** Draws the window in the overview. @letter: of the trace of which it is the window, if the traces are moved */
export function paintWindow(context: CanvasRenderingContext2D, scale: Scale, height: number, from: number, to: number, letter: string, ink: Theme): void {
	paintSelection(context, scale, height, [from, to], ink);
	if (letter === "") return;
	paintSelectionEdges(context, scale, height, [from, to], ink);
	context.font = "bold 11px system-ui, sans-serif";
	context.fillStyle = ink.ink;
	context.fillText(letter, Math.max(scale.x(from), 0) + 4, 12);
}

/** Draws the edges of the selection over the lanes. Its ground is below them, so that the colours remain those of the legend. */
export function paintSelectionEdges(context: CanvasRenderingContext2D, scale: Scale, height: number, range: [number, number] | undefined, ink: Theme): void {
	context.fillStyle = ink.match;
	for (const ns of range ?? []) context.fillRect(Math.round(scale.x(ns)), 0, 1, height);
}
