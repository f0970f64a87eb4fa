// api.ts - what the server answers (doc/view.md). Times are nanoseconds after the start of the trace.
import { answerSaved, findSaved } from "./saved.ts";

export interface Bookmark {
	time: number;
	length: number;
	name: string;
	text: string;
}

export interface Trace {
	title: string;
	start: string; // nanoseconds since 1970, more digits than a number has
	length: number;
	empty: boolean;
	traces: { path: string; host: string }[];
	bookmarks: Bookmark[];
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
	kind: "cpu" | "thread" | "file" | "async";
	name?: string;
	process?: string;
	cpu?: number;
	pid?: number;
	tid?: number;
	depths: number;
	events: number;
	first: number;
	last: number;
}

export interface Lanes {
	complete: boolean;
	lanes: Lane[];
}

export interface Density {
	exact: boolean;
	counts: number[];
}

export interface Spans {
	exact: boolean;
	spans: number[]; // SPAN_NUMBERS for each: lane, begin, length, depth, name, outcome
	bins: number[]; // BIN_NUMBERS for each: lane, pixel, depth (-1: events), count, name, covered
	names: string[];
}

export const SPAN_NUMBERS = 6;
export const BIN_NUMBERS = 6;

export interface Stat {
	events: number;
	lost: number;
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
	data?: unknown;
}

export interface Events {
	events: Event[];
	more: boolean;
}

export const saved = findSaved();

async function request<T>(method: string, path: string, parameters: Record<string, string | number>, signal?: AbortSignal): Promise<T> {
	if (saved) return answerSaved(saved, path, parameters) as T;
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
	const response = await fetch(`api/${path}?${query}`, { method, ...(signal ? { signal } : {}) });
	if (!response.ok) throw new Error(await response.text());
	return (await response.json()) as T;
}

/** Asks the server. @throws Error with the server's words, or an AbortError */
export function ask<T>(path: string, parameters: Record<string, string | number> = {}, signal?: AbortSignal): Promise<T> {
	return request("GET", path, parameters, signal);
}

/** Changes something, and gets what it is now. @throws Error with the server's words */
export function send<T>(path: string, parameters: Record<string, string | number>): Promise<T> {
	return request("POST", path, parameters);
}
