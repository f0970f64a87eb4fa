// counters.ts - requests the values of counters, and draws them as step curves.
import { BEFORE_NUMBERS, COUNTER_NUMBERS, type Counters } from "./answers.ts";
import { ask } from "./api.ts";
import { Asking, byLane, parametersOf, partsOf, type Part, type Wish } from "./asking.ts";
import { duration, offset } from "./clock.ts";
import { colourOf } from "./colour.ts";
import { toDouble, toText, type Exact } from "./exact.ts";
import type { Found } from "./hit.ts";
import { largestOf, leastOf } from "./lists.ts";
import type { Scale, Theme } from "./paint.ts";
import type { Row } from "./rows.ts";

/** A part of a curve: the value from a time on, and the extremes within a pixel. */
export interface Step {
	at: number;
	n: number;
	least: Exact;
	most: Exact;
	last: Exact;
}

export interface CounterPicture {
	each: number; // length of a pixel
	steps: Map<number, Step[]>; // by lane
}

async function askPart(part: Part, signal: AbortSignal): Promise<Counters> {
	const answer = await ask<Counters>("counters", parametersOf(part), signal);
	for (let i = 0; i < answer.bins.length; i += COUNTER_NUMBERS) answer.bins[i + 1] = part.toPixel(toDouble(answer.bins[i + 1]));
	return answer;
}

/** The steps of each lane from the begin of the window on. */
export function stepsOf(answer: Counters, from: number, each: number): Map<number, Step[]> {
	const steps = new Map<number, Step[]>();
	for (let i = 0; i < answer.before.length; i += BEFORE_NUMBERS) {
		const value = answer.before[i + 1] ?? NaN;
		steps.set(toDouble(answer.before[i]), [{ at: from, n: 0, least: value, most: value, last: value }]);
	}
	for (const [lane, list] of byLane(answer.bins, COUNTER_NUMBERS)) {
		const own = steps.get(lane) ?? [];
		for (const i of list) {
			const [, pixel, n, least, most, last] = answer.bins.slice(i, i + COUNTER_NUMBERS);
			own.push({ at: from + toDouble(pixel) * each, n: toDouble(n), least: least ?? NaN, most: most ?? NaN, last: last ?? NaN });
		}
		steps.set(lane, own);
	}
	return steps;
}

async function getPicture(wish: Wish, signal: AbortSignal): Promise<CounterPicture> {
	const answers = await Promise.all(partsOf(wish).map((part) => askPart(part, signal)));
	const each = (wish.to - wish.from) / wish.pixels;
	return { each, steps: new Map(answers.flatMap((answer) => [...stepsOf(answer, wish.from, each)])) };
}

export class CounterPictures extends Asking<CounterPicture> {
	constructor(onPicture: () => void, onError: (error: Error) => void) {
		super(getPicture, onPicture, onError);
	}
}

/** The scale of a curve: from its smallest to its largest value, and 0 is between them */
export function rangeOf(steps: Step[]): [number, number] {
	const values = steps.flatMap((step) => [step.least, step.most]).map(toDouble).filter(Number.isFinite);
	return [Math.min(0, leastOf(values)), Math.max(0, largestOf(values))];
}

/** Where a value is, from 0 to 1; also if the length of the scale is 0, or infinite as a double */
export function placeOf(value: number, [least, most]: [number, number]): number {
	const length = most - least || 1;
	return value / length - least / length;
}

function paintCurve(context: CanvasRenderingContext2D, scale: Scale, steps: Step[], picture: CounterPicture, row: Row, top: number, ink: Theme): void {
	const range = rangeOf(steps);
	const height = row.height - 5;
	const y = (value: number) => top + 2 + height * (1 - placeOf(value, range));
	const base = y(0);
	context.fillStyle = context.strokeStyle = colourOf(row.lane!.name ?? "");
	steps.forEach((step, i) => {
		const x = scale.x(step.at);
		const next = steps[i + 1];
		const end = next ? scale.x(next.at) : scale.width;
		if (end < 0 || x > scale.width || !Number.isFinite(toDouble(step.last))) return;
		const value = y(toDouble(step.last));
		context.globalAlpha = 0.25;
		context.fillRect(x, Math.min(value, base), end - x, Math.abs(base - value));
		context.globalAlpha = 1;
		context.fillRect(x, value - 0.5, end - x, 1.5);
		const before = toDouble(i > 0 ? steps[i - 1]!.last : step.last);
		const [low, high] = [Math.min(toDouble(step.least), before), Math.max(toDouble(step.most), before)];
		if (high > low) context.fillRect(x, y(high), Math.max(scale.x(step.at + picture.each) - x, 1) * (step.n > 1 ? 1 : 0) || 1, y(low) - y(high));
	});
	context.fillStyle = ink.faint;
	context.fillText(toText(steps.find((step) => toDouble(step.most) === range[1])?.most ?? range[1]), 4, top + 11);
}

export function paintCounters(context: CanvasRenderingContext2D, scale: Scale, rows: Row[], scroll: number, picture: CounterPicture | undefined, ink: Theme): void {
	context.font = "10px system-ui, sans-serif";
	for (const row of rows) {
		const steps = row.lane?.kind === "counter" ? picture?.steps.get(row.lane.id) : undefined;
		if (picture && steps && steps.length > 0) paintCurve(context, scale, steps, picture, row, row.top - scroll, ink);
	}
}

/** The value under the pointer; @y: from the top of all rows */
export function findValue(picture: CounterPicture | undefined, rows: Row[], y: number, ns: number): Found | undefined {
	const row = rows.find((row) => y >= row.top && y < row.top + row.height);
	if (!picture || row?.lane?.kind !== "counter") return undefined;
	const steps = picture.steps.get(row.lane.id) ?? [];
	const step = [...steps].reverse().find((step) => step.at <= ns);
	if (!step) return undefined;
	const name = row.lane.name ?? "";
	if (step.n > 1 && ns < step.at + picture.each) return { row, name, from: step.at, to: step.at + picture.each, text: `${name}\n${step.n} values from ${toText(step.least)} to ${toText(step.most)}, last ${toText(step.last)}\n${duration(picture.each)} from ${offset(step.at)}` };
	const to = steps[steps.indexOf(step) + 1]?.at ?? ns;
	return { row, name, from: step.at, to, text: `${name} = ${toText(step.last)}\n${step.n === 0 ? "since before the window" : `since about ${offset(step.at)}`}` };
}
