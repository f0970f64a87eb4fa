// states.ts - requests the states of threads and CPUs, draws them as a strip above the spans of a lane, and names them.
// The colours are distinct for people with any kind of colour vision. Running states are also high, and waiting states low.
import { STATE_BIN_NUMBERS, STRETCH_NUMBERS, type Lane, type States } from "./answers.ts";
import { ask } from "./api.ts";
import { Asking, byLane, parametersOf, partsOf, type Part, type Wish } from "./asking.ts";
import { duration, offset } from "./clock.ts";
import { colourOf, inkOn } from "./colour.ts";
import { make } from "./dom.ts";
import type { Found } from "./hit.ts";
import { append } from "./lists.ts";
import type { Scale, Theme } from "./paint.ts";
import type { Pixels } from "./pixels.ts";
import { laneLabel, STATE_HEIGHT, type Row } from "./rows.ts";
import { measureIn, shorten } from "./text.ts";

interface Style {
	name: string;
	colour: string;
	height: number; // as a share of the strip
}

const NOTHING: Style = { name: "unknown", colour: "", height: 0 };

const OF_THREADS: Style[] = [
	NOTHING,
	{ name: "running", colour: "#009e73", height: 1 },
	{ name: "runnable, without a CPU", colour: "#e69f00", height: 0.75 },
	{ name: "preempted", colour: "#d55e00", height: 0.75 },
	{ name: "waiting", colour: "#9aa7b5", height: 0.3 },
	{ name: "waiting, uninterruptible", colour: "#7a3b8f", height: 0.5 },
	{ name: "stopped", colour: "#56b4e9", height: 0.3 },
];

const PREEMPTED = 3;
const THREAD = 1; // a CPU that runs a thread, drawn in the colour of the thread

const OF_CPUS: Style[] = [
	NOTHING,
	{ name: "thread", colour: "#009e73", height: 1 },
	{ name: "softirq", colour: "#0072b2", height: 1 },
	{ name: "interrupt", colour: "#8c4a2f", height: 1 },
	{ name: "idle", colour: "#6b7785", height: 0.15 },
];

function styleOf(lane: Lane, state: number): Style {
	return (lane.kind === "cpu" ? OF_CPUS : OF_THREADS)[state] ?? NOTHING;
}

/** The answer for a window, by lane. */
export interface StatePicture {
	from: number;
	to: number;
	pixels: number;
	stretches: Map<number, Int32Array>;
	bins: Map<number, Int32Array>;
	answer: States;
}

// ---- questions ----

async function askPart(part: Part, signal: AbortSignal, most: number | undefined): Promise<States> {
	const answer = await ask<States>("states", parametersOf(part, most), signal);
	for (let i = 0; i < answer.stretches.length; i += STRETCH_NUMBERS) answer.stretches[i + 1]! += part.shift;
	for (let i = 0; i < answer.bins.length; i += STATE_BIN_NUMBERS) answer.bins[i + 1] = part.toPixel(answer.bins[i + 1]!);
	return answer;
}

/** One answer from those for the lanes of each trace */
export function joinStates(answers: States[]): States {
	if (answers.length === 1) return answers[0]!;
	const joined: States = { exact: answers.every((answer) => answer.exact), limited: answers.some((answer) => answer.limited), stretches: [], bins: [], texts: [] };
	for (const answer of answers) {
		const first = joined.texts.length;
		answer.stretches.forEach((number, i) => joined.stretches.push([4, 5].includes(i % STRETCH_NUMBERS) ? number + first : number));
		append(joined.bins, answer.bins);
		append(joined.texts, answer.texts);
	}
	return joined;
}

async function getPicture(wish: Wish, signal: AbortSignal, most?: number): Promise<StatePicture> {
	const answer = joinStates(await Promise.all(partsOf(wish).map((part) => askPart(part, signal, most))));
	return {
		from: wish.from,
		to: wish.to,
		pixels: wish.pixels,
		stretches: byLane(answer.stretches, STRETCH_NUMBERS),
		bins: byLane(answer.bins, STATE_BIN_NUMBERS),
		answer,
	};
}

export class StatePictures extends Asking<StatePicture> {
	constructor(onPicture: () => void, onError: (error: Error) => void) {
		super(getPicture, onPicture, onError, (picture) => picture.answer.limited);
	}
}

// ---- drawing ----

