// main.ts - the page: requests the trace, and connects state, pictures, painting and input.
import { Bookmarks } from "./bookmarks.ts";
import type { Damage, Density, Lane, Lanes, Progress, Trace } from "./answers.ts";
import { ask, saved } from "./api.ts";
import { offset } from "./clock.ts";
import { makeRowsBeside } from "./beside.ts";
import { besideOf, Compare, shiftOf, windowsOf } from "./compare.ts";
import { findValue, paintCounters } from "./counters.ts";
import { Damages } from "./damage.ts";
import { DensityPicture } from "./density.ts";
import { Details } from "./details.ts";
import { find } from "./dom.ts";
import { Fields } from "./fields.ts";
import { Filter } from "./filter.ts";
import { Help } from "./help.ts";
import { findUnder } from "./hit.ts";
import { showDocked, type Host } from "./host.ts";
import { listenToCanvas, listenToKeys, listenToOverview, type Hit } from "./input.ts";
import { showHidden, showLabels } from "./labels.ts";
import { Live } from "./live.ts";
import { fit, paintColumns, paintEdges, paintGrid, paintRects, paintSelection, paintSelectionEdges, paintWindow, Scale, theme, type Theme } from "./paint.ts";
import { FAINT, Pixels } from "./pixels.ts";
import { showProgress } from "./progress.ts";
import { laneKey, laneLabel, makeRows, rowsBetween, rowsKey, type Row } from "./rows.ts";
import { savePicture } from "./save-picture.ts";
import { SqlPanel } from "./sql.ts";
import { State } from "./state.ts";
import { findState, paintShares, paintStates, showLegend } from "./states.ts";
import { Visible } from "./visible.ts";
import { WindowText } from "./window-text.ts";

/** Milliseconds between two requests for the progress. */
const POLL_MS = 250;

class Page implements Host {
	private readonly overview = find<HTMLCanvasElement>("overview");
	private readonly ruler = find<HTMLCanvasElement>("ruler");
	private readonly canvas = find<HTMLCanvasElement>("canvas");
	private readonly scroller = find("lanes");
	private readonly spacer = find("spacer");
	private readonly labels = find("labels");
	private readonly hover = find("hover");
	private readonly status = find("status");
	readonly state: State;
	private readonly details: Details;
	private readonly filter: Filter;
	private readonly bookmarks: Bookmarks;
	private readonly compare: Compare;
	private readonly help: Help;
	private readonly live: Live;
	private readonly sql: SqlPanel;
	private readonly visible = new Visible(() => this.repaint(), (error) => this.fail(error));
	private readonly pixels = new Pixels();
	private readonly density = new DensityPicture();
	private readonly fields = new Fields(() => this.showHover(this.hovered));
	private readonly damages = new Damages();
	private readonly window_text = new WindowText();
	private readonly shiftOf = (trace: number) => shiftOf(this.state, trace);
	private known: Lane[] = [];
	private by_id = new Map<number, Lane>();
	private rows: Row[] = [];
	private rows_of: { lanes: Lane[]; key: string } | undefined; // the input of makeRows() for them
	private counts: number[] = [];
	private matching: number[] = []; // counts of the filter
	private hovered: Hit | undefined;
	private frame = 0;

	constructor(readonly trace: Trace) {
		this.state = new State(trace.length, saved?.window);
		document.body.classList.toggle("saved", saved !== undefined);
		this.details = new Details(this);
		find("title").textContent = document.title = trace.title;
		this.bookmarks = new Bookmarks(this);
		this.filter = new Filter(this, () => void this.showFilter());
		this.compare = new Compare(this);
		this.sql = new SqlPanel(this);
		this.help = new Help(this, {
			bookmark: () => this.bookmarks.make(this.pointer()),
			step: (is_forward) => void this.filter.step(is_forward),
			picture: () => savePicture(this),
			follow: () => this.live.toggle(),
			details: () => void this.toggleDetails(true),
		});
		this.live = new Live(this, () => this.renew());
		this.state.onChange(() => {
			showDocked(this.state);
			if (this.state.get("panel") === "compare" || !this.state.selection) this.details.hide();
			if (!this.state.selection) this.visible.arrows.choose(undefined);
			this.sql.showResult();
			this.layOut();
		});
		showDocked(this.state);
		this.listen();
		void this.follow();
	}

