// saved.ts - a page in a file: the answers that `ltt view --html` put into it, instead of a server.
import { BIN_NUMBERS, SPAN_NUMBERS } from "./answers.ts";
import type { Event, Events, Lane, Lanes, Spans, Stat } from "./answers.ts";

/** Answers of the server, by the names of their paths. */
export interface Saved {
	window: { from: number; to: number; pixels: number };
	spans: Spans;
	events: Events;
	stat: Stat;
	trace: { start: string };
	lanes: Lanes;
	[path: string]: unknown;
}

type Parameters = Record<string, string | number>;

/** The part of a window, for other lanes and with other pixels. */
export function cutSpans(saved: Saved, from: number, to: number, pixels: number, lanes: Set<number>): Spans {
	const cut: Spans = { exact: saved.spans.exact, spans: [], bins: [], names: saved.spans.names };
	const { spans, bins } = saved.spans;
	for (let i = 0; i < spans.length; i += SPAN_NUMBERS) {
		const begin = spans[i + 1]!;
		if (lanes.has(spans[i]!) && begin < to && begin + spans[i + 2]! >= from) cut.spans.push(...spans.slice(i, i + SPAN_NUMBERS));
	}
	const own = (saved.window.to - saved.window.from) / saved.window.pixels;
	const each = (to - from) / pixels;
	const last = new Map<string, number>(); // the bin of a lane and a depth that was added last
	for (let i = 0; i < bins.length; i += BIN_NUMBERS) {
		const [lane, pixel, depth, n, name, covered] = bins.slice(i, i + BIN_NUMBERS) as [number, number, number, number, number, number];
		const begin = saved.window.from + pixel * own;
		if (!lanes.has(lane) || begin >= to || begin + own <= from) continue;
		const first = Math.floor((begin - from) / each + 1e-6);
		const n_pixels = Math.max(Math.floor((begin + own - from) / each + 1e-6) - first, 1);
		const key = `${lane} ${depth}`;
		for (let at = Math.max(first, 0); at < Math.min(first + n_pixels, pixels); at++) {
			const place = last.get(key);
			if (place !== undefined && cut.bins[place + 1] === at) {
				cut.bins[place + 3]! += n;
				cut.bins[place + 5]! += covered / n_pixels;
			} else {
				last.set(key, cut.bins.length);
				cut.bins.push(lane, at, depth, n, name, covered / n_pixels);
			}
		}
	}
	return cut;
}

function isOf(lane: Lane | undefined, event: Event): boolean {
	if (!lane) return true;
	if (lane.kind === "thread") return event.pid === lane.pid && event.tid === lane.tid;
	return lane.kind === "cpu" ? event.tracefile.split(/[/~]/)[1] === String(lane.cpu) : event.tracefile === lane.name;
}

function cutEvents(saved: Saved, from: number, to: number, lane?: number, limit = Infinity): Events {
	const start = BigInt(saved.trace.start);
	const known = saved.lanes.lanes.find((each) => each.id === lane);
	const events = saved.events.events.filter((event) => {
		const ns = Number(BigInt(event.time.replace(".", "")) - start);
		return ns >= from && ns < to && isOf(known, event);
	});
	return { events: events.slice(0, limit), more: events.length > limit };
}

function count(saved: Saved, from: number, to: number): Stat {
	if (from <= saved.window.from && to >= saved.window.to) return saved.stat;
	const { events } = cutEvents(saved, from, to);
	const types = new Map<string, number>();
	const threads = new Map<string, Stat["threads"][number]>();
	for (const event of events) {
		types.set(event.event, (types.get(event.event) ?? 0) + 1);
		if (event.tid === undefined) continue;
		const key = `${event.pid} ${event.tid}`;
		const thread = threads.get(key) ?? { pid: event.pid ?? 0, tid: event.tid, events: 0 };
		thread.events++;
		threads.set(key, thread);
	}
	return {
		events: events.length,
		lost: 0,
		n_types: types.size,
		n_threads: threads.size,
		types: [...types].map(([name, n]) => ({ name, events: n })).sort((a, b) => b.events - a.events),
		threads: [...threads.values()].sort((a, b) => b.events - a.events),
	};
}

/** What the server would answer. @throws Error if the file does not have it */
export function answerSaved(saved: Saved, path: string, parameters: Parameters): unknown {
	const number = (name: string, otherwise: number) => Number(parameters[name] ?? otherwise);
	const [from, to] = [number("from", saved.window.from), number("to", saved.window.to)];
	if (!parameters["filter"]) {
		if (path === "spans") return cutSpans(saved, from, to, number("pixels", 1000), new Set(String(parameters["lanes"]).split(",").map(Number)));
		if (path === "bookmarks") return { ...(saved["bookmarks"] as object), obstacles: [] };
		if (path === "events" || path === "stat") {
			if (saved.events.more && (path === "events" || from > saved.window.from || to < saved.window.to)) throw new Error("This file has no single events: its window has too many. `ltt view` shows those of the trace.");
			return path === "stat" ? count(saved, from, to) : cutEvents(saved, from, to, parameters["lane"] === undefined ? undefined : Number(parameters["lane"]), number("limit", 100));
		}
		if (saved[path] !== undefined) return saved[path];
	}
	throw new Error("This file is a picture of a window: `ltt view` answers that for the trace.");
}

/** The answers in this page; undefined: it has a server. */
export function findSaved(): Saved | undefined {
	const text = typeof document === "undefined" ? undefined : document.getElementById("saved")?.textContent; // unit tests have no document
	return text ? (JSON.parse(text) as Saved) : undefined;
}