function fill(context: CanvasRenderingContext2D, x: number, width: number, top: number, share: number, colour: string): void {
	const height = Math.max((STATE_HEIGHT - 2) * share, 1);
	context.fillStyle = colour;
	context.fillRect(x, top + STATE_HEIGHT - 1 - height, width, height);
}

function write(context: CanvasRenderingContext2D, text: string, x: number, width: number, top: number, ink: string): void {
	if (text === "" || width < 36) return;
	context.fillStyle = ink;
	context.fillText(shorten(text, width - 5, measureIn(context)), x + 3, top + STATE_HEIGHT - 3);
}

function paintStretches(context: CanvasRenderingContext2D, scale: Scale, picture: StatePicture, lane: Lane, top: number, ink: Theme, lanes: Map<number, Lane>): void {
	const { stretches: numbers, texts } = picture.answer;
	for (const i of picture.stretches.get(lane.id) ?? []) {
		const begin = Math.max(scale.x(numbers[i + 1]!), -2);
		const end = Math.min(scale.x(numbers[i + 1]! + numbers[i + 2]!), scale.width + 2);
		const state = numbers[i + 3]!;
		const style = styleOf(lane, state);
		if (end < 0 || begin > scale.width || style === NOTHING) continue;
		const thread = lane.kind === "cpu" && state === THREAD ? lanes.get(numbers[i + 6]!) : undefined;
		const name = thread ? laneLabel(thread) : "";
		fill(context, begin, Math.max(end - begin - (end - begin > 3 ? 0.5 : 0), 1), top, style.height, thread ? colourOf(name) : style.colour);
		if (thread) write(context, name, begin, end - begin, top, inkOn(name));
		else if (lane.kind === "thread" && texts[numbers[i + 4]!] !== "unknown") write(context, texts[numbers[i + 4]!]!, begin, end - begin, top - 3, ink.faint);
	}
}

/** Divides a pixel among the states by their shares, from bottom to top. */
function paintBins(shares: Pixels, scale: Scale, picture: StatePicture, lane: Lane, top: number): void {
	const numbers = picture.answer.bins;
	const each = (picture.to - picture.from) / picture.pixels;
	let pixel = -1;
	let sum = 0;
	for (const i of picture.bins.get(lane.id) ?? []) {
		const style = styleOf(lane, numbers[i + 2]!);
		const at = picture.from + numbers[i + 1]! * each;
		const x = scale.x(at);
		const width = Math.max(scale.x(at + each) - x, 1);
		if (numbers[i + 1] !== pixel) sum = 0;
		pixel = numbers[i + 1]!;
		if (x + width < 0 || x > scale.width || style.height < 0.5) continue; // waiting states are the rest of the pixel
		const height = (STATE_HEIGHT - 2) * Math.min(numbers[i + 3]! / each, 1 - sum);
		shares.fill(style.colour, x, top + STATE_HEIGHT - 1 - (STATE_HEIGHT - 2) * sum - Math.max(height, 0.5), width, Math.max(height, 0.5));
		sum += numbers[i + 3]! / each;
	}
}

/** Draws the shares of states in each pixel. */
export function paintShares(shares: Pixels, scale: Scale, rows: Row[], scroll: number, picture: StatePicture | undefined): void {
	if (picture) for (const { lane, top } of rows) if (lane?.states) paintBins(shares, scale, picture, lane, top - scroll);
}

/** Draws the states of two pixels or more. */
export function paintStates(context: CanvasRenderingContext2D, scale: Scale, rows: Row[], scroll: number, picture: StatePicture | undefined, ink: Theme, lanes: Map<number, Lane>): void {
	context.font = "10px system-ui, sans-serif";
	if (!picture) return;
	for (const { lane, top } of rows) if (lane?.states) paintStretches(context, scale, picture, lane, top - scroll, ink, lanes);
}

// ---- words ----

function describe(lane: Lane, texts: string[], numbers: number[], i: number, lanes: Map<number, Lane>): string {
	const [state, reason, waker, place] = [numbers[i + 3]!, texts[numbers[i + 4]!]!, texts[numbers[i + 5]!]!, numbers[i + 6]!];
	const name = styleOf(lane, state).name;
	if (lane.kind === "cpu") {
		const thread = lanes.get(place);
		return thread ? `runs ${laneLabel(thread)}` : name;
	}
	const by = waker && nameWaker(lane, waker, lanes);
	if (state === PREEMPTED) return by ? `${name} by ${by}` : name;
	const words = [reason ? `${name}: ${reason}` : name];
	if (state === THREAD && place >= 0) words.push(`on CPU ${place}`);
	return words.join(" ") + (by ? `\nwoken by ${by}` : "");
}

