// sql.ts - the SQL panel: query, history, result as a table or plot.
import type { Lane, Stat, Trace } from "./answers.ts";
import { ask } from "./api.ts";
import { absolute, duration, offset } from "./clock.ts";
import { shown } from "./compare.ts";
import { button, find, make } from "./dom.ts";
import { jump, zoomTo, type Host } from "./host.ts";
import { showMistake } from "./place.ts";
import { laneKey } from "./rows.ts";
import { escapeControls } from "./text.ts";
import { kindsOf, plot, type Kind } from "./plot.ts";
import { compare, describeProblems, show, timeColumn, toCsv, toInteger, toNumber, type Result, type Value } from "./values.ts";
import { areApart, describeWhy, isAmbiguous, isWhy, lanesOf, originColumns, threadOf, whyQuery, type Thread } from "./why.ts";

const ROWS = 1000;
const MORE_ROWS = 20000;
const MAX_HISTORY = 30;
const HISTORY = "ltt-sql-history";

/** The longest spans; those of system calls come last. */
export function slowestQuery(trace: Trace): string {
	return `SELECT ${originColumns(trace)}time, dur, name, tid, args\nFROM spans\nORDER BY name GLOB 'syscalls.*' OR name GLOB 'irq*' OR name GLOB 'core.*', dur DESC\nLIMIT 50`;
}

const EXAMPLES: [string, string][] = [
	["time by span", "SELECT name, count(*) AS n, sum(dur) AS total, median(dur) AS p50, percentile(dur, 99) AS p99, max(dur) AS max\nFROM spans GROUP BY name ORDER BY total DESC"],
	["events by type", "SELECT type, count(*) AS n FROM events GROUP BY type ORDER BY n DESC"],
	["events over time", "SELECT bucket(time, 1000000) AS time, count(*) AS n FROM events GROUP BY 1"],
	["threads", "SELECT * FROM threads"],
];

function readHistory(): string[] {
	try {
		const list: unknown = JSON.parse(localStorage.getItem(HISTORY) ?? "[]");
		return Array.isArray(list) ? list.filter((text): text is string => typeof text === "string") : [];
	} catch {
		return [];
	}
}

export class SqlPanel {
	private readonly text = find<HTMLTextAreaElement>("sql-text");
	private readonly choice = find<HTMLSelectElement>("sql-choice");
	private readonly run = find<HTMLButtonElement>("sql-run");
	private readonly status = find("sql-status");
	private readonly output = find("sql-output");
	private readonly mistake = find("sql-mistake");
	private control: AbortController | undefined;
	private result: Result | undefined;
	private drawn: { result: Result; kind: Kind | undefined; sort: string } | undefined; // in the output
	private asked = "";
	private before = ""; // the query that `why?` replaced

	constructor(private readonly host: Host) {
		this.fillChoice();
		this.text.value = host.state.get("sql") || slowestQuery(host.trace);
		this.text.addEventListener("keydown", (event) => {
			if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.start();
			if (event.key === "Escape") this.stop();
		});
		this.run.addEventListener("click", () => (this.control ? this.stop() : this.start()));
		this.choice.addEventListener("change", () => {
			if (this.choice.value) this.text.value = this.choice.value;
			this.choice.value = "";
			this.start();
		});
		find("sql-close").addEventListener("click", () => {
			this.stop();
			host.state.set("panel", "");
		});
		find("sql-tables").addEventListener("toggle", () => void this.showTables(), { once: true });
		new ResizeObserver(() => this.drawPlot()).observe(this.output);
		host.state.onChange(() => this.follow());
		this.follow();
	}

	/** Runs the query of the URL when the panel opens, and cancels it when the panel closes. */
	private follow(): void {
		const { state } = this.host;
		if (state.get("panel") !== "sql") return this.stop();
		const query = state.get("sql");
		if (query && query !== this.asked) {
			this.text.value = query;
			this.start();
		} else if (this.asked === "") this.status.textContent = "Run (Ctrl Enter) lists the longest spans; write another query, or choose an example.";
	}

