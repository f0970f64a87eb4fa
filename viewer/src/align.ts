// align.ts - moves traces so that the n-th events of a name coincide: "http.request:3" in the URL and for `ltt view --align`.
import { ask } from "./api.ts";
import { duration } from "./clock.ts";

/** What the traces are aligned at */
export interface Align {
	name: string; // of events, or of spans: their begins
	number: number; // from 1 on
}

interface AlignAnswer {
	times: (number | null)[];
	counts: number[];
}

/** "http.request" or "http.request:3"; undefined: nothing */
export function readAlign(text: string): Align | undefined {
	const [, name, number] = /^(.+?)(?::(\d+))?$/.exec(text.trim()) ?? [];
	return name === undefined ? undefined : { name, number: Math.max(Number(number ?? 1), 1) };
}

export function writeAlign({ name, number }: Align): string {
	return number === 1 ? name : `${name}:${number}`;
}

/** How far each trace is moved to the right so that its event is where that of @base is: "1:-500,2:70". @throws Error if a
 * trace has too few of them */
export function shiftsOf(align: Align, { times, counts }: AlignAnswer, base: number, titles: string[]): string {
	times.forEach((time, i) => {
		if (time === null) throw new Error(`${titles[i]} has ${counts[i]} of ${align.name}, expected ${align.number} or more`);
	});
	return times.flatMap((time, i) => (time === times[base] ? [] : [`${i}:${times[base]! - time!}`])).join(",");
}

export async function askShifts(align: Align, base: number, titles: string[]): Promise<{ shifts: string; time: number }> {
	const answer = await ask<AlignAnswer>("align", { event: align.name, number: align.number });
	return { shifts: shiftsOf(align, answer, base, titles), time: answer.times[base]! };
}

/** What was done, for the line that screen readers read out */
export function describeAlign(align: Align, shifts: string): string {
	const moved = shifts.split(",").filter((word) => word !== "");
	const by = moved.length === 1 ? ` The trace is moved by ${duration(Number(moved[0]!.split(":")[1]))}.` : "";
	return `${align.name} number ${align.number} is at the same place in all traces.${by}`;
}