/** @waker: "thread 17", which has a name if it is in the trace; or "irq 3" */
function nameWaker(lane: Lane, waker: string, lanes: Map<number, Lane>): string {
	const [, tid] = /^thread (\d+)$/.exec(waker) ?? [];
	const thread = tid === undefined ? undefined : [...lanes.values()].find((other) => other.kind === "thread" && other.trace === lane.trace && other.host === lane.host && other.tid === Number(tid));
	return thread?.name ? `${waker}, ${thread.name}` : waker;
}

/** The time in each state in [from, to), and what it waits for, longest first. @answer: for this lane and time */
export function sumStates({ stretches, bins, texts }: States, lane: Lane, from: number, to: number): [string, number][] {
	const sums = new Map<string, number>();
	const add = (name: string, ns: number) => sums.set(name, (sums.get(name) ?? 0) + ns);
	const nameOf = (state: number, reason = "") => `${styleOf(lane, state).name}${reason && reason !== "unknown" ? `: ${reason}` : ""}`;
	for (let i = 0; i < stretches.length; i += STRETCH_NUMBERS) {
		const begin = stretches[i + 1]!;
		add(nameOf(stretches[i + 3]!, texts[stretches[i + 4]!]), Math.min(begin + stretches[i + 2]!, to) - Math.max(begin, from));
	}
	for (let i = 0; i < bins.length; i += STATE_BIN_NUMBERS) add(nameOf(bins[i + 2]!), bins[i + 3]!);
	sums.delete(NOTHING.name);
	return [...sums].filter(([, ns]) => ns > 0).sort(([, a], [, b]) => b - a);
}

/** The state under the pointer; @y: from the top of all rows */
export function findState(picture: StatePicture | undefined, rows: Row[], y: number, ns: number, lanes: Map<number, Lane>): Found | undefined {
	const row = rows.find((row) => y >= row.top && y < row.top + STATE_HEIGHT);
	if (!row?.lane?.states || !picture) return undefined;
	const { stretches, bins, texts } = picture.answer;
	for (const i of picture.stretches.get(row.lane.id) ?? []) {
		const from = stretches[i + 1]!;
		const to = from + stretches[i + 2]!;
		if (ns < from || ns >= to) continue;
		// The stretch before the first state can be selected, but has no details.
		if (styleOf(row.lane, stretches[i + 3]!) === NOTHING) return { row, name: "", from, to, text: "" };
		const text = describe(row.lane, texts, stretches, i, lanes);
		return { row, name: text.split("\n")[0]!, from, to, text: `${text}\n${duration(to - from)} from ${offset(from)}` };
	}
	const each = (picture.to - picture.from) / picture.pixels;
	const pixel = Math.floor((ns - picture.from) / each);
	const shares: string[] = [];
	for (const i of picture.bins.get(row.lane.id) ?? []) {
		if (bins[i + 1] === pixel && styleOf(row.lane, bins[i + 2]!) !== NOTHING) shares.push(`${styleOf(row.lane, bins[i + 2]!).name} ${Math.round((100 * bins[i + 3]!) / each)} %`);
	}
	if (shares.length === 0) return undefined;
	const from = picture.from + pixel * each;
	return { row, name: "states", from, to: from + each, text: `${shares.join(", ")}\n${duration(each)} from ${offset(from)}` };
}

/** The colours of the legend, by what they mean */
export const LEGEND: [string, string][] = [...OF_THREADS, ...OF_CPUS.filter((style) => style.name !== "thread")].filter((style) => style !== NOTHING).map(({ name, colour }) => [name, colour]);

/** Fills the legend, if any lane has states. */
export function showLegend(box: HTMLElement, known: Lane[]): void {
	const lanes = known.filter((lane) => lane.states);
	box.hidden = lanes.length === 0;
	if (box.hidden || box.childElementCount > 0) return;
	const entry = ({ name, colour, height }: Style) => {
		const swatch = make("canvas", { width: "14", height: "10", "aria-hidden": "true" });
		const context = swatch.getContext("2d")!;
		context.fillStyle = colour;
		context.fillRect(0, 10 - Math.max(10 * height, 2), 14, Math.max(10 * height, 2));
		return make("span", {}, swatch, name);
	};
	box.replaceChildren(make("b", {}, "threads"), ...OF_THREADS.slice(1).map(entry), make("b", {}, "CPUs"), ...OF_CPUS.slice(2).map(entry));
}