	private fillChoice(): void {
		const option = (label: string, value: string) => make("option", { value }, label);
		const group = (label: string, options: HTMLOptionElement[]) => make("optgroup", { label }, ...options);
		const history = readHistory();
		this.choice.replaceChildren(
			option("examples and history", ""),
			group("examples", [["slowest spans", slowestQuery(this.host.trace)] as const, ...EXAMPLES].map(([label, query]) => option(label, query))),
			...(history.length > 0 ? [group("history", history.map((query) => option(query.replace(/\s+/g, " ").slice(0, 90), query)))] : []),
		);
	}

	private remember(query: string): void {
		const list = [query, ...readHistory().filter((other) => other !== query)].slice(0, MAX_HISTORY);
		try {
			localStorage.setItem(HISTORY, JSON.stringify(list));
		} catch {
			// The history is a convenience: without storage there is none.
		}
		this.fillChoice();
	}

	private async showTables(): Promise<void> {
		const { tables } = await ask<{ tables: { name: string; schema: string }[] }>("tables");
		find("sql-tables").append(...tables.map((table) => make("details", {}, make("summary", {}, table.name), make("pre", {}, table.schema))));
	}

	stop(): void {
		this.control?.abort();
		this.control = undefined;
		this.run.textContent = "Run";
		if (this.status.textContent === "running…") this.status.textContent = "cancelled";
	}

	private async start(limit = ROWS): Promise<void> {
		const query = this.text.value.trim();
		if (query === "") return;
		this.stop();
		const control = (this.control = new AbortController());
		this.asked = query;
		if (this.host.state.get("sql") !== query) this.host.state.set("sort", "");
		this.host.state.set("sql", query);
		this.mistake.hidden = true;
		this.status.textContent = "running…";
		this.run.textContent = "Cancel";
		const begin = performance.now();
		try {
			const result = await ask<Result>("sql", { query, limit }, control.signal);
			this.result = result;
			this.remember(query);
			this.fill((performance.now() - begin) * 1e6);
		} catch (error) {
			if (control.signal.aborted) return;
			this.status.textContent = "";
			this.result = this.drawn = undefined; // those of another query
			this.output.replaceChildren();
			showMistake(this.mistake, (error as Error).message, query);
		}
		if (this.control === control) this.control = undefined;
		this.run.textContent = "Run";
	}

	private fill(ns: number): void {
		const result = this.result!;
		const rows = result.rows.length.toLocaleString("en");
		const words = [result.columns.length === 0 ? "done" : result.more ? `first ${rows} rows` : result.rows.length === 1 ? "1 row" : `${rows} rows`, duration(ns)];
		if (result.cut > 0) words.push(`${result.cut.toLocaleString("en")} long values are cut`);
		this.status.replaceChildren(words.join(", "));
		if (result.problem) this.status.append(" ", make("span", { class: "bad", title: result.problem }, describeProblems(result)));
		if (result.more && result.rows.length < MORE_ROWS) this.status.append(" ", button(`show up to ${MORE_ROWS.toLocaleString("en")}`, "Run the query again for more rows", () => void this.start(MORE_ROWS)));
		const kinds = kindsOf(result);
		const views = ["table", ...kinds].map((name) => button(name, `Show as ${name}`, () => this.host.state.set("as", name === "table" ? "" : name), "view"));
		if (result.rows.length > 0) this.status.append(" ", ...(kinds.length > 0 ? views : []), button("copy CSV", "Copy the result as CSV", () => void this.copy()));
		const is_why = isWhy(this.asked);
		if (is_why) this.status.prepend(make("strong", {}, describeWhy(result)), " ");
		if (is_why && result.rows.length === 0) this.status.append(". No spans inside. `ltt record --kernel=sched,syscalls` records what threads wait for.");
		if (is_why && this.before) this.status.append(" ", button("◂ back", "Back to the previous query", () => {
			this.text.value = this.before;
			void this.start();
		}));
		if (!is_why && result.rows.length === 0 && /\bspans\b/i.test(this.asked)) this.status.append(". No spans: the event types do not say which event ends which. ", button("Pair two events", "A query with pairs()", () => void this.pair()));
		this.showResult();
	}

