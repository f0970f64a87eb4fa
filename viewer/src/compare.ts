// compare.ts - two traces on one time axis: the second is moved so that chosen events coincide, and a table says
// which spans take longer.
import { askShifts, describeAlign, readAlign, writeAlign } from "./align.ts";
import type { Lane } from "./answers.ts";
import { ask } from "./api.ts";
import { duration } from "./clock.ts";
import { button, find, make } from "./dom.ts";
import { dock, showTime, type Host } from "./host.ts";
import { largestOf, leastOf } from "./lists.ts";
import type { State } from "./state.ts";
import { originColumns } from "./why.ts";

export interface Side {
	count: number;
	mean?: number;
	p50?: number;
	p99?: number;
	total?: number;
}

export interface Change {
	name: string;
	a: Side;
	b: Side;
	verdict: "slower" | "faster" | "noise" | "too few";
	p?: number;
}

export interface Diff {
	all: Change;
	names: Change[];
	n_names: number;
}

const LETTERS = ["A", "B"];

/** How far a trace is moved to the right, in ns: "1:-500,2:70" in the URL */
export function shiftOf(state: State, trace: number): number {
	for (const word of state.get("shift").split(",")) {
		const [number, ns] = word.split(":");
		if (number === String(trace) && Number.isFinite(Number(ns))) return Math.round(Number(ns));
	}
	return 0;
}

/** The traces that are compared, of @n */
function pairOf(state: State, n: number): [number, number] {
	const [a, b] = (state.get("pair") || "0,1").split(",").map(Number);
	return a !== undefined && b !== undefined && a < n && b < n && a >= 0 && b >= 0 ? [a, b] : [0, 1];
}

/** The traces whose lanes are shown side by side, if any are */
export function besideOf(state: State, n: number): [number, number] | undefined {
	const [a, b] = pairOf(state, n);
	return n > 1 && a !== b && state.get("panel") === "compare" && state.get("beside") !== "off" ? [a, b] : undefined;
}

/** The shifts of the traces that are compared, with their letters; one shift without a letter if no trace is moved */
export function windowsOf(state: State, n: number): { letter: string; shift: number }[] {
	const pair = pairOf(state, n);
	const shifts = pair.map((trace) => shiftOf(state, trace));
	if (n < 2 || shifts[0] === shifts[1]) return [{ letter: "", shift: shifts[0]! }];
	return LETTERS.map((letter, i) => ({ letter, shift: shifts[i]! }));
}

function writeShift(state: State, trace: number, ns: number): string {
	const others = state.get("shift").split(",").filter((word) => word !== "" && !word.startsWith(`${trace}:`));
	return [...others, `${trace}:${Math.round(ns)}`].join(",");
}

/** The first and the last time of a trace */
export function extent(lanes: Lane[], trace: number): [number, number] | undefined {
	const own = lanes.filter((lane) => lane.trace === trace && lane.events > 0);
	if (own.length === 0) return undefined;
	return [leastOf(own.map((lane) => lane.first)), largestOf(own.map((lane) => lane.last))];
}

/** Converts a time of the server to its place on the page: a time that only one trace contains moves with that trace. */
export function shown(host: Host, ns: number): number {
	const traces = host.trace.traces.map((_, trace) => trace).filter((trace) => {
		const range = extent(host.lanes(), trace);
		return range !== undefined && ns >= range[0] && ns <= range[1];
	});
	return traces.length === 1 ? ns + shiftOf(host.state, traces[0]!) : ns;
}

/** Whether all spans together take longer in B; and if a typical one does not, why */
export function describeTotal({ a, b, verdict }: Change): string {
	const delta = (b.total ?? 0) - (a.total ?? 0);
	if (delta === 0) return "no change";
	const more = b.count - a.count;
	const typical = verdict === "slower" ? 1 : verdict === "faster" ? -1 : 0;
	const reasons = [];
	if (more * delta > 0) reasons.push(`there are ${Math.abs(more).toLocaleString("en")} ${more > 0 ? "more" : "fewer"}`);
	if (((b.mean ?? 0) - (a.mean ?? 0)) * delta > 0) reasons.push(`the slow ones are ${delta > 0 ? "slower" : "faster"}`); // the mean is not typical
	const because = typical * delta < 0 && reasons.length > 0 ? `: ${reasons.join(", ")}` : "";
	return `${duration(Math.abs(delta))} ${delta > 0 ? "more" : "less"}${because}`;
}

