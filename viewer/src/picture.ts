// picture.ts - the spans and events of the visible lanes.
import { BIN_NUMBERS, SPAN_NUMBERS, type Spans } from "./answers.ts";
import { ask } from "./api.ts";
import { Asking, byLane, parametersOf, partsOf, type Part, type Wish } from "./asking.ts";
import { append } from "./lists.ts";

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

/** Requests the lanes of one shift, and adds the shift to the times of the answer */
async function askPart(part: Part, filter: string, signal: AbortSignal, most: number | undefined): Promise<Spans> {
	const answer = await ask<Spans>("spans", { ...parametersOf(part, most), ...(filter ? { filter } : {}) }, signal);
	for (let i = 0; i < answer.spans.length; i += SPAN_NUMBERS) answer.spans[i + 1]! += part.shift;
	for (let i = 0; i < answer.bins.length; i += BIN_NUMBERS) answer.bins[i + 1] = part.toPixel(answer.bins[i + 1]!);
	return answer;
}

function join(answers: Spans[]): Spans {
	if (answers.length === 1) return answers[0]!;
	const joined: Spans = { exact: answers.every((answer) => answer.exact), limited: answers.some((answer) => answer.limited), spans: [], bins: [], names: [] };
	for (const answer of answers) {
		const first = joined.names.length;
		answer.spans.forEach((number, i) => joined.spans.push(i % SPAN_NUMBERS === 4 ? number + first : number));
		answer.bins.forEach((number, i) => joined.bins.push(i % BIN_NUMBERS === 4 ? number + first : number));
		append(joined.names, answer.names);
	}
	return joined;
}

async function getPicture(wish: Wish, signal: AbortSignal, most?: number): Promise<Picture> {
	const answer = join(await Promise.all(partsOf(wish).map((part) => askPart(part, wish.filter, signal, most))));
	return {
		from: wish.from,
		to: wish.to,
		pixels: wish.pixels,
		lanes: new Set(wish.lanes.map((lane) => lane.id)),
		names: answer.names,
		spans: byLane(answer.spans, SPAN_NUMBERS),
		bins: byLane(answer.bins, BIN_NUMBERS),
		answer,
	};
}

export class Pictures extends Asking<Picture> {
	constructor(onPicture: () => void, onError: (error: Error) => void) {
		super(getPicture, onPicture, onError, (picture) => picture.answer.limited);
	}
}