	/** Proposes a query for a trace without spans: the two most frequent types, paired by thread. */
	private async pair(): Promise<void> {
		const { types } = await ask<Stat>("stat");
		const quote = (name: string | undefined) => `'${(name ?? "").replaceAll("'", "''")}'`;
		const [begin, end] = types.map((type) => type.name).slice(0, 2).sort((a, b) => Number(/end|done|exit|response|stop/.test(a)) - Number(/end|done|exit|response|stop/.test(b)));
		this.text.value = `-- the time from each event to the next one of the other type, in the same thread\nSELECT * FROM pairs(${quote(begin)}, ${quote(end)}, 'thread') ORDER BY dur DESC LIMIT 50`;
		void this.start();
	}

	private async copy(): Promise<void> {
		await navigator.clipboard.writeText(toCsv(this.result!));
		this.host.state.say("The result is on the clipboard.");
	}

	private kind(): Kind | undefined {
		return this.result && kindsOf(this.result).find((kind) => kind === this.host.state.get("as"));
	}

	/** Also called when the state changes, because the kind of the plot is in the URL. */
	showResult(): void {
		const { result, drawn } = this;
		const [kind, sort] = [this.kind(), this.host.state.get("sort")];
		if (!result || (drawn?.result === result && drawn.kind === kind && drawn.sort === sort)) return;
		this.drawn = { result, kind, sort };
		for (const view of this.status.querySelectorAll(".view")) view.setAttribute("aria-pressed", String(view.textContent === (kind ?? "table")));
		if (kind === undefined) return this.output.replaceChildren(this.table(result));
		this.output.replaceChildren(make("canvas", { class: "plot", role: "img", "aria-label": `The result as ${kind}; the table has the numbers` }), make("p", { class: "caption" }));
		this.drawPlot();
	}

	private time(): number | undefined {
		const { trace } = this.host;
		return this.result && timeColumn(this.result, trace.start, trace.length);
	}

	private drawPlot(): void {
		const canvas = this.output.querySelector("canvas");
		const kind = this.kind();
		if (canvas && kind) plot(canvas, this.output.querySelector<HTMLElement>(".caption")!, this.result!, kind, this.host.trace.start, this.time(), (row) => this.goTo(row));
	}

	/** Whether each row belongs to a thread, so that `why?` can show what the thread did */
	private columns(): { dur: number; time: number } | undefined {
		const { columns } = this.result!;
		const [dur, tid, time] = [columns.indexOf("dur"), columns.indexOf("tid"), this.time() ?? -1];
		return dur < 0 || tid < 0 || time < 0 || /FROM (thread_state|sched)/i.test(this.asked) ? undefined : { dur, time };
	}

	/** The thread of a row, as far as its columns say */
	private thread(row: number): Thread | undefined {
		const { columns, rows } = this.result!;
		const value = (name: string) => rows[row]![columns.indexOf(name)] ?? null;
		const text = (name: string) => [value(name)].find((one) => typeof one === "string");
		const tid = toInteger(value("tid"));
		return tid === undefined ? undefined : { tid, pid: toInteger(value("pid")), trace: text("trace"), host: text("host") };
	}

	/** The lanes of the threads that a row can mean */
	private lanes(row: number, ns: number): Lane[] {
		const thread = this.thread(row);
		return thread ? lanesOf(this.host.trace, this.host.lanes(), thread, ns) : [];
	}

	/** Shows what the thread of a row did in its time. */
	private async why(row: number): Promise<void> {
		const { dur, time } = this.columns()!;
		const { state, trace } = this.host;
		const cells = this.result!.rows[row]!;
		this.goTo(row);
		const from = Number(toInteger(cells[time]!)! - BigInt(trace.start));
		const thread = this.thread(row);
		if (thread === undefined) return state.say("The thread of this row is unknown.");
		const lanes = this.lanes(row, from);
		if (areApart(lanes)) return state.say("Several traces or machines have this thread. The columns trace and host distinguish them: add them to the query.");
		const known = lanes[0] ? { ...threadOf(trace, lanes[0]), pid: thread.pid } : thread;
		await this.explain(known, from, from + (toNumber(cells[dur]!) ?? 0));
	}

	/** Lists what the thread of a lane did. */
	async explainLane(lane: Lane, from: number, to: number): Promise<void> {
		const { state, trace } = this.host;
		if (isAmbiguous(trace, this.host.lanes(), lane)) state.say(`Two machines or traces have the same name: the result is of all their threads ${lane.tid}.`);
		await this.explain(threadOf(trace, lane), from, to);
	}

