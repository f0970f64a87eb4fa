// saved.ts - a page in a file: replaces the server by the answers that `ltt view --html` stored in the page.
import { BIN_NUMBERS, SPAN_NUMBERS } from "./answers.ts";
import type { Event, Events, Lanes, Place, Spans, Stat } from "./answers.ts";
import { BEFORE_NUMBERS, COUNTER_NUMBERS, STATE_BIN_NUMBERS, STRETCH_NUMBERS, WAKEUP_NUMBERS, type Counters, type States, type Wakeups } from "./answers.ts";
import { parseExactly, toDouble, type Exact } from "./exact.ts";

/** Answers of the server, by the names of their paths. */
export interface Saved {
	window: { from: number; to: number; pixels: number };
	spans: Spans;
	states: States;
	counters: Counters;
	wakeups: Wakeups;
	events: Events;
	stat: Stat;
	trace: { start: string };
	lanes: Lanes;
	[path: string]: unknown;
}

type Parameters = Record<string, string | number>;

interface Columns {
	width: number; // numbers of a bin, of which the first two are lane and pixel
	key: number; // index of the number that distinguishes the bins of a pixel
	added: number[];
	shared: number[]; // the same, but first divided by the number of pixels that the bin covers
}

/** Converts the saved bins that overlap a part of the window to bins of the pixels of this part */
function cutBins(saved: Saved, bins: number[], columns: Columns, from: number, to: number, pixels: number, lanes: Set<number>): number[] {
	const cut: number[] = [];
	const own = (saved.window.to - saved.window.from) / saved.window.pixels;
	const each = (to - from) / pixels;
	const last = new Map<string, number>(); // the bin of a lane and a key that was added last
	for (let i = 0; i < bins.length; i += columns.width) {
		const bin = bins.slice(i, i + columns.width);
		const [lane, pixel] = bin as [number, number];
		const begin = saved.window.from + pixel * own;
		if (!lanes.has(lane) || begin >= to || begin + own <= from) continue;
		const first = Math.floor((begin - from) / each + 1e-6);
		const n_pixels = Math.max(Math.floor((begin + own - from) / each + 1e-6) - first, 1);
		const key = `${lane} ${bin[columns.key]}`;
		for (const column of columns.shared) bin[column]! /= n_pixels;
		for (let at = Math.max(first, 0); at < Math.min(first + n_pixels, pixels); at++) {
			const place = last.get(key);
			if (place !== undefined && cut[place + 1] === at) {
				for (const column of [...columns.added, ...columns.shared]) cut[place + column]! += bin[column]!;
			} else {
				last.set(key, cut.length);
				cut.push(lane, at, ...bin.slice(2));
			}
		}
	}
	return cut;
}

/** Those groups of numbers that overlap a part of the window. A group begins with lane, begin and length. */
function cutRectangles(numbers: number[], width: number, from: number, to: number, lanes: Set<number>): number[] {
	const cut: number[] = [];
	for (let i = 0; i < numbers.length; i += width) {
		const begin = numbers[i + 1]!;
		if (lanes.has(numbers[i]!) && begin < to && begin + numbers[i + 2]! >= from) cut.push(...numbers.slice(i, i + width));
	}
	return cut;
}

/** Answers for a part of the saved window, with other lanes and another number of pixels. */
export function cutSpans(saved: Saved, from: number, to: number, pixels: number, lanes: Set<number>): Spans {
	const { exact, spans, bins, names } = saved.spans;
	const columns = { width: BIN_NUMBERS, key: 2, added: [3], shared: [5] };
	return { exact, limited: false, spans: cutRectangles(spans, SPAN_NUMBERS, from, to, lanes), bins: cutBins(saved, bins, columns, from, to, pixels, lanes), names };
}

export function cutStates(saved: Saved, from: number, to: number, pixels: number, lanes: Set<number>): States {
	const { exact, stretches, bins, texts } = saved.states;
	const columns = { width: STATE_BIN_NUMBERS, key: 2, added: [], shared: [3] };
	return { exact, limited: false, stretches: cutRectangles(stretches, STRETCH_NUMBERS, from, to, lanes), bins: cutBins(saved, bins, columns, from, to, pixels, lanes), texts };
}

/** Puts all values of a saved pixel at the start of the pixel, because the file does not contain their times. */
export function cutCounters(saved: Saved, from: number, to: number, pixels: number, lanes: Set<number>): Counters {
	const own = (saved.window.to - saved.window.from) / saved.window.pixels;
	const each = (to - from) / pixels;
	const before = new Map<number, Exact | null>();
	const choose = (one: Exact | null, other: Exact | null, sign: number) => {
		const [x, y] = [sign * toDouble(one), sign * toDouble(other)];
		return x <= y ? one : y < x ? other : NaN;
	};
	const cut: Counters = { exact: saved.counters.exact, before: [], bins: [] };
	const { before: numbers, bins } = saved.counters;
	for (let i = 0; i < numbers.length; i += BEFORE_NUMBERS) before.set(toDouble(numbers[i]), numbers[i + 1]!);
	for (let i = 0; i < bins.length; i += COUNTER_NUMBERS) {
		const [lane, pixel, n, least, most, last] = bins.slice(i, i + COUNTER_NUMBERS) as [number, number, number, Exact | null, Exact | null, Exact | null];
		const at = saved.window.from + pixel * own;
		const place = cut.bins.length - COUNTER_NUMBERS;
		const bin = Math.floor((at - from) / each + 1e-6);
		if (!lanes.has(lane) || at >= to) continue;
		if (at < from) before.set(lane, last);
		else if (place >= 0 && cut.bins[place] === lane && cut.bins[place + 1] === bin) {
			cut.bins.splice(place + 2, 4, toDouble(cut.bins[place + 2]) + n, choose(cut.bins[place + 3]!, least, 1), choose(cut.bins[place + 4]!, most, -1), last);
		} else cut.bins.push(lane, bin, n, least, most, last);
	}
	cut.before = [...before].filter(([lane]) => lanes.has(lane)).flat();
	return cut;
}

