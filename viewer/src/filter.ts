// filter.ts - the filter: marks events and spans, or hides all others, and jumps from match to match.
import { ask } from "./api.ts";
import { offset } from "./clock.ts";
import { shiftOf } from "./compare.ts";
import { find } from "./dom.ts";
import { jump, type Host } from "./host.ts";
import { showMistake } from "./place.ts";

interface Doubts {
	doubts: { byte: number; message: string; nearest?: string }[];
}

interface Match {
	time: number | null;
	lane?: number;
	event?: string;
}

export class Filter {
	/** The filter that the server has accepted; empty: none */
	accepted = "";
	private readonly input = find<HTMLInputElement>("filter");
	private readonly mode = find<HTMLSelectElement>("filter-mode");
	private readonly mistake = find("filter-mistake");
	private control: AbortController | undefined;
	private checked = "";
	private last: { time: number; shown: number } | undefined; // the match that was reached last, and its place on the page

	constructor(private readonly host: Host, private readonly onAccepted: () => void) {
		const { state } = host;
		this.input.addEventListener("change", () => state.set("filter", this.input.value.trim()));
		this.input.addEventListener("keydown", (event) => {
			if (event.key === "Enter") void this.step(!event.shiftKey);
			if (event.key === "Escape") {
				this.input.value = "";
				state.set("filter", "");
				this.input.blur();
			}
		});
		this.mode.addEventListener("change", () => state.set("show", this.mode.value));
		find("filter-next").addEventListener("click", () => void this.step(true));
		find("filter-previous").addEventListener("click", () => void this.step(false));
		state.onChange(() => void this.follow());
		void this.follow();
	}

	get hides(): boolean {
		return this.accepted !== "" && this.host.state.get("show") === "matches";
	}

	private async follow(): Promise<void> {
		const text = this.host.state.get("filter");
		this.mode.value = this.host.state.get("show");
		if (text === this.checked) return;
		this.checked = text;
		if (document.activeElement !== this.input || text === "") this.input.value = text;
		document.body.classList.toggle("filtered", text !== "");
		this.mistake.hidden = true;
		try {
			if (text !== "") this.showDoubts(await ask<Doubts>("filter", { filter: text }), text);
			if (text !== this.checked) return;
			this.accepted = text;
		} catch (error) {
			if (text !== this.checked) return;
			this.accepted = "";
			showMistake(this.mistake, (error as Error).message, text);
		}
		this.onAccepted();
	}

	private showDoubts({ doubts }: Doubts, text: string): void {
		const first = doubts[0];
		if (!first) return;
		const hint = first.nearest ? `; did you mean ${first.nearest}?` : "";
		showMistake(this.mistake, `${first.byte >= 0 ? `byte ${first.byte}: ` : ""}${first.message}${hint}`, text);
	}

	/** Jumps to the next match after the selection, or to the previous one before it. */
	async step(is_forward: boolean): Promise<void> {
		const { state, trace } = this.host;
		const filter = this.input.value.trim();
		if (filter !== state.get("filter")) state.set("filter", filter);
		if (filter === "") return this.input.focus();
		this.control?.abort();
		const control = (this.control = new AbortController());
		const selected = state.selection?.[0];
		const at = selected === undefined ? (is_forward ? state.from - 1 : state.to) : selected === this.last?.shown ? this.last.time : selected;
		const place: Record<string, number> = is_forward ? { from: Math.min(Math.max(Math.floor(at) + 1, 0), trace.length) } : { before: Math.ceil(at) };
		try {
			const match = await ask<Match>("find", { filter, ...place }, control.signal);
			if (match.time === null) return state.say(is_forward ? "There is no match after the selection." : "There is no match before the selection.");
			const lane = this.host.lanes().find((lane) => lane.id === match.lane);
			this.last = { time: match.time, shown: match.time + (lane ? shiftOf(state, lane.trace) : 0) };
			jump(state, this.last.shown);
			if (lane) this.host.reveal(lane.id);
			this.host.showSelection();
			state.say(`${match.event} at ${offset(match.time)}`);
		} catch (error) {
			if (!control.signal.aborted) showMistake(this.mistake, (error as Error).message, filter);
		}
	}
}
