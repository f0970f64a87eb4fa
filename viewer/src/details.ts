// details.ts - the panel under the lanes about the selected time: its counts and events, its spans, its flame graph.
import type { Event, Events, Lane, Stat } from "./answers.ts";
import { ask, saved } from "./api.ts";
import { absolute, duration, offset } from "./clock.ts";
import { find, make, table } from "./dom.ts";
import { listQuery, showDurations, type DurationsAnswer } from "./durations.ts";
import { readFolded, showFlame, type FlameAnswer } from "./flame.ts";
import { jump, type Host } from "./host.ts";
import { laneFilter, laneKey, laneLabel } from "./rows.ts";
import { Tabs } from "./tabs.ts";

const MAX_EVENTS = 200;

/** What the panel is about. */
interface Shown {
	from: number;
	to: number;
	lane?: number | undefined; // the events of this lane only
	title?: string | undefined;
	filter: string;
	marks: string; // the filter of the events that are marked
}

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

/** Tells an event of a list from others; equal events of one time and file are marked alike. */
function identity(event: Event): string {
	return `${event.time} ${event.tracefile} ${event.event}`;
}

/** The events as a table; those that are marked say so to screen readers, too. */
function eventTable(start: string, events: Event[], marked: Set<string>): HTMLTableElement {
	const list = table(["time", "event", "thread", "fields"], events.map((event) => eventRow(start, event)));
	events.forEach((event, i) => {
		if (!marked.has(identity(event))) return;
		list.rows[i + 1]!.className = "match";
		list.rows[i + 1]!.cells[1]!.prepend(make("span", { class: "mark", role: "img", "aria-label": "match" }, "●"), " ");
	});
	return list;
}

export class Details {
	private readonly panel = find("panel");
	private readonly box = find("details");
	private readonly scope = find<HTMLSelectElement>("detail-lane");
	private readonly start: string;
	private readonly tabs: Tabs;
	private control: AbortController | undefined;
	private shown: Shown | undefined;
	private chosen = ""; // the name whose histogram is shown

	constructor(private readonly host: Host) {
		this.start = host.trace.start;
		this.tabs = new Tabs(find("detail-tabs"), { overview: "Overview", spans: "Spans", flame: "Flame graph" }, (name) => {
			host.state.set("tab", name);
			void this.load();
		});
		this.scope.addEventListener("change", () => {
			host.state.set("of", this.scope.value);
			void this.load();
		});
	}

	hide(): void {
		this.control?.abort();
		this.panel.hidden = true;
		this.shown = undefined;
		this.host.state.set("tab", "");
	}

	/** Shows what happened in [from, to), in one lane and of one filter if they are given. @marks: the filter of events to mark */
	async show(from: number, to: number, lane?: number, title?: string, chosen = "", marks = ""): Promise<void> {
		this.shown = { from: Math.floor(from), to: Math.ceil(to), lane, title, filter: chosen, marks };
		if (this.host.state.get("tab") === "") this.host.state.set("tab", "overview");
		await this.load();
	}

	/** Shows the same of another filter, with other marks. */
	refilter(filter: string, marks: string): void {
		if (!this.shown || (this.shown.filter === filter && this.shown.marks === marks)) return;
		this.shown = { ...this.shown, filter, marks };
		void this.load();
	}

	/** Offers the lane under the pointer as what the numbers are of. */
	offer(lane: Lane | undefined): void {
		if (lane && laneFilter(lane) !== "") this.fillScope(lane);
	}

	/** Of several traces, threads with equal numbers cannot be told apart by a filter. */
	private fillScope(lane?: Lane): void {
		const { state, trace } = this.host;
		const of = state.get("of");
		const known = this.host.lanes().find((other) => laneKey(other) === of);
		const lanes = [...new Set([known, lane])].filter((one) => one !== undefined);
		this.scope.hidden = saved !== undefined || trace.traces.length > 1 || lanes.length === 0;
		this.scope.replaceChildren(make("option", { value: "" }, "of all lanes"), ...lanes.map((one) => make("option", { value: laneKey(one) }, `of ${laneLabel(one)}`)));
		this.scope.value = known ? of : "";
	}

	/** The filter of the page, and that of the lane chosen */
	private filter(shown: Shown): string {
		const lane = this.scope.hidden || this.scope.value === "" ? undefined : this.host.lanes().find((one) => laneKey(one) === this.scope.value);
		const parts = [shown.filter, lane ? laneFilter(lane) : ""].filter((part) => part !== "");
		return parts.length > 1 ? parts.map((part) => `(${part})`).join(" && ") : (parts[0] ?? "");
	}