function cutWakeups(saved: Saved, from: number, to: number, lanes: Set<number>): Wakeups {
	const { wakeups, exact, more } = saved.wakeups;
	const cut: number[] = [];
	for (let i = 0; i < wakeups.length; i += WAKEUP_NUMBERS) {
		const [waker, at, woken, runs] = wakeups.slice(i, i + WAKEUP_NUMBERS) as [number, number, number, number];
		if (at < to && runs > from && (lanes.has(waker) || lanes.has(woken))) cut.push(...wakeups.slice(i, i + WAKEUP_NUMBERS));
	}
	return { wakeups: cut, exact, more };
}

interface Placed {
	event: Event;
	place: Place;
}

/** The events of a part of the window */
function eventsOf(saved: Saved, from: number, to: number): Placed[] {
	const start = BigInt(saved.trace.start);
	const placed = saved.events.events.map((event, i) => ({ event, place: saved.events.places![i]! }));
	return placed.filter(({ event }) => {
		const ns = Number(BigInt(event.time.replace(".", "")) - start);
		return ns >= from && ns < to;
	});
}

export function cutEvents(saved: Saved, from: number, to: number, lane?: number, skip = 0, limit = Infinity): Events {
	const events = eventsOf(saved, from, to).filter(({ place }) => lane === undefined || place.lanes.includes(lane));
	return { events: events.slice(skip, skip + limit).map(({ event }) => event), more: events.length > skip + limit };
}

type Thread = Stat["threads"][number];

/** Counts the events of each thread of each machine, as the server does. */
function countThreads(saved: Saved, events: Placed[]): Thread[] {
	const lanes = new Map(saved.lanes.lanes.map((lane) => [lane.id, lane]));
	const threads = new Map<string, Thread>();
	for (const { event, place } of events) {
		const { pid = 0, tid } = event;
		if (tid === undefined) continue;
		const key = `${place.host} ${pid} ${tid}`;
		const lane = lanes.get(place.lanes.at(-1)!);
		const { name } = (lane?.kind === "thread" ? lane : saved.stat.threads.find((thread) => thread.pid === pid && thread.tid === tid)) ?? {};
		const thread = threads.get(key) ?? { pid, tid, events: 0, ...(name === undefined ? {} : { name }) };
		thread.events++;
		threads.set(key, thread);
	}
	return [...threads.values()].sort((a, b) => b.events - a.events);
}

export function count(saved: Saved, from: number, to: number): Stat {
	if (from <= saved.window.from && to >= saved.window.to) return saved.stat;
	const events = eventsOf(saved, from, to);
	const types = new Map<string, number>();
	for (const { event } of events) types.set(event.event, (types.get(event.event) ?? 0) + 1);
	const threads = countThreads(saved, events);
	const { lost } = saved.stat;
	return {
		events: events.length,
		lost,
		...(lost > 0 ? { lost_at_most: true } : {}),
		n_types: types.size,
		n_threads: threads.length,
		types: [...types].map(([name, n]) => ({ name, events: n })).sort((a, b) => b.events - a.events),
		threads,
	};
}

/** Answers a request from the file. @throws Error if the file does not contain the answer */
export function answerSaved(saved: Saved, path: string, parameters: Parameters): unknown {
	const number = (name: string, otherwise: number) => Number(parameters[name] ?? otherwise);
	const [from, to] = [number("from", saved.window.from), number("to", saved.window.to)];
	if (!parameters["filter"]) {
		const lanes = new Set(String(parameters["lanes"]).split(",").map(Number));
		const pixels = number("pixels", 1000);
		if (path === "spans") return cutSpans(saved, from, to, pixels, lanes);
		if (path === "states") return cutStates(saved, from, to, pixels, lanes);
		if (path === "counters") return cutCounters(saved, from, to, pixels, lanes);
		if (path === "wakeups") return cutWakeups(saved, from, to, lanes);
		if (path === "events" || path === "stat") {
			if (saved.events.more && (path === "events" || from > saved.window.from || to < saved.window.to)) throw new Error("The window has too many events for this file to contain them. Open the trace with `ltt view` to see them.");
			return path === "stat" ? count(saved, from, to) : cutEvents(saved, from, to, parameters["lane"] === undefined ? undefined : Number(parameters["lane"]), number("skip", 0), number("limit", 100));
		}
		if (saved[path] !== undefined) return saved[path];
	}
	throw new Error("This file contains only one window of the trace. Open the trace with `ltt view` to see more.");
}

/** The answers in this page; undefined: it has a server. */
export function findSaved(): Saved | undefined {
	const text = typeof document === "undefined" ? undefined : document.getElementById("saved")?.textContent; // unit tests have no document
	if (!text) return undefined;
	const { events, counters } = parseExactly(text) as Saved;
	return { ...(JSON.parse(text) as Saved), events, counters };
}
