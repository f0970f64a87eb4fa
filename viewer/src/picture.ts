// picture.ts - gets what the visible lanes show, and keeps the last answer until the next one is there.
import { BIN_NUMBERS, SPAN_NUMBERS, type Spans } from "./answers.ts";
import { ask } from "./api.ts";

/** The answer for a window, by lane. */
export interface Picture {
	from: number;
	to: number;
	pixels: number;
	lanes: Set<number>;
	names: string[];
	spans: Map<number, Int32Array>; // of a lane: indices into numbers
	bins: Map<number, Int32Array>;
	answer: Spans;
}

function byLane(numbers: number[], width: number): Map<number, Int32Array> {
	const lists = new Map<number, number[]>();
	for (let i = 0; i < numbers.length; i += width) {
		const lane = numbers[i]!;
		const list = lists.get(lane);
		if (list) list.push(i);
		else lists.set(lane, [i]);
	}
	return new Map([...lists].map(([lane, list]) => [lane, Int32Array.from(list)]));
}

/** What is asked for. */
export interface Wish {
	from: number;
	to: number;
	pixels: number;
	lanes: { id: number; shift: number }[]; // shift: how far the lane is moved to the right, in ns
	filter: string;
	length: number; // of the trace
}

/** The answer for lanes that are moved by @shift, as if they were not: their own window of the trace is asked for. */
async function askMoved(wish: Wish, shift: number, signal: AbortSignal): Promise<Spans> {
	const lanes = wish.lanes.filter((lane) => lane.shift === shift).map((lane) => lane.id);
	const from = Math.max(wish.from - shift, 0);
	const to = Math.min(wish.to - shift, wish.length);
	if (from >= to) return { exact: true, spans: [], bins: [], names: [] };
	const each = (wish.to - wish.from) / wish.pixels;
	const pixels = Math.max(Math.round((to - from) / each), 1);
	const answer = await ask<Spans>("spans", { from, to, pixels, lanes: lanes.join(), ...(wish.filter ? { filter: wish.filter } : {}) }, signal);
	if (shift === 0 && pixels === wish.pixels) return answer;
	for (let i = 0; i < answer.spans.length; i += SPAN_NUMBERS) answer.spans[i + 1]! += shift;
	const own = (to - from) / pixels;
	for (let i = 0; i < answer.bins.length; i += BIN_NUMBERS) answer.bins[i + 1] = Math.floor((from + shift - wish.from + (answer.bins[i + 1]! + 0.5) * own) / each);
	return answer;
}

function join(answers: Spans[]): Spans {
	if (answers.length === 1) return answers[0]!;
	const joined: Spans = { exact: answers.every((answer) => answer.exact), spans: [], bins: [], names: [] };
	for (const answer of answers) {
		const first = joined.names.length;
		answer.spans.forEach((number, i) => joined.spans.push(i % SPAN_NUMBERS === 4 ? number + first : number));
		answer.bins.forEach((number, i) => joined.bins.push(i % BIN_NUMBERS === 4 ? number + first : number));
		joined.names.push(...answer.names);
	}
	return joined;
}

/** Asks for pictures, one at a time: a request that is no longer wanted is cancelled. */
export class Pictures {
	last: Picture | undefined;
	is_waiting = false;
	private control: AbortController | undefined;
	private timer = 0;
	private asked = "";

	constructor(private readonly onPicture: () => void, private readonly onError: (error: Error) => void) {}

	/** Forgets what was asked, because the server knows more now. */
	refresh(): void {
		this.asked = "";
	}

	/** Drops the picture, and what is under way. */
	clear(): void {
		this.control?.abort();
		clearTimeout(this.timer);
		this.last = undefined;
		this.asked = "";
		this.is_waiting = false;
	}

	want(wish: Wish): void {
		const asked = JSON.stringify(wish);
		if (asked === this.asked || wish.lanes.length === 0 || wish.pixels < 1) return;
		this.asked = asked;
		this.is_waiting = true;
		clearTimeout(this.timer);
		this.timer = window.setTimeout(() => void this.get(wish), 15);
	}

	private async get(wish: Wish): Promise<void> {
		this.control?.abort();
		const control = (this.control = new AbortController());
		try {
			const shifts = [...new Set(wish.lanes.map((lane) => lane.shift))];
			const answer = join(await Promise.all(shifts.map((shift) => askMoved(wish, shift, control.signal))));
			this.last = {
				from: wish.from,
				to: wish.to,
				pixels: wish.pixels,
				lanes: new Set(wish.lanes.map((lane) => lane.id)),
				names: answer.names,
				spans: byLane(answer.spans, SPAN_NUMBERS),
				bins: byLane(answer.bins, BIN_NUMBERS),
				answer,
			};
			this.is_waiting = false;
			this.onPicture();
		} catch (error) {
			if (control.signal.aborted) return;
			this.is_waiting = false;
			this.onError(error as Error);
		}
	}
}