/** Whether spans are those of the kernel, which are many more than those of a program */
export function isOfKernel({ name }: Change): boolean {
	return /^(syscalls\.|irq|core\.)/.test(name);
}

/** How much longer B is: a percentage, or a factor if that is easier to imagine */
function describeChange(a: number, b: number): string {
	if (a === b) return "as long in B";
	const change = `${duration(Math.abs(b - a))}`;
	const word = b > a ? "longer" : "less";
	const factor = Math.max(a, b) / Math.min(a, b);
	if (!Number.isFinite(factor)) return `${change} ${word} in B`;
	if (factor < 2) return `${change}, ${Math.abs(Math.round((1000 * (b - a)) / a) / 10)} % ${word} in B`;
	const times = factor < 9.95 ? factor.toPrecision(2) : Math.round(factor).toLocaleString("en");
	return `${change} ${word} in B, ${b > a ? `${times} times as long` : `1/${times} of A`}`;
}

/** The result in a sentence or two, about the program's spans if there are any */
export function summary({ all, names }: Diff): string {
	const compared = names.some((name) => !isOfKernel(name)) ? names.filter((name) => !isOfKernel(name)) : names;
	if (all.a.count === 0 || all.b.count === 0) return all.a.count === all.b.count ? "" : `Only ${all.a.count > 0 ? "A" : "B"} has spans there.`;
	const [a, b] = [all.a.total ?? 0, all.b.total ?? 0];
	const [most, least] = [Math.max(all.a.count, all.b.count), Math.min(all.a.count, all.b.count)];
	const counts = most > 1.1 * least ? ` Their number is ${all.a.count.toLocaleString("en")} in A and ${all.b.count.toLocaleString("en")} in B.` : "";
	const list = (verdict: string) => {
		const found = compared.filter((name) => name.verdict === verdict).map((name) => name.name);
		return found.length === 0 ? "" : ` A typical one is ${verdict}: ${found.slice(0, 3).join(", ")}${found.length > 3 ? ` and ${found.length - 3} more names` : ""}.`;
	};
	return `All spans together take ${describeChange(a, b)}: ${duration(a)} in A, ${duration(b)} in B.${counts}${list("slower")}${list("faster")}`;
}

export class Compare {
	private readonly output = find("compare-output");
	private readonly controls = find("compare-controls");
	private control: AbortController | undefined;
	private timer = 0;
	private asked = "";
	private chosen: { trace: number; time: number; name: string } | undefined; // the last click
	private anchor: { time: number; name: string } | undefined; // of A

	constructor(private readonly host: Host) {
		const is_possible = host.trace.traces.length > 1;
		find("open-compare").hidden = !is_possible;
		if (!is_possible) return;
		find("compare-close").addEventListener("click", () => host.state.set("panel", ""));
		host.state.onChange(() => this.follow());
		this.follow();
		if (host.state.get("align") !== "" && host.state.get("shift") === "") void this.alignEvents(host.state.get("align"));
	}

	private pair(): [number, number] {
		return pairOf(this.host.state, this.host.trace.traces.length);
	}

	/** Called for a click on a span or an event. @time: without the shift */
	choose(trace: number, time: number, name: string): void {
		this.chosen = { trace, time, name };
		this.showControls();
	}

	private follow(): void {
		if (this.host.state.get("panel") !== "compare") {
			this.control?.abort();
			this.asked = "";
			return;
		}
		if (this.asked === "" && this.host.state.get("shift") === "" && this.host.state.get("align") === "" && this.isApart()) return this.alignStarts();
		this.showControls();
		clearTimeout(this.timer);
		this.timer = window.setTimeout(() => void this.compare(), 200);
	}

	/** Whether the traces do not overlap in time, so that the page cannot show them side by side without a shift */
	private isApart(): boolean {
		const [a, b] = this.pair().map((trace) => extent(this.host.lanes(), trace));
		return a !== undefined && b !== undefined && (a[1] < b[0] || b[1] < a[0]);
	}

	private move(ns: number): void {
		this.host.state.set("shift", writeShift(this.host.state, this.pair()[1], ns));
	}

