// hit.ts - finds the span or event under the pointer.
import { duration, offset } from "./clock.ts";
import type { Look } from "./fields.ts";
import type { Picture } from "./picture.ts";
import { DEPTH_HEIGHT, EVENTS_HEIGHT, spansTop, type Row } from "./rows.ts";

export interface Found {
	row: Row;
	name: string;
	from: number;
	to: number;
	text: string;
	looks?: Look[]; // where its events are; undefined if there are too many
}

const OUTCOMES = ["", " (without an end)", " (open)"];

function findSpan(picture: Picture, row: Row, ns: number, depth: number): Found | undefined {
	const numbers = picture.answer.spans;
	for (const i of picture.spans.get(row.lane!.id) ?? []) {
		const from = numbers[i + 1]!;
		const to = from + numbers[i + 2]!;
		if (numbers[i + 3] !== depth || ns < from || ns >= to) continue;
		const name = picture.names[numbers[i + 4]!]!;
		const outcome = numbers[i + 5]!;
		const looks = [from, ...(outcome === 0 ? [to] : [])].map((at) => ({ from: at, to: at + 1 }));
		return { row, name, from, to, text: `${name}${OUTCOMES[outcome]}\n${duration(to - from)} from ${offset(from)}`, looks };
	}
	return undefined;
}

function findBin(picture: Picture, row: Row, ns: number, depth: number): Found | undefined {
	const numbers = picture.answer.bins;
	const each = (picture.to - picture.from) / picture.pixels;
	for (const i of picture.bins.get(row.lane!.id) ?? []) {
		const from = picture.from + numbers[i + 1]! * each;
		if (numbers[i + 2] !== depth || ns < from - each || ns >= from + 2 * each) continue;
		const name = picture.names[numbers[i + 4]!]!;
		const count = numbers[i + 3]!;
		const what = depth === -1 ? (count === 1 ? "event" : "events") : count === 1 ? "span" : "spans";
		const looks = count === 1 ? { looks: [{ from, to: from + each }] } : {};
		const words = count === 1 ? name || what : `${count} ${what}${name ? ` such as ${name}` : ""}`;
		return { row, name, from, to: from + each, text: `${words}\n${duration(each)} from ${offset(from)}`, ...looks };
	}
	return undefined;
}

/** @y: from the top of all rows */
export function findUnder(picture: Picture | undefined, rows: Row[], y: number, ns: number): Found | undefined {
	const row = rows.find((row) => y >= row.top && y < row.top + row.height);
	if (!row?.lane || !picture?.lanes.has(row.lane.id)) return undefined;
	const is_event = y >= row.top + row.height - EVENTS_HEIGHT - 3;
	const depth = is_event ? -1 : Math.floor((y - row.top - spansTop(row)) / DEPTH_HEIGHT);
	return findSpan(picture, row, ns, depth) ?? findBin(picture, row, ns, depth);
}
