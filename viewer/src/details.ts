// details.ts - the panel under the lanes, which shows the counts, events, spans and flame graph of the selected time.
import type { Damage, Event, Events, Lane, Stat, States } from "./answers.ts";
import { ask, saved } from "./api.ts";
import { absolute, duration, offset } from "./clock.ts";
import { listed } from "./damage.ts";
import { button, find, make, pairs, table } from "./dom.ts";
import { fields } from "./fields.ts";
import { listQuery, showDurations, type DurationsAnswer } from "./durations.ts";
import { readFolded, showFlame, type FlameAnswer } from "./flame.ts";
import { showTime, zoomTo, type Host } from "./host.ts";
import { largestOf, leastOf } from "./lists.ts";
import { laneFilter, laneKey, laneLabel } from "./rows.ts";
import { sumStates } from "./states.ts";
import { Tabs } from "./tabs.ts";

/** Maximum number of events on a page of the list. */
const MAX_EVENTS = 200;

/** Maximum number of marked events for a page. It is larger than a page, because events of equal times can be on other pages. */
const MAX_MATCHES = 10000;

/** What the panel shows. */
interface Shown {
	from: number;
	to: number;
	lane?: number | undefined; // the events of this lane only
	title?: string | undefined;
	filter: string;
	marks: string; // the filter of the events that are marked
}

function timeOf(start: string, event: Event): number {
	return Number(BigInt(event.time.replace(".", "")) - BigInt(start));
}

function eventRow(start: string, event: Event): string[] {
	return [offset(timeOf(start, event)), event.event, event.tid === undefined ? event.tracefile : String(event.tid), fields(event.data)];
}

/** Identifies an event in a list. Events that are equal, with their time, file and fields, have the same key. */
function identity(event: Event): string {
	return `${event.time} ${event.tracefile} ${event.event} ${fields(event.data)}`;
}

function timeButton(ns: number, go: (ns: number) => void): HTMLButtonElement {
	return button(offset(ns), "Show this time in the middle", () => go(ns), "link");
}

function damageRow(damage: Damage, go: (ns: number) => void): HTMLTableRowElement {
	const cells = [timeButton(damage.from, go), "damage", damage.tracefile, `${damage.text}; events may be missing for ${duration(damage.length)}`];
	return make("tr", { class: "damage" }, ...cells.map((cell) => make("td", {}, cell)));
}