	private async load(): Promise<void> {
		const { shown } = this;
		if (!shown) return;
		this.control?.abort();
		const control = (this.control = new AbortController());
		this.box.setAttribute("aria-busy", "true");
		if (this.scope.options.length === 0 || this.host.state.get("of") !== this.scope.value) this.fillScope();
		const filter = this.filter(shown);
		const window = { from: shown.from, to: shown.to, ...(filter ? { filter } : {}) };
		const tab = this.tabs.show(this.host.state.get("tab"));
		try {
			const fill = tab === "spans" ? await this.getSpans(window, control.signal) : tab === "flame" ? await this.getFlame(window, control.signal) : await this.getOverview(shown, window, control.signal);
			if (control.signal.aborted) return;
			fill();
		} catch (error) {
			if (control.signal.aborted) return;
			this.box.replaceChildren(String((error as Error).message));
		}
		this.box.setAttribute("aria-busy", "false");
		this.panel.hidden = false;
	}

	private async getSpans(window: { from: number; to: number; filter?: string }, signal: AbortSignal): Promise<() => void> {
		const answer = await ask<DurationsAnswer>("durations", { ...window, ...(this.chosen ? { name: this.chosen } : {}) }, signal);
		const { state } = this.host;
		return () =>
			showDurations(this.box, answer, {
				choose: (name) => {
					this.chosen = name;
					void this.load();
				},
				go: (begin, length) => {
					jump(state, begin, length + 1);
					this.host.showSelection();
				},
				list: window.filter
					? undefined
					: (name, from, to) => {
							state.set("sql", listQuery(name, from, to, this.start, window));
							state.set("panel", "sql");
						},
			});
	}

	private async getFlame(window: { from: number; to: number; filter?: string }, signal: AbortSignal): Promise<() => void> {
		const answer = await ask<FlameAnswer>("flame", window, signal);
		const { state } = this.host;
		const root = readFolded(answer.folded);
		const path = state.get("frame").split(";").filter((name) => name !== "");
		const box = make("div", { class: "wide" });
		if (root.total > 0) showFlame(box, root, path, (to) => state.set("frame", to.join(";")));
		else box.append(make("p", { class: "hint" }, "No span begins and ends in the selected time. Call stacks of samples are drawn by this command:"));
		box.append(make("code", {}, `ltt flame ${this.range(window)} TRACE -o flame.svg`));
		return () => this.box.replaceChildren(box);
	}

	private range(window: { from: number; to: number }): string {
		return `--from ${absolute(this.start, window.from)} --to ${absolute(this.start, window.to)}`;
	}

	private async getOverview(shown: Shown, window: Record<string, string | number>, signal: AbortSignal): Promise<() => void> {
		const lane: Record<string, number> = shown.lane === undefined ? {} : { lane: shown.lane };
		const [stat, events] = await Promise.all([ask<Stat>("stat", window, signal), ask<Events>("events", { ...window, limit: MAX_EVENTS, ...lane }, signal)]);
		const marked = await this.getMarked(shown, window, lane, events, signal);
		return () => this.fillOverview(shown, stat, events, marked);
	}

	/** Which of the listed events the marks select */
	private async getMarked(shown: Shown, window: Record<string, string | number>, lane: Record<string, number>, { events }: Events, signal: AbortSignal): Promise<Set<string>> {
		const last = events[events.length - 1];
		if (shown.marks === "" || !last) return new Set();
		const filter = window["filter"] ? `(${window["filter"]}) && (${shown.marks})` : shown.marks;
		const to = Math.min(Number(BigInt(last.time.replace(".", "")) - BigInt(this.start)) + 1, shown.to);
		const matches = await ask<Events>("events", { ...window, ...lane, to: Math.max(to, shown.from + 1), filter, limit: MAX_EVENTS }, signal);
		return new Set(matches.events.map(identity));
	}

	private fillOverview(shown: Shown, stat: Stat, events: Events, marked: Set<string>): void {
		const count = (n: number) => n.toLocaleString("en");
		const about = [
			["from", offset(shown.from)],
			["length", duration(shown.to - shown.from)],
			["events", count(stat.events)],
			...(stat.lost > 0 ? [["lost", count(stat.lost)]] : []),
		];
		this.box.replaceChildren(
			make("div", {}, make("h2", {}, shown.title ?? "selected time"), table(["", ""], about), make("code", {}, `ltt dump ${this.range(shown)} TRACE`)),
			make("div", {}, make("h2", {}, `event types (${stat.n_types})`), table(["type", "events"], stat.types.slice(0, 12).map((type) => [type.name, count(type.events)]))),
			make("div", {}, make("h2", {}, `threads (${stat.n_threads})`), table(["thread", "events"], stat.threads.slice(0, 12).map((thread) => [`${thread.name ?? ""} ${thread.tid}`, count(thread.events)]))),
			make("div", {}, make("h2", {}, events.more ? `first ${MAX_EVENTS} events` : "events"), eventTable(this.start, events.events, marked)),
		);
	}
}