	private listen(): void {
		const handlers = {
			onHover: (hit: Hit | undefined) => this.showHover(hit),
			onClick: (hit: Hit) => this.showFound(hit),
			onSelect: (hit: Hit) => {
				this.details.offer(this.laneAt(hit));
				void this.showSelection();
			},
			onHelp: () => this.help.showKeys(),
		};
		const search = find<HTMLInputElement>("search");
		search.value = this.state.choice.search;
		this.state.onAddress(() => {
			search.value = this.state.choice.search;
			this.details.forget();
			if (this.state.get("tab") !== "") void this.showSelection();
		});
		search.addEventListener("input", () => {
			this.state.choice.search = search.value;
			this.state.changed();
		});
		listenToKeys(this.state, handlers);
		listenToCanvas(this.canvas, this.state, handlers);
		listenToOverview(this.overview, this.state);
		find("zoom-in").addEventListener("click", () => this.state.zoom(0.5, this.state.anchor));
		find("zoom-out").addEventListener("click", () => this.state.zoom(2, this.state.anchor));
		find("whole").addEventListener("click", () => this.state.reset());
		find("help").addEventListener("click", handlers.onHelp);
		find("unhide").addEventListener("click", () => {
			this.state.choice.hidden.clear();
			this.state.changed();
		});
		find("close").addEventListener("click", () => this.details.hide());
		find("open-details").addEventListener("click", () => void this.toggleDetails(false));
		this.scroller.addEventListener("scroll", () => this.repaint());
		new ResizeObserver(() => this.repaint()).observe(this.scroller);
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.state.changed());
	}

	/** Requests density and lanes, and repeats this until the server has read the whole trace. */
	private async follow(): Promise<void> {
		try {
			const [density, lanes] = await Promise.all([ask<Density>("density", { bins: 2000 }), ask<Lanes>("lanes")]);
			this.counts = density.counts;
			this.learn(lanes);
			this.layOut(); // the first picture
			for (let n_lanes = -1, is_counted = false; ; ) {
				const progress = await ask<Progress>("progress");
				showProgress(this.status, progress, this.trace);
				if (!is_counted) {
					const density = await ask<Density>("density", { bins: 2000 });
					this.counts = density.counts;
					is_counted = density.counted;
				}
				const is_done = progress.stage === "ready" || progress.stage === "failed";
				if (progress.n_problems > 0) await this.damages.get();
				if (progress.lanes !== n_lanes || is_done) {
					this.learn(await ask<Lanes>("lanes"));
					n_lanes = progress.lanes;
				}
				this.visible.refresh();
				this.layOut();
				document.body.dataset["stage"] = progress.stage;
				if (is_done) {
					if (this.state.get("tab") !== "") void this.showSelection();
					break;
				}
				await new Promise((resolve) => setTimeout(resolve, POLL_MS));
			}
			await this.live.run();
		} catch (error) {
			this.fail(error as Error);
		}
	}

	private learn({ lanes }: Lanes): void {
		this.known = lanes;
		this.by_id = new Map(lanes.map((lane) => [lane.id, lane]));
		showLegend(find("legend"), lanes);
	}

	/** Shows the latest version of a trace that is being recorded. */
	private async renew(): Promise<void> {
		const trace = await ask<Trace>("trace");
		if (this.trace.start !== trace.start) location.reload(); // the CPUs had no events
		const [progress, density, lanes] = await Promise.all([ask<Progress>("progress"), ask<Density>("density", { bins: 2000 }), ask<Lanes>("lanes")]);
		Object.assign(this.trace, trace);
		if (progress.n_problems > 0) await this.damages.get();
		showProgress(this.status, progress, this.trace);
		this.counts = density.counts;
		this.learn(lanes);
		this.visible.refresh();
		this.state.grow(trace.length);
		await this.countMatches();
	}

	private fail(error: Error): void {
		this.status.textContent = error.message;
		this.status.className = "bad";
	}

	// ---- for the panels: host.ts ----

	lanes(): Lane[] {
		return this.known;
	}

	damage(): Damage[] {
		return this.damages.known;
	}

	pointer(): number {
		return this.hovered?.ns ?? (this.state.from + this.state.to) / 2;
	}

	reveal(lane: number): void {
		const rows = this.rows.filter((row) => row.lane?.id === lane); // two if it is pinned
		const { scrollTop, clientHeight } = this.scroller;
		const is_visible = rows.some((row) => row.top >= scrollTop && row.top + row.height <= scrollTop + clientHeight);
		if (!is_visible && rows.length > 0) this.scroller.scrollTop = Math.max(rows.at(-1)!.top - clientHeight / 3, 0);
	}

	/** Counts the matches over the whole trace. */
	private async showFilter(): Promise<void> {
		this.details.refilter(...this.filters());
		this.visible.matches.clear();
		this.matching = [];
		find("filter-count").textContent = "";
		this.repaint();
		await this.countMatches();
	}

	private async countMatches(): Promise<void> {
		const filter = this.filter.accepted;
		if (filter === "") return;
		try {
			const density = await ask<Density>("density", { bins: 2000, filter });
			if (filter !== this.filter.accepted) return;
			this.matching = density.counts;
			const n = density.counts.reduce((a, b) => a + b, 0);
			find("filter-count").textContent = `${n.toLocaleString("en")} ${n === 1 ? "event" : "events"}`;
			this.repaint();
		} catch (error) {
			this.fail(error as Error);
		}
	}

	/** Zooming and panning keep the rows: a trace can have thousands. */
	private layOut(): void {
		const note = (trace: number) => Compare.label(this.state, trace);
		const beside = besideOf(this.state, this.trace.traces.length);
		const key = rowsKey(this.trace, this.state.choice, note) + (beside?.join() ?? "");
		if (this.rows_of?.lanes !== this.known || this.rows_of.key !== key) {
			this.rows = beside ? makeRowsBeside(this.trace, this.known, this.state.choice, beside, note) : makeRows(this.trace, this.known, this.state.choice, note);
			this.rows_of = { lanes: this.known, key };
		}
		const last = this.rows[this.rows.length - 1];
		this.spacer.style.height = `${last ? last.top + last.height : 0}px`;
		this.request(this.visibleRows()); // before the next frame
		this.repaint();
	}

	repaint(): void {
		document.body.dataset["waiting"] = "true";
		cancelAnimationFrame(this.frame);
		this.frame = requestAnimationFrame(() => this.paint());
	}

	private visibleRows(): Row[] {
		return rowsBetween(this.rows, this.scroller.scrollTop, this.scroller.scrollTop + this.scroller.clientHeight);
	}

	private paint(): void {
		const { state } = this;
		const ink = theme();
		const rows = this.visibleRows();
		this.canvas.style.marginBottom = `-${this.scroller.clientHeight}px`;
		this.request(rows);
		showLabels(this.labels, state, this.rows, rows);
		showHidden(find("unhide"), state);
		this.paintOverview(ink);
		const context = fit(this.canvas);
		const { clientWidth: width, clientHeight: height } = this.canvas;
		const scale = new Scale(state.from, state.to, width);
		this.paintLanes(context, scale, rows, ink);
		paintCounters(context, scale, rows, this.scroller.scrollTop, this.visible.counters.last, ink);
		this.damages.paint(context, scale, rows, this.scroller.scrollTop, ink.bad, this.shiftOf);
		this.visible.arrows.paint(context, scale, this.rows, this.scroller.scrollTop, ink.ink);
		paintSelectionEdges(context, scale, height, state.selection, ink);
		this.bookmarks.paintLines(context, scale, height, ink.ink);
		this.bookmarks.paintFlags(scale);
		this.window_text.show(state);
		paintGrid(fit(this.ruler), scale, this.ruler.clientHeight, ink, true);
		document.body.dataset["waiting"] = this.visible.waiting;
	}

	/** Requests the data of the visible lanes. */
	private request(rows: Row[]): void {
		const { state, trace } = this;
		const seen = { from: Math.floor(state.from), to: Math.min(Math.ceil(state.to), trace.length), pixels: Math.round(this.canvas.clientWidth), length: trace.length };
		this.visible.want(seen, rows, this.filter.accepted, this.shiftOf);
	}

	/** Draws what the lanes contain. */
	private paintLanes(context: CanvasRenderingContext2D, scale: Scale, rows: Row[], ink: Theme): void {
		const { scrollTop: scroll } = this.scroller;
		const is_filtered = this.filter.accepted !== "";
		const all = this.filter.hides ? undefined : this.visible.pictures.last;
		const matches = is_filtered ? this.visible.matches.last : undefined;
		this.pixels.begin(this.canvas);
		this.pixels.setFaint(is_filtered);
		paintColumns(this.pixels, scale, rows, scroll, all, ink);
		this.pixels.setFaint(false);
		paintColumns(this.pixels, scale, rows, scroll, matches, { ...ink, events: ink.match });
		paintShares(this.pixels, scale, rows, scroll, this.visible.states.last);
		this.pixels.put(context);
		context.globalCompositeOperation = "destination-over"; // below the pixels, which replaced all
		paintEdges(context, scale, rows, scroll, ink);
		paintGrid(context, scale, this.canvas.clientHeight, ink, false);
		paintSelection(context, scale, this.canvas.clientHeight, this.state.selection, ink);
		context.globalCompositeOperation = "source-over";
		context.globalAlpha = is_filtered ? FAINT : 1;
		paintRects(context, scale, rows, scroll, all);
		context.globalAlpha = 1;
		paintRects(context, scale, rows, scroll, matches);
		paintStates(context, scale, rows, scroll, this.visible.states.last, ink, this.by_id);
	}

	private paintOverview(ink: Theme): void {
		const context = fit(this.overview);
		const { clientWidth: width, clientHeight: height } = this.overview;
		const scale = new Scale(0, this.trace.length, width);
		this.density.paint(context, width, height, [[this.counts, ink.events], [this.matching, ink.match]]);
		for (const { letter, shift } of windowsOf(this.state, this.trace.traces.length)) paintWindow(context, scale, height, this.state.from - shift, this.state.to - shift, letter, ink);
		this.bookmarks.paintLines(context, scale, height, ink.ink);
	}

	private found(hit: Hit) {
		const [rows, y] = [this.visibleRows(), hit.y + this.scroller.scrollTop];
		return (
			findState(this.visible.states.last, rows, y, hit.ns, this.by_id) ??
			findValue(this.visible.counters.last, rows, y, hit.ns) ??
			findUnder(this.filter.hides ? this.visible.matches.last : this.visible.pictures.last, rows, y, hit.ns)
		);
	}

	private laneAt(hit: Hit): Lane | undefined {
		const y = hit.y + this.scroller.scrollTop;
		return this.visibleRows().find((row) => y >= row.top && y < row.top + row.height)?.lane;
	}

	private showHover(hit: Hit | undefined): void {
		if (hit) this.hovered = hit;
		const lane = hit && this.laneAt(hit);
		this.visible.arrows.hover(lane);
		const found = hit && this.found(hit);
		const damage = hit && this.damages.describe(lane, hit.ns, (this.state.to - this.state.from) / this.canvas.clientWidth, this.shiftOf);
		const fields = this.fields.of(found, found ? shiftOf(this.state, found.row.lane!.trace) : 0);
		const lines = [found?.text, fields, damage].filter((text) => text);
		this.hover.hidden = lines.length === 0;
		if (!hit || lines.length === 0) return;
		this.hover.textContent = lines.join("\n");
		const left = this.canvas.offsetLeft + hit.x + 14;
		const top = this.scroller.offsetTop + hit.y + 14;
		this.hover.style.left = `${Math.min(left, innerWidth - this.hover.offsetWidth - 8)}px`;
		this.hover.style.top = `${top}px`;
	}

	/** The filter for counts and lists, and the filter for marks */
	private filters(): [string, string] {
		return this.filter.hides ? [this.filter.accepted, ""] : ["", this.filter.accepted];
	}

	/** Shows the details of the selection, for the lane in the URL only if a click selected it with the time. */
	async showSelection(only_if_open = false): Promise<void> {
		const { selection: range } = this.state;
		const lane = this.known.find((lane) => laneKey(lane) === this.state.get("lane"));
		if (!range || (only_if_open && !this.details.is_open)) return;
		const shift = lane ? shiftOf(this.state, lane.trace) : 0;
		await this.details.show(range[0] - shift, range[1] + (lane ? 1 : 0) - shift, lane?.id, lane && `${laneLabel(lane)} at ${offset(range[0] - shift)}`, ...this.filters());
		if (lane) this.reveal(lane.id); // the panel can cover it
	}

	why(lane: Lane, from: number, to: number): void {
		void this.sql.explainLane(lane, from, to);
	}

	/** Shows the details of the selection or of the whole window, or hides them. @is_key: the focus follows, unless it has moved meanwhile */
	private async toggleDetails(is_key: boolean): Promise<void> {
		const { state } = this;
		if (this.details.is_open) return this.details.hide();
		if (state.get("panel") === "compare") state.set("panel", "");
		if (!state.selection) state.select([state.from, state.to]);
		const { activeElement } = document;
		await this.showSelection();
		if (is_key && document.activeElement === activeElement) find("details").focus({ preventScroll: true });
	}

	private showFound(hit: Hit): void {
		const found = this.found(hit);
		if (!found) return;
		const lane = found.row.lane!;
		this.visible.arrows.choose(lane);
		this.details.offer(lane);
		const shift = shiftOf(this.state, lane.trace);
		this.state.select([found.from, Math.min(Math.max(found.to, found.from + 1), this.trace.length)]);
		this.state.set("lane", lane.kind === "async" ? "" : laneKey(lane));
		this.compare.choose(lane.trace, found.from - shift, found.name || "event");
		if (this.state.get("panel") === "compare") return; // the details would cover the lanes
		const title = `${found.name || "events"} at ${offset(found.from - shift)}`;
		void this.details.show(found.from - shift, found.to + 1 - shift, lane.kind === "async" ? undefined : lane.id, title, ...this.filters()).then(() => this.reveal(lane.id));
	}
}

ask<Trace>("trace")
	.then((trace) => new Page(trace))
	.catch((error: Error) => {
		find("status").textContent = error.message;
	});
