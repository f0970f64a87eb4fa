// answers.ts - the types of the server's answers (doc/view.md). Times are nanoseconds after the start of the trace.
import type { Exact } from "./exact.ts";

export interface Bookmark {
	time: number;
	length: number;
	name: string;
	text: string;
}

export interface Trace {
	title: string;
	start: string; // nanoseconds since 1970; a number has too few digits for them
	length: number;
	empty: boolean;
	map: number; // number of the version of a growing trace that the answers describe
	running: boolean; // a recording that is running
	traces: { path: string; host: string }[];
	hosts: string[]; // by Lane.host
	bookmarks: Bookmark[];
}

/** The latest version of a trace that is being recorded. */
export interface Moment {
	map: number;
	length: number;
	running: boolean;
}

export interface Progress {
	stage: "counting" | "drawing" | "ready" | "failed";
	done: number;
	total: number;
	lanes: number;
	events: number;
	lost: number;
	n_problems: number;
	problems: string[];
	failure?: string;
}

export interface Lane {
	id: number;
	trace: number;
	host?: number; // if the trace was merged from those of several machines
	kind: "cpu" | "thread" | "file" | "async" | "counter" | "others";
	name?: string;
	process?: string;
	cpu?: number;
	pid?: number;
	tid?: number;
	depths: number;
	events: number;
	first: number;
	last: number;
	states?: boolean; // whether the states of this thread or CPU are known
}

export interface Lanes {
	complete: boolean;
	omitted: number; // lanes that are in the one of kind "others"
	lanes: Lane[];
}

/** A stretch of the time in which a tracefile is damaged */
export interface Damage {
	tracefile: string;
	lane?: number;
	from: number;
	length: number;
	text: string;
}

export interface DamageAnswer {
	damage: Damage[];
}

export interface Density {
	counted: boolean; // false: estimated from the blocks
	within: number; // an event outside of its bin is at most so many ns from it
	counts: number[];
}

export interface Spans {
	exact: boolean;
	limited: boolean; // a limit of the events to read made it less exact
	spans: number[]; // SPAN_NUMBERS for each: lane, begin, length, depth, name, outcome
	bins: number[]; // BIN_NUMBERS for each: lane, pixel, depth (-1: events), count, name, covered
	names: string[];
}

export const SPAN_NUMBERS = 6;
export const BIN_NUMBERS = 6;

export interface States {
	exact: boolean;
	limited: boolean; // a limit of the events to read made it less exact
	stretches: number[]; // STRETCH_NUMBERS for each: lane, begin, length, state, reason, waker, place
	bins: number[]; // STATE_BIN_NUMBERS for each: lane, pixel, state, covered
	texts: string[];
}

export const STRETCH_NUMBERS = 7;
export const STATE_BIN_NUMBERS = 4;

/** A value that is not a number is null. */
export interface Counters {
	exact: boolean;
	before: (Exact | null)[]; // BEFORE_NUMBERS for each: lane, value
	bins: (Exact | null)[]; // COUNTER_NUMBERS for each: lane, pixel, count, least, most, last
}

export const BEFORE_NUMBERS = 2;
export const COUNTER_NUMBERS = 6;

export interface Wakeups {
	wakeups: number[]; // WAKEUP_NUMBERS for each: lane of the waker, time, lane of the woken thread, end of its runnable time, whether it runs then
	exact: boolean;
	more: boolean;
}

export const WAKEUP_NUMBERS = 5;

export interface Stat {
	events: number;
	lost: number;
	lost_at_most?: true; // of a part of a saved window: `lost` is that of the whole window
	n_types: number;
	n_threads: number;
	types: { name: string; events: number }[];
	threads: { pid: number; tid: number; events: number; name?: string }[];
}

export interface Event {
	time: string;
	tracefile: string;
	event: string;
	pid?: number;
	tid?: number;
	data?: unknown; // its numbers may be Digits (exact.ts)
	symbols?: Record<string, string | null | (string | null)[]>; // of addresses in code, by field
}

/** Where an event belongs, which its numbers do not say if there are several traces or machines */
export interface Place {
	host: number; // index in Trace.hosts
	lanes: number[]; // that show it; the last one is of its thread
}

export interface Events {
	events: Event[];
	more: boolean;
	places?: Place[]; // of each event, if requested
}