	/** Moves B so that both begin at the same time, and shows both. */
	alignStarts(): void {
		const [a, b] = this.pair().map((trace) => extent(this.host.lanes(), trace));
		const { state } = this.host;
		if (!a || !b) return;
		this.move(a[0] + shiftOf(state, this.pair()[0]) - b[0]);
		const length = Math.max(a[1] - a[0], b[1] - b[0]);
		state.selection = undefined;
		state.setWindow(a[0] - 0.02 * length, a[0] + 1.02 * length);
	}

	private title(trace: number): string {
		return this.host.trace.traces[trace]!.path.split("/").filter((part) => part !== "").at(-1) ?? `trace ${trace + 1}`;
	}

	/** Moves all traces so that their n-th events of a name are where that of A is. @text: readAlign() */
	async alignEvents(text: string): Promise<void> {
		const { state, trace } = this.host;
		const align = readAlign(text);
		const [a] = this.pair();
		if (!align) return state.set("align", "");
		try {
			const { shifts, time } = await askShifts(align, a, trace.traces.map((_, i) => this.title(i)));
			state.set("align", writeAlign(align));
			state.set("shift", shifts);
			if (time < state.from || time >= state.to) showTime(state, time);
			state.say(describeAlign(align, shifts));
		} catch (error) {
			state.say((error as Error).message);
		}
	}

	private alignControl(): HTMLElement {
		const { state } = this.host;
		const input = make("input", { id: "align", value: state.get("align") || (this.chosen?.name ?? ""), size: "22", placeholder: "http.request:3", title: "A name of events or spans, and which one of each trace; Enter aligns them (M)", spellcheck: "false" });
		input.addEventListener("change", () => void this.alignEvents(input.value));
		return make("label", {}, "align at event ", input);
	}

	private besideControl(): HTMLElement {
		const { state } = this.host;
		const box = make("input", { id: "beside", type: "checkbox", title: "Show each lane of B below the lane of A with the same name" });
		box.checked = state.get("beside") !== "off";
		box.addEventListener("change", () => state.set("beside", box.checked ? "" : "off"));
		return make("label", {}, box, " lanes side by side");
	}

	private showControls(): void {
		const { state, trace } = this.host;
		const [a, b] = this.pair();
		const shift = shiftOf(state, b);
		const select = (which: 0 | 1) => {
			const element = make("select", { "aria-label": `Trace ${LETTERS[which]}` }, ...trace.traces.map((_, i) => make("option", { value: String(i) }, this.title(i))));
			element.value = String([a, b][which]);
			element.addEventListener("change", () => {
				const pair = [a, b];
				pair[which] = Number(element.value);
				state.set("pair", pair.join(","));
			});
			return make("label", {}, make("b", { class: `side-${LETTERS[which]}` }, LETTERS[which]!), " ", element);
		};
		const amount = make("input", { value: (shift / 1e9).toFixed(9), size: "16", "aria-label": "Seconds by which B is moved", inputmode: "decimal" });
		amount.addEventListener("change", () => this.move(Math.round(Number(amount.value) * 1e9) || 0));
		const steps: (Node | string)[] = [];
		const { chosen, anchor } = this;
		if (chosen?.trace === a) steps.push(button(`${chosen.name} in A`, "Align to this event of A", () => {
			this.anchor = chosen;
			this.showControls();
		}, anchor === chosen ? "pressed" : ""));
		else steps.push(make("span", { class: "hint" }, anchor ? `${anchor.name} in A` : "click a span in A"));
		steps.push(" = ");
		if (anchor && chosen?.trace === b) steps.push(button(`${chosen.name} in B`, "Move B so that this event is where the one of A is", () => this.move(anchor.time + shiftOf(state, a) - chosen.time)));
		else steps.push(make("span", { class: "hint" }, "click a span in B"));
		this.controls.replaceChildren(
			select(0), select(1),
			make("label", {}, "B is moved by ", amount, " s"),
			button("align the starts", "Move B so that both begin at the same time", () => this.alignStarts()),
			button("as recorded", "Do not move B", () => this.move(0)),
			this.alignControl(),
			this.besideControl(),
			make("span", { class: "steps" }, "align clicked events: ", ...steps),
		);
	}

