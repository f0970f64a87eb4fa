// durations.ts - the durations of the spans in an interval of time: a table by name, and a histogram of one name.
import type { Trace } from "./answers.ts";
import { duration } from "./clock.ts";
import { button, make } from "./dom.ts";
import { originColumns } from "./why.ts";

/** The spans of one name; null: all further names */
export interface Durations {
	name: string | null;
	count: number;
	total: number;
	mean: number;
	min: number;
	p50: number;
	p90: number;
	p99: number;
	max: number;
	longest: number; // start time of the longest span
	exact: boolean;
}

export type HistogramRow = [from: number, to: number | null, count: number];

export interface DurationsAnswer {
	spans: number;
	open: number;
	n_names: number;
	names: Durations[];
	histogram?: { name: string | null; rows: HistogramRow[] };
}

export interface Actions {
	/** Shows the histogram of a name. */
	choose(name: string): void;
	/** Selects a span. */
	go(begin: number, length: number): void;
	/** Lists the spans of a row of the histogram. Undefined if a filter is set, which the list would ignore */
	list: ((name: string, from: number, to: number | null) => void) | undefined;
}

const HEADS = ["span", "count", "total", "mean", "p50", "p90", "p99", "longest"];

function bar(share: number): HTMLElement {
	const element = make("span", { class: "bar", "aria-hidden": "true" });
	element.style.width = `${Math.max(share * 100, share > 0 ? 1 : 0)}%`;
	return element;
}

function row(one: Durations, most: number, is_chosen: boolean, actions: Actions): HTMLTableRowElement {
	const time = (ns: number) => make("td", { class: "number" }, duration(ns));
	const { name } = one;
	const about = one.exact ? "" : "Percentiles within 0.4 %: there are too many spans to keep";
	const heading = name === null ? "other names" : button(name, `Show the histogram of ${name}`, () => actions.choose(name), "link");
	return make("tr", { ...(is_chosen ? { "aria-selected": "true" } : {}), title: about },
		make("th", { scope: "row" }, heading),
		make("td", { class: "number" }, one.count.toLocaleString("en")),
		make("td", { class: "number share" }, bar(one.total / most), make("span", {}, duration(one.total))),
		time(one.mean), time(one.p50), time(one.p90), time(one.p99),
		make("td", { class: "number" }, button(duration(one.max), "Go to the longest one, and select it", () => actions.go(one.longest, one.max), "link")));
}

/** Joins neighbouring rows without spans. */
export function joinEmpty(rows: HistogramRow[]): HistogramRow[] {
	const joined: HistogramRow[] = [];
	for (const row of rows) {
		const last = joined[joined.length - 1];
		if (last && last[2] === 0 && row[2] === 0) last[1] = row[1];
		else joined.push([...row]);
	}
	return joined;
}

function histogramTable(name: string | null, rows: HistogramRow[], actions: Actions): HTMLElement {
	const most = Math.max(...rows.map(([, , n]) => n), 1);
	const { list } = actions;
	const lines = joinEmpty(rows).map(([from, to, n]) => {
		const label = to === null ? `${duration(from)} or more` : `${duration(from)} to ${duration(to)}`;
		const heading = name === null || n === 0 || !list ? label : button(label, `List these spans of ${name} in SQL`, () => list(name, from, to), "link");
		return make("tr", {}, make("th", { scope: "row" }, heading), make("td", { class: "number" }, n.toLocaleString("en")), make("td", { class: "bars" }, bar(n / most)));
	});
	return make("div", { class: "histogram" },
		make("h2", {}, `durations of ${name ?? "other names"}`),
		make("table", {}, make("thead", {}, make("tr", {}, ...["from, to", "count", ""].map((head) => make("th", { scope: "col" }, head)))), make("tbody", {}, ...lines)));
}

export function showDurations(box: HTMLElement, answer: DurationsAnswer, actions: Actions): void {
	const { names, histogram } = answer;
	if (names.length === 0) {
		box.replaceChildren(make("p", { class: "hint" }, answer.open > 0 ? "No span begins and ends in the selected time." : "The selected time has no spans: no event in it ends another one."));
		return;
	}
	const most = Math.max(...names.map((one) => one.total), 1);
	const more = answer.n_names > names.length ? `, of ${answer.n_names.toLocaleString("en")} names those with the largest total` : "";
	const head = make("thead", {}, make("tr", {}, ...HEADS.map((text) => make("th", { scope: "col" }, text))));
	box.replaceChildren(
		make("div", {},
			make("h2", {}, `${answer.spans.toLocaleString("en")} spans that begin and end in the selected time${more}`),
			make("table", { class: "grid" }, head, make("tbody", {}, ...names.map((one) => row(one, most, one.name === histogram?.name, actions))))),
		...(histogram ? [histogramTable(histogram.name, histogram.rows, actions)] : []),
	);
}

/** The query that lists spans of a histogram; times in ns */
export function listQuery(name: string, from: number, to: number | null, trace: Trace, window: { from: number; to: number }): string {
	const at = (ns: number) => (BigInt(trace.start) + BigInt(ns)).toString();
	const least = to === null ? `dur >= ${from}` : `dur >= ${from} AND dur < ${to}`;
	return `SELECT ${originColumns(trace)}time, dur, pid, tid, args FROM spans\nWHERE name = '${name.replaceAll("'", "''")}' AND ${least}\n  AND time >= ${at(window.from)} AND time + dur < ${at(window.to)} AND state <> 'open'\nORDER BY dur DESC LIMIT 100`;
}
