// main.ts - the page: asks for the trace, and joins state, pictures, painting and input.
import { ask, type Density, type Lane, type Lanes, type Progress, type Trace } from "./api.ts";
import { duration, offset } from "./clock.ts";
import { Details } from "./details.ts";
import { find, make } from "./dom.ts";
import { findUnder } from "./hit.ts";
import { listenToCanvas, listenToKeys, listenToOverview, type Hit } from "./input.ts";
import { showLabels } from "./labels.ts";
import { fit, paintDensity, paintGrid, paintRows, paintSelection, Scale, theme } from "./paint.ts";
import { Pictures } from "./picture.ts";
import { makeRows, rowsBetween, type Row } from "./rows.ts";
import { State } from "./state.ts";

/** Milliseconds between two questions about the progress. */
const POLL_MS = 250;

const KEYS: [string, string][] = [
	["W S", "zoom in and out"],
	["A D", "move to the left and right"],
	["0", "show the whole trace"],
	["F", "zoom to the selected time"],
	["/", "find lanes"],
	["Esc", "drop the selection"],
	["drag", "select a stretch of time"],
	["Shift drag", "move"],
	["Ctrl wheel", "zoom"],
	["double click", "zoom in"],
];

class Page {
	private readonly overview = find<HTMLCanvasElement>("overview");
	private readonly ruler = find<HTMLCanvasElement>("ruler");
	private readonly canvas = find<HTMLCanvasElement>("canvas");
	private readonly scroller = find("lanes");
	private readonly spacer = find("spacer");
	private readonly labels = find("labels");
	private readonly hover = find("hover");
	private readonly status = find("status");
	private readonly state: State;
	private readonly details: Details;
	private readonly pictures = new Pictures(() => this.repaint(), (error) => this.fail(error));
	private lanes: Lane[] = [];
	private rows: Row[] = [];
	private counts: number[] = [];
	private frame = 0;

	constructor(private readonly trace: Trace) {
		this.state = new State(trace.length);
		this.details = new Details(find("panel"), find("details"), trace.start);
		find("title").textContent = document.title = trace.title;
		this.state.onChange(() => this.layOut());
		this.listen();
		void this.follow();
	}