/** The events and the damage among them as a table, which marks some of the events, for screen readers too. @go: called for a click on a time */
function eventTable(start: string, events: Event[], marked: Set<string>, damage: Damage[], go: (ns: number) => void): HTMLTableElement {
	const list = table(["time", "event", "thread", "fields"], events.map((event) => eventRow(start, event)));
	const rows = [...list.rows].slice(1);
	events.forEach((event, i) => {
		const row = rows[i]!;
		row.cells[0]!.replaceChildren(timeButton(timeOf(start, event), go));
		if (!marked.has(identity(event))) return;
		row.className = "match";
		row.cells[1]!.prepend(make("span", { class: "mark", role: "img", "aria-label": "match" }, "●"), " ");
	});
	for (const one of damage) {
		const after = rows[events.findIndex((event) => timeOf(start, event) >= one.from)];
		list.insertBefore(damageRow(one, go), after ?? null);
	}
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

	get is_open(): boolean {
		return !this.panel.hidden;
	}

	private setOpen(is_open: boolean): void {
		this.panel.hidden = !is_open;
		find("open-details").setAttribute("aria-pressed", String(is_open));
	}

	/** Hides the panel, and keeps what the state says of it. */
	forget(): void {
		this.control?.abort();
		this.setOpen(false);
		this.shown = undefined;
	}

	hide(): void {
		this.forget();
		this.host.state.set("skip", "");
		this.host.state.set("tab", "");
	}

	/** Shows what happened in [from, to), in one lane and of one filter if they are given. @marks: the filter of events to mark */
	async show(from: number, to: number, lane?: number, title?: string, chosen = "", marks = ""): Promise<void> {
		const shown = { from: Math.floor(from), to: Math.ceil(to), lane, title, filter: chosen, marks };
		if (this.shown && JSON.stringify(shown) !== JSON.stringify(this.shown)) this.host.state.set("skip", "");
		this.shown = shown;
		if (this.host.state.get("tab") === "") this.host.state.set("tab", "overview");
		await this.load();
	}

	/** Shows the same time and lane with another filter and other marks. */
	refilter(filter: string, marks: string): void {
		if (!this.shown || (this.shown.filter === filter && this.shown.marks === marks)) return;
		this.shown = { ...this.shown, filter, marks };
		void this.load();
	}

	/** Offers to count only the events of this lane. */
	offer(lane: Lane | undefined): void {
		if (lane && laneFilter(lane, this.host.trace.hosts) !== "") this.fillScope(lane);
	}

	/** A filter cannot distinguish threads with equal numbers of several traces. */
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
		const parts = [shown.filter, lane ? laneFilter(lane, this.host.trace.hosts) : ""].filter((part) => part !== "");
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
		find("detail-note").textContent = shown.lane === undefined && this.host.state.get("shift") !== "" ? "Events are counted at their recorded times: a trace is moved." : "";
		const window = { from: shown.from, to: shown.to, ...(filter ? { filter } : {}) };
		const tab = this.tabs.show(this.host.state.get("tab"));
		try {
			const fill = tab === "spans" ? await this.getSpans(window, control.signal) : tab === "flame" ? await this.getFlame(window, control.signal) : await this.getOverview(shown, window, control.signal);
			if (control.signal.aborted) return;
			fill();
		} catch (error) {
			if (control.signal.aborted) return;
			this.fillWithout((error as Error).message, shown);
		}
		this.box.setAttribute("aria-busy", "false");
		this.setOpen(true);
	}

	/** Shows what is known of a time whose events are not. */
	private fillWithout(message: string, shown: Shown): void {
		const about = [["from", offset(shown.from)], ["length", duration(shown.to - shown.from)]];
		this.box.replaceChildren(make("div", { class: "about" }, make("h2", {}, shown.title ?? "selected time"), pairs(about)), make("p", { class: "hint" }, message));
	}

	private async getSpans(window: { from: number; to: number; filter?: string }, signal: AbortSignal): Promise<() => void> {
		const { state } = this.host;
		const chosen = state.get("name"); // of the histogram
		const answer = await ask<DurationsAnswer>("durations", { ...window, ...(chosen ? { name: chosen } : {}) }, signal);
		return () =>
			showDurations(this.box, answer, {
				choose: (name) => {
					state.set("name", name);
					void this.load();
				},
				go: (begin, length) => {
					zoomTo(state, begin, length + 1);
					this.host.showSelection();
				},
				list: window.filter
					? undefined
					: (name, from, to) => {
							state.set("sql", listQuery(name, from, to, this.host.trace, window));
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
		if (answer.saturated) box.append(make("p", { class: "hint" }, "The sum of the times is more than 292 years: larger ones are shown as that."));
		if (root.total > 0) showFlame(box, root, path, (to) => state.set("frame", to.join(";")));
		else box.append(make("p", { class: "hint" }, `${answer.spans > 0 ? "All spans that begin and end in the selected time have a length of 0 ns." : "No span begins and ends in the selected time."} Call stacks of samples are drawn by this command:`));
		box.append(make("code", {}, `ltt flame ${this.range(window)} TRACE -o flame.svg`));
		return () => this.box.replaceChildren(box);
	}

	private range(window: { from: number; to: number }): string {
		return `--from ${absolute(this.start, window.from)} --to ${absolute(this.start, window.to)}`;
	}

	private async getOverview(shown: Shown, window: Record<string, string | number>, signal: AbortSignal): Promise<() => void> {
		const lane: Record<string, number> = shown.lane === undefined ? {} : { lane: shown.lane };
		const [stat, events] = await Promise.all([ask<Stat>("stat", window, signal), ask<Events>("events", { ...window, skip: this.skipped(), limit: MAX_EVENTS, ...lane }, signal)]);
		const marked = await this.getMarked(shown, window, lane, events, signal);
		const states = await this.getStates(shown, signal);
		return () => this.fillOverview(shown, stat, events, marked, states);
	}

	private laneOf(shown: Shown): Lane | undefined {
		return this.host.lanes().find((lane) => lane.id === shown.lane);
	}

	/** The time in each state of the lane; what it waits for, if that takes a hundredth or more */
	private async getStates(shown: Shown, signal: AbortSignal): Promise<[string, number][]> {
		const lane = this.laneOf(shown);
		if (!lane?.states) return [];
		const { from, to } = shown;
		return sumStates(await ask<States>("states", { from, to, pixels: 200, lanes: lane.id }, signal), lane, from, to).slice(0, 6);
	}

	/** The time of the events of a page of the list. Where times fall, the first is not the earliest */
	private timesOf(events: Event[]): [number, number] {
		const times = events.map((event) => timeOf(this.start, event));
		return [leastOf(times), largestOf(times) + 1];
	}

	/** The damage among the events of a page of the list */
	private damageOf(shown: Shown, { events, more }: Events): Damage[] {
		const [begin, end] = this.timesOf(events);
		const from = this.skipped() > 0 && events.length > 0 ? begin : shown.from;
		const to = more && events.length > 0 ? end : shown.to;
		return listed(this.host.damage(), from, to, this.laneOf(shown));
	}

	/** Those of the listed events that the filter for marks selects */
	private async getMarked(shown: Shown, window: Record<string, string | number>, lane: Record<string, number>, { events }: Events, signal: AbortSignal): Promise<Set<string>> {
		if (shown.marks === "" || events.length === 0) return new Set();
		const filter = window["filter"] ? `(${window["filter"]}) && (${shown.marks})` : shown.marks;
		const [begin, end] = this.timesOf(events);
		const [from, to] = [Math.max(begin, shown.from), Math.min(end, shown.to)];
		const matches = await ask<Events>("events", { ...window, ...lane, from, to: Math.max(to, from + 1), filter, limit: MAX_MATCHES }, signal);
		return new Set(matches.events.map(identity));
	}

	/** The number of events before the page of the list */
	private skipped(): number {
		const skip = Number(this.host.state.get("skip") || 0);
		return Number.isSafeInteger(skip) && skip > 0 ? skip : 0;
	}

	private turnTo(skip: number): void {
		this.host.state.set("skip", skip > 0 ? String(skip) : "");
		void this.load();
	}

	/** The range of the events on the page, and buttons for other pages. @total: undefined if unknown */
	private pager({ events, more }: Events, total: number | undefined): HTMLElement {
		const skip = this.skipped();
		const last = skip + events.length;
		const of = total === undefined ? "" : ` of ${total.toLocaleString("en")}`;
		const words = skip === 0 && !more ? "events" : `events ${(events.length > 0 ? skip + 1 : skip).toLocaleString("en")} to ${last.toLocaleString("en")}${of}`;
		const act = (text: string, label: string, is_there: boolean, to: number) => {
			const made = button(text, label, () => this.turnTo(to));
			made.disabled = !is_there;
			return made;
		};
		const end = total === undefined ? 0 : Math.floor(Math.max(total - 1, 0) / MAX_EVENTS) * MAX_EVENTS;
		const buttons = [act("«", "First events", skip > 0, 0), act("‹", "Earlier events", skip > 0, skip - MAX_EVENTS), act("›", "Later events", more, last), ...(total === undefined ? [] : [act("»", "Last events", more, end)])];
		return make("div", { class: "pager" }, make("h2", {}, words), ...(skip === 0 && !more ? [] : buttons));
	}

	/** A button that lists what the thread of the lane did */
	private whyButton(shown: Shown): HTMLElement[] {
		const lane = this.laneOf(shown);
		if (saved || lane?.kind !== "thread") return [];
		return [button("why?", "What this thread did in this time", () => this.host.why(lane, shown.from, shown.to - 1))];
	}

	private fillOverview(shown: Shown, stat: Stat, events: Events, marked: Set<string>, states: [string, number][]): void {
		const length = shown.to - shown.from;
		const count = (n: number) => n.toLocaleString("en");
		const about = [
			["from", offset(shown.from)],
			["length", duration(shown.to - shown.from)],
			["events", count(stat.events)],
			...(stat.lost > 0 ? [["lost", `${stat.lost_at_most ? "up to " : ""}${count(stat.lost)}`]] : []),
			...states.map(([name, ns]) => [name, `${duration(ns)}, ${Math.round((100 * ns) / length) || "< 1"} %`]),
		];
		const list = eventTable(this.start, events.events, marked, this.damageOf(shown, events), (ns) => showTime(this.host.state, ns));
		this.box.replaceChildren(
			make("div", { class: "about" }, make("h2", {}, shown.title ?? "selected time"), pairs(about), ...this.whyButton(shown), make("code", {}, `ltt dump ${this.range(shown)} TRACE`)),
			make("div", { class: "counts" },
				make("div", {}, make("h2", {}, `event types (${stat.n_types})`), table(["type", "events"], stat.types.slice(0, 12).map((type) => [type.name, count(type.events)]))),
				make("div", {}, make("h2", {}, `threads (${stat.n_threads})`), table(["thread", "events"], stat.threads.slice(0, 12).map((thread) => [`${thread.name ?? ""} ${thread.tid}`, count(thread.events)])))),
			make("div", { class: "list" }, this.pager(events, shown.lane === undefined ? stat.events : undefined), list),
		);
	}
}
