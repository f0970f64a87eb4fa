// asking.ts - requests the data of the visible lanes from the server, one request at a time. A new request cancels
// the one before, and the last answer stays visible until the next one arrives.

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

/** The parameters of a request for a part */
export function parametersOf(part: Part): Record<string, string | number> {
	return { from: part.from, to: part.to, pixels: part.pixels, lanes: part.lanes.join() };
}

/** Divides @numbers into groups of @width, each of which begins with a lane. Returns: the indices of the groups of each lane */
export function byLane(numbers: ArrayLike<number | null>, width: number): Map<number, Int32Array> {
	const lists = new Map<number, number[]>();
	for (let i = 0; i < numbers.length; i += width) {
		const lane = numbers[i]!;
		const list = lists.get(lane);
		if (list) list.push(i);
		else lists.set(lane, [i]);
	}
	return new Map([...lists].map(([lane, list]) => [lane, Int32Array.from(list)]));
}

export class Asking<Answer> {
	last: Answer | undefined;
	is_waiting = false;
	private control: AbortController | undefined;
	private timer = 0;
	private asked = "";

	constructor(
		private readonly get: (wish: Wish, signal: AbortSignal) => Promise<Answer>,
		private readonly onAnswer: () => void,
		private readonly onError: (error: Error) => void,
	) {}

	/** Lets want() send the same request again, because the server has new data. */
	refresh(): void {
		this.asked = "";
	}

	/** Discards the answer, and cancels the request in progress. */
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
		this.timer = window.setTimeout(() => void this.send(wish), 15);
	}

	private async send(wish: Wish): Promise<void> {
		this.control?.abort();
		const control = (this.control = new AbortController());
		try {
			this.last = await this.get(wish, control.signal);
			if (control.signal.aborted) return;
			this.is_waiting = false;
			this.onAnswer();
		} catch (error) {
			if (control.signal.aborted) return;
			this.is_waiting = false;
			this.onError(error as Error);
		}
	}
}
