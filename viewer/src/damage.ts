// damage.ts - stretches of the time in which a tracefile is damaged: hatched in its lane, named at the pointer, and rows
// of the list of events.
import type { Damage, DamageAnswer, Lane } from "./answers.ts";
import { ask } from "./api.ts";
import { duration, offset } from "./clock.ts";
import { make } from "./dom.ts";
import type { Scale } from "./paint.ts";
import type { Row } from "./rows.ts";

/** Pixels between two lines of the hatching */
const HATCH = 6;

/** Stretches that are named at the pointer; the others are counted. */
const MAX_NAMED = 4;

/** How far the lane of a trace is moved, in ns */
export type ShiftOf = (trace: number) => number;

/** Whether a stretch has a time of [from, to). One without a length has its begin. */
export function overlaps(damage: Damage, from: number, to: number): boolean {
	return damage.from < to && Math.max(damage.from + damage.length, damage.from + 1) > from;
}

/** The stretches among a page of a list of events with times of [from, to); those of a CPU for its lane only */
export function listed(all: Damage[], from: number, to: number, lane?: Lane): Damage[] {
	return all.filter((damage) => overlaps(damage, from, to) && (lane?.kind !== "cpu" || damage.lane === lane.id)).sort((a, b) => a.from - b.from);
}

function makeHatching(context: CanvasRenderingContext2D, colour: string): CanvasPattern | null {
	const tile = make("canvas", { width: String(HATCH), height: String(HATCH) });
	const lines = tile.getContext("2d")!;
	lines.fillStyle = colour;
	for (let i = 0; i < HATCH; i++) lines.fillRect(i, HATCH - 1 - i, 2, 1);
	return context.createPattern(tile, "repeat");
}

export class Damages {
	known: Damage[] = [];

	async get(): Promise<void> {
		this.known = (await ask<DamageAnswer>("damage")).damage;
	}

	/** Those of a lane that have a time of [from, to), where it is shown */
	private of(lane: Lane, from: number, to: number, shiftOf: ShiftOf): Damage[] {
		const shift = shiftOf(lane.trace);
		return this.known.filter((damage) => damage.lane === lane.id && overlaps(damage, from - shift, to - shift));
	}

	paint(context: CanvasRenderingContext2D, scale: Scale, rows: Row[], scroll: number, colour: string, shiftOf: ShiftOf): void {
		if (this.known.length === 0) return;
		context.fillStyle = makeHatching(context, colour) ?? colour;
		for (const { lane, top, height } of rows) {
			if (!lane) continue;
			for (const { from, length } of this.of(lane, scale.from, scale.to, shiftOf)) {
				const x = Math.max(scale.x(from + shiftOf(lane.trace)), 0);
				const end = Math.min(scale.x(from + length + shiftOf(lane.trace)), scale.width);
				context.fillRect(Math.floor(x), top - scroll, Math.max(Math.ceil(end) - Math.floor(x), 2), height - 1);
			}
		}
	}

	/** What the pointer is on, within a pixel; undefined: on no damage */
	describe(lane: Lane | undefined, ns: number, pixel: number, shiftOf: ShiftOf): string | undefined {
		const found = lane ? this.of(lane, ns - pixel, ns + pixel, shiftOf) : [];
		if (!lane || found.length === 0) return undefined;
		const lines = found.slice(0, MAX_NAMED).map((one) => `damaged: ${one.text}\nevents may be missing in ${duration(one.length)} from ${offset(one.from + shiftOf(lane.trace))}`);
		if (found.length > MAX_NAMED) lines.push(`and ${found.length - MAX_NAMED} more`);
		return lines.join("\n");
	}
}