	private listen(): void {
		const handlers = {
			onHover: (hit: Hit | undefined) => this.showHover(hit),
			onClick: (hit: Hit) => this.showFound(hit),
			onSelect: () => void this.details.show(...this.state.selection!),
			onHelp: () => this.showKeys(),
		};
		const search = find<HTMLInputElement>("search");
		search.value = this.state.choice.search;
		search.addEventListener("input", () => {
			this.state.choice.search = search.value;
			this.state.changed();
		});
		listenToKeys(this.state, handlers);
		listenToCanvas(this.canvas, this.state, handlers);
		listenToOverview(this.overview, this.state);
		const middle = () => (this.state.from + this.state.to) / 2;
		find("zoom-in").addEventListener("click", () => this.state.zoom(0.5, middle()));
		find("zoom-out").addEventListener("click", () => this.state.zoom(2, middle()));
		find("whole").addEventListener("click", () => this.state.setWindow(0, this.state.length));
		find("help").addEventListener("click", handlers.onHelp);
		find("close").addEventListener("click", () => this.details.hide());
		this.scroller.addEventListener("scroll", () => this.repaint());
		new ResizeObserver(() => this.repaint()).observe(this.scroller);
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.repaint());
	}

	/** Gets density and lanes, again and again until the server has read the whole trace. */
	private async follow(): Promise<void> {
		try {
			for (let n_lanes = -1, is_counted = false; ; ) {
				const progress = await ask<Progress>("progress");
				this.showProgress(progress);
				if (!is_counted) {
					const density = await ask<Density>("density", { bins: 2000 });
					this.counts = density.counts;
					is_counted = density.exact;
				}
				const is_done = progress.stage === "ready" || progress.stage === "failed";
				if (progress.lanes !== n_lanes || is_done) {
					this.lanes = (await ask<Lanes>("lanes")).lanes;
					n_lanes = progress.lanes;
				}
				this.pictures.refresh();
				this.layOut();
				document.body.dataset["stage"] = progress.stage;
				if (is_done) break;
				await new Promise((resolve) => setTimeout(resolve, POLL_MS));
			}
		} catch (error) {
			this.fail(error as Error);
		}
	}

	private showProgress(progress: Progress): void {
		const words: string[] = [];
		const share = progress.total > 0 ? ` ${Math.floor((100 * progress.done) / progress.total)} %` : "";
		if (progress.stage === "counting" || progress.stage === "drawing") words.push(`${progress.stage}${share}`);
		if (progress.failure) words.push(progress.failure);
		if (progress.events > 0) words.push(`${progress.events.toLocaleString("en")} events`);
		words.push(duration(this.trace.length));
		if (progress.lost > 0) words.push(`${progress.lost.toLocaleString("en")} lost`);
		if (progress.n_problems > 0) words.push(`${progress.n_problems} problems`);
		this.status.textContent = words.join(", ");
		this.status.title = progress.problems.join("\n");
		this.status.className = progress.failure || progress.n_problems > 0 ? "bad" : "";
	}

	private fail(error: Error): void {
		this.status.textContent = error.message;
		this.status.className = "bad";
	}

	private layOut(): void {
		this.rows = makeRows(this.trace, this.lanes, this.state.choice);
		const last = this.rows[this.rows.length - 1];
		this.spacer.style.height = `${last ? last.top + last.height : 0}px`;
		this.repaint();
	}

	private repaint(): void {
		document.body.dataset["waiting"] = "true";
		cancelAnimationFrame(this.frame);
		this.frame = requestAnimationFrame(() => this.paint());
	}

	private visible(): Row[] {
		return rowsBetween(this.rows, this.scroller.scrollTop, this.scroller.scrollTop + this.scroller.clientHeight);
	}

	private paint(): void {
		const { state } = this;
		const ink = theme();
		const rows = this.visible();
		this.canvas.style.marginBottom = `-${this.scroller.clientHeight}px`;
		showLabels(this.labels, state, rows);
		this.paintOverview(ink);
		const context = fit(this.canvas);
		const { clientWidth: width, clientHeight: height } = this.canvas;
		const scale = new Scale(state.from, state.to, width);
		paintGrid(context, scale, height, ink, false);
		paintRows(context, scale, rows, this.scroller.scrollTop, this.pictures.last, ink);
		paintSelection(context, scale, height, state.selection, ink);
		this.paintBookmarks(context, scale, height, ink.ink);
		paintGrid(fit(this.ruler), scale, this.ruler.clientHeight, ink, true);
		const lanes = [...new Set(rows.flatMap((row) => (row.lane ? [row.lane.id] : [])))].sort((a, b) => a - b);
		this.pictures.want(Math.floor(state.from), Math.min(Math.ceil(state.to), this.trace.length), Math.round(width), lanes);
		document.body.dataset["waiting"] = String(this.pictures.is_waiting);
	}

	private paintOverview(ink: ReturnType<typeof theme>): void {
		const context = fit(this.overview);
		const { clientWidth: width, clientHeight: height } = this.overview;
		const scale = new Scale(0, this.trace.length, width);
		paintDensity(context, width, height, this.counts, ink);
		paintSelection(context, scale, height, [this.state.from, this.state.to], ink);
		this.paintBookmarks(context, scale, height, ink.ink);
	}

	private paintBookmarks(context: CanvasRenderingContext2D, scale: Scale, height: number, ink: string): void {
		context.fillStyle = ink;
		for (const bookmark of this.trace.bookmarks) {
			const x = Math.round(scale.x(bookmark.time));
			context.fillRect(x, 0, 1, height);
			context.fillText(bookmark.name, x + 3, 10);
		}
	}

	private found(hit: Hit) {
		return findUnder(this.pictures.last, this.visible(), hit.y + this.scroller.scrollTop, hit.ns);
	}

	private showHover(hit: Hit | undefined): void {
		const found = hit && this.found(hit);
		this.hover.hidden = !found;
		if (!hit || !found) return;
		this.hover.textContent = found.text;
		const left = this.canvas.offsetLeft + hit.x + 14;
		const top = this.scroller.offsetTop + hit.y + 14;
		this.hover.style.left = `${Math.min(left, innerWidth - this.hover.offsetWidth - 8)}px`;
		this.hover.style.top = `${top}px`;
	}

	private showFound(hit: Hit): void {
		const found = this.found(hit);
		if (!found) return;
		this.state.select([found.from, Math.min(Math.max(found.to, found.from + 1), this.trace.length)]);
		void this.details.show(found.from, found.to + 1, found.row.lane!.kind === "async" ? undefined : found.row.lane!.id, `${found.name || "events"} at ${offset(found.from)}`);
	}

	private showKeys(): void {
		const dialog = find<HTMLDialogElement>("keys");
		const rows = KEYS.map(([key, what]) => make("tr", {}, make("td", {}, make("kbd", {}, key)), make("td", {}, what)));
		dialog.replaceChildren(make("h2", {}, "Keys"), make("table", {}, ...rows), make("form", { method: "dialog" }, make("button", {}, "close")));
		dialog.showModal();
	}
}

ask<Trace>("trace")
	.then((trace) => new Page(trace))
	.catch((error: Error) => {
		find("status").textContent = error.message;
	});
