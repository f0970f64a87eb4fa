// arrows.ts - draws wake-ups as arrows, from the waker at the time of the wake-up to the woken thread at the time when it
// begins to run: those of the lane under the pointer and of the lane that was clicked last.
import { WAKEUP_NUMBERS, type Lane, type Wakeups } from "./answers.ts";
import { ask } from "./api.ts";
import { Asking, parametersOf, partsOf, type Part, type Wish } from "./asking.ts";
import type { Scale } from "./paint.ts";
import { STATE_HEIGHT, type Row } from "./rows.ts";

/** Maximum number of arrows, because more would hide the lanes. */
const MAX_ARROWS = 300;

const HEAD = 5;
const STUB = 12; // length of an arrow that does not arrive
const LINE_ALPHA = 0.5;
const LEAST_ALPHA = 0.12;
const MAX_CLEAR = 40; // more arrows are fainter, because the lanes must remain visible

/** The opacity of the lines of @n arrows */
export function alphaOf(n: number): number {
	return Math.max(Math.min((LINE_ALPHA * MAX_CLEAR) / n, LINE_ALPHA), LEAST_ALPHA);
}

async function askPart(part: Part, signal: AbortSignal): Promise<number[]> {
	const { wakeups } = await ask<Wakeups>("wakeups", { ...parametersOf(part), limit: MAX_ARROWS }, signal);
	return wakeups.map((number, i) => ([1, 3].includes(i % WAKEUP_NUMBERS) ? number + part.shift : number));
}

async function getWakeups(wish: Wish, signal: AbortSignal): Promise<number[]> {
	return (await Promise.all(partsOf(wish).map((part) => askPart(part, signal)))).flat();
}

export class Arrows {
	private readonly asking: Asking<number[]>;
	private hovered: number | undefined;
	private chosen: number | undefined;
	private shown = ""; // lanes of the last wish

	constructor(private readonly repaint: () => void, onError: (error: Error) => void) {
		this.asking = new Asking(getWakeups, repaint, onError);
	}

	get is_waiting(): boolean {
		return this.asking.is_waiting;
	}

	/** @lane: undefined if the pointer is not on a lane */
	hover(lane: Lane | undefined): void {
		const id = lane?.kind === "thread" && lane.states ? lane.id : undefined;
		if (id === this.hovered) return;
		this.hovered = id;
		this.repaint();
	}

	choose(lane: Lane | undefined): void {
		const id = lane?.kind === "thread" && lane.states ? lane.id : undefined;
		if (id === this.chosen) return;
		this.chosen = id;
		this.repaint();
	}

	refresh(): void {
		this.asking.refresh();
	}

	/** @wish: that of the states, with all visible lanes */
	want(wish: Wish): void {
		const lanes = wish.lanes.filter((lane) => lane.id === this.hovered || lane.id === this.chosen);
		const shown = lanes.map((lane) => lane.id).join();
		if (shown !== this.shown) this.asking.clear();
		this.shown = shown;
		this.asking.want({ ...wish, lanes });
	}

	/** @rows: all rows, including those that are not visible */
	paint(context: CanvasRenderingContext2D, scale: Scale, rows: Row[], scroll: number, colour: string): void {
		const numbers = this.asking.last;
		if (!numbers || numbers.length === 0) return;
		const middles = new Map<number, number>();
		for (const row of rows) if (row.lane && !middles.has(row.lane.id)) middles.set(row.lane.id, row.top - scroll + STATE_HEIGHT / 2);
		context.strokeStyle = context.fillStyle = colour;
		const alpha = alphaOf(numbers.length / WAKEUP_NUMBERS);
		for (let i = 0; i < numbers.length; i += WAKEUP_NUMBERS) {
			const [from, to] = [middles.get(numbers[i]!), middles.get(numbers[i + 2]!)];
			if (from === undefined || to === undefined) continue;
			if (numbers[i + 4] === 1) paintArrow(context, scale.x(numbers[i + 1]!), from, scale.x(numbers[i + 3]!), to, alpha);
			else paintStub(context, scale.x(numbers[i + 1]!), from, to, alpha);
		}
		context.globalAlpha = 1;
	}
}

function paintDot(context: CanvasRenderingContext2D, x: number, y: number): void {
	context.beginPath();
	context.arc(x, y, 2, 0, 2 * Math.PI);
	context.fill();
}

/** The begin of an arrow: the woken thread has not run so far. */
function paintStub(context: CanvasRenderingContext2D, x: number, y: number, to_y: number, alpha: number): void {
	context.globalAlpha = alpha;
	context.fillRect(x - 0.5, Math.min(y, y + Math.sign(to_y - y) * STUB), 1, STUB);
	context.globalAlpha = 2 * alpha;
	paintDot(context, x, y);
}

/** A thin curve that leaves and arrives vertically, with a dot at the start and an arrowhead at the end. */
function paintArrow(context: CanvasRenderingContext2D, x: number, y: number, to_x: number, to_y: number, alpha: number): void {
	const way = Math.sign(to_y - y) || 1;
	const end = to_y - way * HEAD;
	context.beginPath();
	context.moveTo(x, y);
	context.bezierCurveTo(x, (y + end) / 2, to_x, (y + end) / 2, to_x, end);
	context.lineWidth = 1;
	context.globalAlpha = alpha; // names of spans can be read through it
	context.stroke();
	context.globalAlpha = 2 * alpha;
	paintDot(context, x, y);
	context.beginPath();
	context.moveTo(to_x, to_y);
	context.lineTo(to_x - HEAD * 0.7, end);
	context.lineTo(to_x + HEAD * 0.7, end);
	context.fill();
}
