// fields.ts - the fields of the event under the pointer, or of the events that begin and end the span there. They are
// requested when the pointer rests, and shown in the tooltip below the text that is known without them.
import type { Event, Events } from "./answers.ts";
import { ask } from "./api.ts";
import { Digits, toJson } from "./exact.ts";
import type { Found } from "./hit.ts";
import { escapeControls } from "./text.ts";

/** Milliseconds that the pointer must rest before a request. */
const REST_MS = 80;

/** Maximum number of events that are requested for one time; more events with the same time are rare. */
const MAX_EVENTS = 3;

const MAX_LENGTH = 300;

/** A value in JSON; a word has no quotes. A text cannot look like further fields. */
function valueText(value: unknown): string {
	const text = escapeControls(toJson(value));
	return typeof value === "string" && text === `"${value}"` && /^[^\s=]+$/.test(value) ? value : text;
}

export function fields(data: unknown): string {
	if (data === undefined) return "";
	if (typeof data !== "object" || data === null || data instanceof Digits || Array.isArray(data)) return escapeControls(toJson(data));
	return Object.entries(data)
		.map(([name, value]) => `${name}=${valueText(value)}`)
		.join(" ");
}

const MAX_FRAMES = 12;

/** Lines for the names of functions at the addresses of an event; the frames of a call chain have a line each. */
function functions(event: Event): string[] {
	return Object.entries(event.symbols ?? {}).flatMap(([name, value]) => {
		if (!Array.isArray(value)) return value === null ? [] : [`${name} is in ${escapeControls(value)}`];
		const known = value.some((frame) => frame !== null);
		return known ? [`${name}:`, ...value.slice(0, MAX_FRAMES).map((frame) => `    ${escapeControls(frame ?? "[unknown]")}`)] : [];
	});
}

/** Lines for a tooltip: the name of each event, its fields, and the functions at its addresses */
export function describe(events: Event[]): string {
	return events
		.map((event) => {
			const text = fields(event.data);
			const line = `${event.event}${text ? `  ${text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text}` : ""}`;
			return [line, ...functions(event)].join("\n");
		})
		.join("\n");
}

/** Those of the events that begin or end spans of this name, or all of them if none does */
export function choose(events: Event[], name: string): Event[] {
	const words = name.split(/[._]/);
	const own = events.filter((event) => words.every((word) => event.event.split(/[._]/).includes(word)));
	return (own.length > 0 ? own : events).slice(0, MAX_EVENTS);
}

/** Where the events under the pointer are: in ns, without the shift of the lane */
export interface Look {
	from: number;
	to: number;
}

export class Fields {
	private control: AbortController | undefined;
	private timer = 0;
	private key = "";
	private text = "";

	/** @onText: called when the fields are known */
	constructor(private readonly onText: () => void) {}

	/** The fields, or an empty text until they are known. @shift: of the lane, in ns */
	of(found: Found | undefined, shift: number): string {
		const key = found?.looks ? JSON.stringify([found.row.lane!.id, found.name, found.looks]) : "";
		if (key === this.key) return this.text;
		this.control?.abort();
		clearTimeout(this.timer);
		this.key = key;
		this.text = "";
		if (found && key !== "") this.timer = window.setTimeout(() => void this.get(found, shift), REST_MS);
		return "";
	}

	private async get(found: Found, shift: number): Promise<void> {
		const control = (this.control = new AbortController());
		const lane = found.row.lane!;
		const of = lane.kind === "async" ? {} : { lane: lane.id };
		const look = async ({ from, to }: Look) => choose((await ask<Events>("events", { from: Math.floor(from - shift), to: Math.ceil(to - shift), limit: 20, symbols: 1, ...of }, control.signal)).events, found.name);
		try {
			const events = await Promise.all(found.looks!.map(look));
			if (control.signal.aborted) return;
			this.text = describe(events.flat());
			this.onText();
		} catch {
			// The tooltip then shows no fields.
		}
	}
}