	private async compare(): Promise<void> {
		const { state, trace } = this.host;
		const [a, b] = this.pair();
		const [from, to] = state.selection && state.selection[1] - state.selection[0] > 1 ? state.selection : [state.from, state.to];
		const clip = (ns: number) => Math.round(Math.min(Math.max(ns, 0), trace.length));
		const [shift_a, shift_b] = [shiftOf(state, a), shiftOf(state, b)];
		const window = { a, b, from: clip(from - shift_a), to: clip(to - shift_a), from_b: clip(from - shift_b), to_b: clip(to - shift_b) };
		const asked = JSON.stringify(window);
		if (asked === this.asked) return;
		this.asked = asked;
		this.control?.abort();
		const control = (this.control = new AbortController());
		this.output.setAttribute("aria-busy", "true");
		try {
			this.fill(await ask<Diff>("diff", window, control.signal), state.selection !== undefined && from === state.selection[0], to - from);
		} catch (error) {
			if (!control.signal.aborted) this.output.replaceChildren((error as Error).message);
		}
		this.output.removeAttribute("aria-busy");
	}

	private fill(diff: Diff, is_selection: boolean, length: number): void {
		const names = [...diff.names.filter((name) => !isOfKernel(name)), ...diff.names.filter(isOfKernel)];
		const heads = ["span", "a typical one in B", "A count", "B count", "A mean", "B mean", "A p50", "B p50", "A p99", "B p99", "A total", "B total", "all together in B"];
		const most = Math.max(1, ...diff.names.map((change) => Math.abs((change.b.total ?? 0) - (change.a.total ?? 0))));
		const where = `${is_selection ? "the selected" : "the visible"} ${duration(length)}`;
		const rows = [{ ...diff.all, name: "all spans", verdict: "too few" as const }, ...names].map((change, i) => this.row(change, most, i > 0));
		this.output.replaceChildren(
			make("p", { class: "hint" }, diff.all.a.count + diff.all.b.count === 0 ? `No span begins and ends in ${where}. ` : `Spans that begin and end in ${where}; the largest change of the total first, and spans of the kernel last.`),
			make("p", {}, summary(diff)),
			make("table", { class: "grid" }, make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))), make("tbody", {}, ...rows)),
		);
	}

	private row(change: Change, most: number, is_name: boolean): HTMLTableRowElement {
		const time = (ns: number | undefined) => make("td", { class: "number" }, ns === undefined ? "" : duration(ns));
		const count = (side: Side) => make("td", { class: "number" }, side.count.toLocaleString("en"));
		const delta = (change.b.total ?? 0) - (change.a.total ?? 0);
		const bar = make("span", { class: delta > 0 ? "delta more" : "delta less" });
		bar.style.width = `${Math.min(Math.abs(delta) / most, 1) * 60}px`;
		const verdict = is_name ? (change.verdict === "noise" ? "the same" : change.verdict) : ""; // of spans of several names it would say nothing
		const about = !is_name ? "" : change.p === undefined ? "Fewer than eight spans in a trace" : `p = ${change.p}, Mann-Whitney U test`;
		const name = is_name ? button(change.name, "List the longest of these spans in SQL", () => this.list(change.name), "link") : make("b", {}, change.name);
		return make("tr", {},
			make("th", { scope: "row" }, name), make("td", { class: `verdict ${change.verdict.replace(" ", "-")}`, title: about }, verdict),
			count(change.a), count(change.b), time(change.a.mean), time(change.b.mean), time(change.a.p50), time(change.b.p50), time(change.a.p99), time(change.b.p99),
			time(change.a.total), time(change.b.total), make("td", {}, make("span", { class: "number" }, `${describeTotal(change)} `), is_name ? bar : ""));
	}

	private list(name: string): void {
		const { state } = this.host;
		state.set("sql", `SELECT ${originColumns(this.host.trace)}time, dur, pid, tid, args FROM spans\nWHERE name = '${name.replaceAll("'", "''")}' ORDER BY dur DESC LIMIT 50`);
		dock(state, "sql");
	}

	/** Describes the shift of a trace for its label. */
	static label(state: State, trace: number): string {
		const shift = shiftOf(state, trace);
		return shift === 0 ? "" : ` ${shift < 0 ? "−" : "+"}${duration(Math.abs(shift))}`;
	}
}
