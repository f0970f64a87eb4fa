// asking.ts - requests the data of the visible lanes from the server, one request at a time. The last answer stays
// visible until the next one arrives.
//
// The first request for a window limits how many events the server reads. If the answer would be more exact without the
// limit, and the wish has not changed for a moment, a second request follows without it.
//
// If the wish changes while a request is in progress, the answer is still awaited for a moment: a window that moves all
// the time would otherwise never get one. Then the request is cancelled.

/** Events that the server may read for the first answer: it takes tens of milliseconds */
const QUICK_EVENTS = 150_000;

/** Milliseconds from an answer with a limit to the request without it */
const REST_MS = 100;

/** Milliseconds after which a request for an outdated wish is cancelled */
const PATIENCE_MS = 100;

/** The data that a view needs. */
export interface Wish {
	from: number;
	to: number;
	pixels: number;
	lanes: { id: number; shift: number }[]; // shift: how far the lane is moved to the right, in ns
	filter: string;
	length: number; // of the trace
}

/** The lanes of a wish that are shifted by the same time, and the window of the trace that they show. */
export interface Part {
	from: number;
	to: number;
	pixels: number;
	lanes: number[];
	shift: number;
	toPixel(pixel: number): number; // of the wish
}

/** Divides a wish into parts, without those that are not visible. */
export function partsOf(wish: Wish): Part[] {
	const each = (wish.to - wish.from) / wish.pixels;
	return [...new Set(wish.lanes.map((lane) => lane.shift))].flatMap((shift) => {
		const from = Math.max(wish.from - shift, 0);
		const to = Math.min(wish.to - shift, wish.length);
		if (from >= to) return [];
		const lanes = wish.lanes.filter((lane) => lane.shift === shift).map((lane) => lane.id);
		const pixels = Math.max(Math.round((to - from) / each), 1);
		const is_whole = shift === 0 && pixels === wish.pixels;
		const toPixel = (pixel: number) => (is_whole ? pixel : Math.floor((from + shift - wish.from + ((pixel + 0.5) * (to - from)) / pixels) / each));
		return [{ from, to, pixels, lanes, shift, toPixel }];
	});
}

/** The parameters of a request for a part; @most: the number of events to read, if there is a limit */
export function parametersOf(part: Part, most?: number): Record<string, string | number> {
	return { from: part.from, to: part.to, pixels: part.pixels, lanes: part.lanes.join(), ...(most === undefined ? {} : { read: most }) };
}

/** Divides @numbers into groups of @width, each of which begins with a lane. Returns: the indices of the groups of each lane */
export function byLane(numbers: ArrayLike<unknown>, width: number): Map<number, Int32Array> {
	const lists = new Map<number, number[]>();
	for (let i = 0; i < numbers.length; i += width) {
		const lane = numbers[i] as number;
		const list = lists.get(lane);
		if (list) list.push(i);
		else lists.set(lane, [i]);
	}
	return new Map([...lists].map(([lane, list]) => [lane, Int32Array.from(list)]));
}

export class Asking<Answer> {
	last: Answer | undefined;
	/** Whether the last answer is for an earlier wish */
	is_waiting = false;
	/** Whether the last answer had a limit, and the one without a limit is awaited */
	is_refining = false;
	private control: AbortController | undefined; // of the request in progress
	private next: Wish | undefined;
	private timer: ReturnType<typeof setTimeout> | undefined;
	private is_late = false; // it has taken PATIENCE_MS
	private asked = "";

	/** @get: requests data; @most: the number of events that the server may read for it, or none. @isLimited: whether that
	 * number made the answer less exact */
	constructor(
		private readonly get: (wish: Wish, signal: AbortSignal, most?: number) => Promise<Answer>,
		private readonly onAnswer: () => void,
		private readonly onError: (error: Error) => void,
		private readonly isLimited: (answer: Answer) => boolean = () => false,
	) {}

	/** Lets want() send the same request again, because the server has new data. */
	refresh(): void {
		this.asked = "";
	}

	/** Discards the answer, and cancels the request in progress. */
	clear(): void {
		this.cancel();
		this.last = undefined;
		this.asked = "";
		this.is_waiting = this.is_refining = false;
	}

	want(wish: Wish): void {
		const asked = JSON.stringify(wish);
		if (asked === this.asked || wish.lanes.length === 0 || wish.pixels < 1) return;
		this.asked = asked;
		this.is_waiting = true;
		if (this.control && !this.is_refining && !this.is_late) this.next = wish;
		else void this.send(wish);
	}

	private cancel(): void {
		this.control?.abort();
		this.control = undefined;
		clearTimeout(this.timer);
		this.next = undefined;
	}

	private async send(wish: Wish): Promise<void> {
		this.cancel();
		const control = (this.control = new AbortController());
		this.is_refining = this.is_late = false;
		this.timer = setTimeout(() => {
			this.is_late = true;
			if (this.next) void this.send(this.next);
		}, PATIENCE_MS);
		try {
			for (const most of [QUICK_EVENTS, undefined]) {
				const answer = await this.get(wish, control.signal, most);
				if (control.signal.aborted) return;
				this.last = answer;
				this.is_waiting = this.next !== undefined;
				this.is_refining = this.isLimited(answer) && !this.is_waiting;
				this.onAnswer();
				if (!this.is_refining) break;
				clearTimeout(this.timer);
				await new Promise((resolve) => (this.timer = setTimeout(resolve, REST_MS)));
			}
		} catch (error) {
			if (control.signal.aborted) return;
			this.is_waiting = this.next !== undefined;
			this.is_refining = false;
			this.onError(error as Error);
		}
		this.control = undefined;
		clearTimeout(this.timer);
		if (this.next) void this.send(this.next);
	}
}
