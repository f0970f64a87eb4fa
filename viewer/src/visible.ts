// visible.ts - the data of the visible lanes: requests it from the server, and keeps the last answers.
import type { Lane } from "./answers.ts";
import { Arrows } from "./arrows.ts";
import type { Wish } from "./asking.ts";
import { CounterPictures } from "./counters.ts";
import { Pictures } from "./picture.ts";
import type { Row } from "./rows.ts";
import { StatePictures } from "./states.ts";

/** The visible window of the trace. */
interface Seen {
	from: number;
	to: number;
	pixels: number;
	length: number; // of the trace
}

export class Visible {
	readonly pictures: Pictures;
	readonly matches: Pictures; // of the filter
	readonly states: StatePictures;
	readonly counters: CounterPictures;
	readonly arrows: Arrows;

	constructor(repaint: () => void, onError: (error: Error) => void) {
		this.pictures = new Pictures(repaint, onError);
		this.matches = new Pictures(repaint, onError);
		this.states = new StatePictures(repaint, onError);
		this.counters = new CounterPictures(repaint, onError);
		this.arrows = new Arrows(repaint, onError);
	}

	private get all() {
		return [this.pictures, this.matches, this.states, this.counters, this.arrows];
	}

	/** The server has new data. */
	refresh(): void {
		for (const asked of this.all) asked.refresh();
	}

	/** Requests what has changed. @shiftOf: how far the lanes of a trace are moved, in ns */
	want(seen: Seen, rows: Row[], filter: string, shiftOf: (trace: number) => number): void {
		const lanes = [...new Map(rows.flatMap((row) => (row.lane ? [[row.lane.id, row.lane] as const] : []))).values()].sort((a, b) => a.id - b.id);
		const wishFor = (some: Lane[]): Wish => ({ ...seen, lanes: some.map((lane) => ({ id: lane.id, shift: shiftOf(lane.trace) })), filter: "" });
		const with_states = wishFor(lanes.filter((lane) => lane.states));
		this.pictures.want(wishFor(lanes));
		if (filter !== "") this.matches.want({ ...wishFor(lanes), filter });
		this.states.want(with_states);
		this.counters.want(wishFor(lanes.filter((lane) => lane.kind === "counter")));
		this.arrows.want(with_states);
	}

	/** "true": the picture is of an earlier window; "rough": a more exact one will follow; "false": it is complete */
	get waiting(): string {
		if (this.all.some((asked) => asked.is_waiting)) return "true";
		return [this.pictures, this.states].some((asked) => asked.is_refining) ? "rough" : "false";
	}
}
