// details.ts - the panel under the lanes: counts of the selected time, and its events.
import type { Event, Events, Stat } from "./answers.ts";
import { ask } from "./api.ts";
import { absolute, duration, offset } from "./clock.ts";
import { make, table } from "./dom.ts";

const MAX_EVENTS = 200;

function fields(data: unknown): string {
	if (typeof data !== "object" || data === null) return data === undefined ? "" : JSON.stringify(data);
	return Object.entries(data)
		.map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
		.join(" ");
}

function eventRow(start: string, event: Event): string[] {
	const ns = Number(BigInt(event.time.replace(".", "")) - BigInt(start));
	return [offset(ns), event.event, event.tid === undefined ? event.tracefile : String(event.tid), fields(event.data)];
}

export class Details {
	private control: AbortController | undefined;

	constructor(private readonly panel: HTMLElement, private readonly box: HTMLElement, private readonly start: string) {}

	hide(): void {
		this.control?.abort();
		this.panel.hidden = true;
	}

	/** Shows what happened in [from, to), in one lane and of one filter if they are given. */
	async show(from: number, to: number, lane?: number, title?: string, chosen = ""): Promise<void> {
		this.control?.abort();
		const control = (this.control = new AbortController());
		this.box.setAttribute("aria-busy", "true");
		const window = { from: Math.floor(from), to: Math.ceil(to) };
		const filter: Record<string, string> = chosen ? { filter: chosen } : {};
		try {
			const [stat, events] = await Promise.all([
				ask<Stat>("stat", { ...window, ...filter }, control.signal),
				ask<Events>("events", { ...window, ...filter, limit: MAX_EVENTS, ...(lane === undefined ? {} : { lane }) }, control.signal),
			]);
			this.fill(from, to, stat, events, title);
		} catch (error) {
			if (!control.signal.aborted) this.box.replaceChildren(String((error as Error).message));
		}
		if (control.signal.aborted) return;
		this.box.setAttribute("aria-busy", "false");
		this.panel.hidden = false;
	}

	private fill(from: number, to: number, stat: Stat, events: Events, title?: string): void {
		const count = (n: number) => n.toLocaleString("en");
		const command = `ltt dump --from ${absolute(this.start, from)} --to ${absolute(this.start, to)} TRACE`;
		this.box.replaceChildren(
			make(
				"div",
				{},
				make("h2", {}, title ?? "selected time"),
				table(
					["", ""],
					[
						["from", offset(from)],
						["length", duration(to - from)],
						["events", count(stat.events)],
						...(stat.lost > 0 ? [["lost", count(stat.lost)]] : []),
					],
				),
				make("code", {}, command),
			),
			make("div", {}, make("h2", {}, `event types (${stat.n_types})`), table(["type", "events"], stat.types.slice(0, 12).map((type) => [type.name, count(type.events)]))),
			make("div", {}, make("h2", {}, `threads (${stat.n_threads})`), table(["thread", "events"], stat.threads.slice(0, 12).map((thread) => [`${thread.name ?? ""} ${thread.tid}`, count(thread.events)]))),
			make("div", {}, make("h2", {}, events.more ? `first ${MAX_EVENTS} events` : "events"), table(["time", "event", "thread", "fields"], events.events.map((event) => eventRow(this.start, event)))),
		);
	}
}
