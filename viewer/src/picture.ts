// picture.ts - gets what the visible lanes show, and keeps the last answer until the next one is there.
import { ask, BIN_NUMBERS, SPAN_NUMBERS, type Spans } from "./api.ts";

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

	want(from: number, to: number, pixels: number, lanes: number[]): void {
		const asked = `${from} ${to} ${pixels} ${lanes.join()}`;
		if (asked === this.asked || lanes.length === 0 || pixels < 1) return;
		this.asked = asked;
		this.is_waiting = true;
		clearTimeout(this.timer);
		this.timer = window.setTimeout(() => void this.get(from, to, pixels, lanes), 15);
	}

	private async get(from: number, to: number, pixels: number, lanes: number[]): Promise<void> {
		this.control?.abort();
		const control = (this.control = new AbortController());
		try {
			const answer = await ask<Spans>("spans", { from, to, pixels, lanes: lanes.join() }, control.signal);
			this.last = {
				from,
				to,
				pixels,
				lanes: new Set(lanes),
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