	/** Lists what a thread did in a time: its states, or its spans if the trace has no states. @from, @to: after the start of the trace */
	private async explain(thread: Thread, from: number, to: number): Promise<void> {
		const { state, trace } = this.host;
		const { tables } = await ask<{ tables: { name: string }[] }>("tables");
		const at = (ns: number) => BigInt(trace.start) + BigInt(Math.round(Math.min(Math.max(ns, 0), trace.length))); // of any dur
		if (!isWhy(this.asked)) this.before = this.asked;
		state.set("sql", whyQuery(tables.some((table) => table.name === "thread_state"), thread, at(from), at(to)));
		state.set("panel", "sql");
	}

	/** Selects the time of a row, and shows its thread. A row with a length fills most of the window. */
	private goTo(row: number): void {
		const { state, trace } = this.host;
		const time = this.time();
		const { columns, rows } = this.result!;
		if (time === undefined) return;
		const cells = rows[row]!;
		const ns = Number(toInteger(cells[time]!)! - BigInt(trace.start));
		const dur = columns.findIndex((name) => /^(dur|duration|length)$/i.test(name));
		const length = dur < 0 ? 0 : Math.max(toNumber(cells[dur]!) ?? 0, 0);
		const lanes = this.lanes(row, ns);
		const lane = areApart(lanes) ? undefined : lanes[0];
		if (length > 0) zoomTo(state, shown(this.host, ns), length + 1); // with the event at its end
		else jump(state, shown(this.host, ns), dur < 0 ? 0 : 1);
		if (lane) state.set("lane", laneKey(lane)); // its trace can be moved
		void this.host.showSelection(true).then(() => lane && this.host.reveal(lane.id));
	}

	private cell(value: Value, column: number, time: number | undefined, row: number): HTMLElement {
		if (column === time) {
			const ns = Number(toInteger(value)! - BigInt(this.host.trace.start));
			return make("td", { class: "number" }, button(offset(ns), `Show ${absolute(this.host.trace.start, ns)}`, () => this.goTo(row), "link"));
		}
		const number = toNumber(value);
		if (number !== undefined && /^(dur|duration|.*_ns)$/i.test(this.result!.columns[column]!)) return make("td", { class: "number", title: `${show(value)} ns` }, duration(number));
		return make("td", number !== undefined ? { class: "number" } : value === null ? { class: "null" } : {}, value === null ? "null" : escapeControls(show(value)));
	}

	/** By which column the table is sorted: its number from 1 in the URL, negative for descending */
	private sorted(result: Result): { column: number; sign: number } | undefined {
		const number = Number(this.host.state.get("sort"));
		const column = Math.abs(number) - 1;
		return Number.isInteger(number) && column >= 0 && column < result.columns.length ? { column, sign: Math.sign(number) } : undefined;
	}

	private table(result: Result): HTMLElement {
		const time = this.time();
		const order = result.rows.map((_, row) => row);
		const sorted = this.sorted(result);
		if (sorted) order.sort((a, b) => sorted.sign * compare(result.rows[a]![sorted.column]!, result.rows[b]![sorted.column]!) || a - b);
		const asks = this.columns() !== undefined;
		const heads = result.columns.map((name, column) => {
			const is_sorted = sorted?.column === column;
			const sort = () => {
				this.host.state.set("sort", `${is_sorted && sorted.sign > 0 ? "-" : ""}${column + 1}`);
			};
			return make("th", { scope: "col", ...(is_sorted ? { "aria-sort": sorted.sign > 0 ? "ascending" : "descending" } : {}) }, button(`${name}${is_sorted ? (sorted.sign > 0 ? " ▲" : " ▼") : ""}`, `Sort by ${name}`, sort, "link"));
		});
		const cells = (row: number) => result.rows[row]!.map((value, column) => this.cell(value, column, time, row));
		const why = (row: number) => make("td", {}, button("why?", "What this thread did in this time", () => void this.why(row), "why"));
		const rows = order.map((row) => make("tr", {}, ...(asks ? [why(row)] : []), ...cells(row)));
		return make("table", { class: "grid" }, make("thead", {}, make("tr", {}, ...(asks ? [make("th")] : []), ...heads)), make("tbody", {}, ...rows));
	}
}
