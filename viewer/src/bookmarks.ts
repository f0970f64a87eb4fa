// bookmarks.ts - the strip of bookmarks above the lanes, and the dialog that edits one. Bookmarks are stored in the
// trace. If the trace cannot be written, they are stored in the URL, and have a dashed border.
import { ask, send } from "./api.ts";
import { duration, offset } from "./clock.ts";
import { shiftOf } from "./compare.ts";
import { button, find, make } from "./dom.ts";
import { jump, type Host } from "./host.ts";
import type { Scale } from "./paint.ts";

export interface Mark {
	trace: number;
	index: number; // in the trace, or in the URL
	time: number;
	length: number;
	name: string;
	text: string;
	is_local?: boolean; // in the URL
}

interface Answer {
	bookmarks: Mark[];
	obstacles: (string | null)[];
	problems: string[]; // why bookmarks are missing
}

/** The bookmarks of the URL: [time, length, name, text] of each. Ignores anything malformed. */
export function readMarks(word: string): Mark[] {
	try {
		const list: unknown = JSON.parse(word || "[]");
		if (!Array.isArray(list)) return [];
		return list.flatMap((item: unknown, index) => {
			if (!Array.isArray(item)) return [];
			const [time, length, name, text] = item as unknown[];
			if (typeof time !== "number" || typeof length !== "number" || typeof name !== "string") return [];
			return [{ trace: 0, index, time, length, name, text: typeof text === "string" ? text : "", is_local: true }];
		});
	} catch {
		return [];
	}
}

export function writeMarks(marks: Mark[]): string {
	return marks.length === 0 ? "" : JSON.stringify(marks.map((mark) => [Math.round(mark.time), Math.round(mark.length), mark.name, mark.text]));
}

export class Bookmarks {
	private stored: Mark[] = [];
	private obstacles: (string | null)[] = [];
	private readonly strip = find("flags");
	private readonly editor = find<HTMLDialogElement>("flag-editor");
	private readonly unread = find("flag-problem");
	private known: { stored: Mark[]; word: string; all: Mark[] } | undefined;
	private painted: { all: Mark[]; place: string } | undefined;

	constructor(private readonly host: Host) {
		this.take({ bookmarks: [], obstacles: [], problems: [] });
		void this.read();
	}

	/** Those of the trace and of the URL; the same array until they change. A trace can have 100,000 of them. */
	get all(): Mark[] {
		const { stored } = this;
		const word = this.host.state.get("marks");
		if (this.known?.stored !== stored || this.known.word !== word) this.known = { stored, word, all: [...stored, ...readMarks(word)] };
		return this.known.all;
	}

	private async read(): Promise<void> {
		this.take(await ask<Answer>("bookmarks"));
	}

	private take(answer: Answer): void {
		this.stored = answer.bookmarks;
		this.obstacles = answer.obstacles;
		this.unread.textContent = this.unread.title = answer.problems.join("\n");
		this.host.repaint();
	}

	/** The shift of the trace of a stored bookmark, in ns */
	private shift(mark: Mark): number {
		return mark.is_local ? 0 : shiftOf(this.host.state, mark.trace);
	}

	private isVisible(mark: Mark, scale: Scale): boolean {
		const time = mark.time + this.shift(mark);
		return time <= scale.to && time + mark.length >= scale.from;
	}

	/** Draws a line for each bookmark through the lanes, or through the overview, and shades intervals. */
	paintLines(context: CanvasRenderingContext2D, scale: Scale, height: number, ink: string): void {
		const drawn = new Set<number>();
		context.fillStyle = ink;
		for (const mark of this.all) {
			if (!this.isVisible(mark, scale)) continue;
			const time = mark.time + this.shift(mark);
			const x = Math.round(scale.x(time));
			if (!drawn.has(x)) context.fillRect(x, 0, 1, height);
			drawn.add(x);
			if (mark.length <= 0) continue;
			context.globalAlpha = 0.08;
			context.fillRect(x, 0, Math.max(scale.x(time + mark.length) - x, 1), height);
			context.globalAlpha = 1;
		}
	}

	/** Shows the flags of the visible window. */
	paintFlags(scale: Scale): void {
		const all = this.all;
		const place = JSON.stringify([scale, this.host.state.get("shift")]);
		find("flag-row").hidden = all.length === 0 && this.unread.textContent === "";
		if (this.painted?.all === all && this.painted.place === place) return;
		this.painted = { all, place };
		const visible = all.filter((mark) => this.isVisible(mark, scale)).slice(0, 500);
		this.strip.replaceChildren(
			...visible.map((mark) => {
				const about = `${mark.name}: ${offset(mark.time)}${mark.length > 0 ? `, ${duration(mark.length)}` : ""}${mark.text ? `\n${mark.text}` : ""}`;
				const flag = button(mark.name, about, () => this.edit(mark), mark.is_local ? "flag local" : "flag");
				flag.style.left = `${Math.max(scale.x(mark.time + this.shift(mark)), 0)}px`;
				return flag;
			}),
		);
	}

	/** Makes a bookmark of the selection, or at @ns. */
	make(ns: number): void {
		const selected = this.host.state.selection;
		const is_long = selected !== undefined && selected[1] - selected[0] > 1;
		const time = Math.round(selected ? selected[0] : ns);
		const trace = this.writable();
		const is_stored = this.obstacles[trace] === null;
		this.edit({ trace, index: -1, time: time - (is_stored ? shiftOf(this.host.state, trace) : 0), length: is_long ? Math.round(selected[1] - selected[0]) : 0, name: `bookmark ${this.all.length + 1}`, text: "" });
	}

	private writable(): number {
		return Math.max(this.obstacles.findIndex((obstacle) => obstacle === null), 0);
	}

	private edit(mark: Mark): void {
		const obstacle = mark.is_local ? null : this.obstacles[mark.trace];
		const is_new = mark.index < 0;
		const name = make("input", { value: mark.name, "aria-label": "Name", maxlength: "200", required: "" });
		const text = make("textarea", { rows: "3", "aria-label": "Note", placeholder: "note" }, mark.text);
		const message = make("p", { class: "hint" });
		if (obstacle) message.textContent = is_new ? `${obstacle}: the bookmark is kept in the link to this page.` : `${obstacle}: this bookmark cannot be changed.`;
		else if (mark.is_local) message.textContent = "This bookmark is in the link to this page only.";
		const finish = async (action: "add" | "change" | "remove") => {
			try {
				await this.change(action, { ...mark, name: name.value.trim() || mark.name, text: text.value.trim() }, mark.name);
				this.editor.close();
			} catch (error) {
				message.textContent = (error as Error).message;
				message.classList.add("bad");
			}
		};
		const is_fixed = obstacle != null && !is_new;
		const save = make("button", { type: "submit" }, is_new ? "Add" : "Save");
		const form = make(
			"form", {},
			make("h2", {}, `${is_new ? "New bookmark" : "Bookmark"} at ${offset(mark.time)}${mark.length > 0 ? `, ${duration(mark.length)}` : ""}`),
			name, text, message,
			make("div", { class: "buttons" },
				...(is_fixed ? [] : [save]),
				...(is_new || is_fixed ? [] : [button("Remove", "Remove this bookmark", () => void finish("remove"))]),
				...(is_new ? [] : [button("Go there", "Select its time", () => this.goTo(mark))]),
				button("Close", "Change nothing", () => this.editor.close())));
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			if (!is_fixed) void finish(is_new ? "add" : "change");
		});
		this.editor.replaceChildren(form);
		this.editor.showModal();
		name.select();
	}

	private goTo(mark: Mark): void {
		this.editor.close();
		jump(this.host.state, mark.time + this.shift(mark), mark.length);
		this.host.showSelection();
	}

	private async change(action: "add" | "change" | "remove", mark: Mark, was: string): Promise<void> {
		if (mark.is_local || this.obstacles[mark.trace] != null) return this.changeUrl(action, mark);
		const { trace, index, time, length, name, text } = mark;
		const place: Record<string, string | number> = index < 0 ? { time, length } : { index, was }; // its time is kept
		this.take(await send<Answer>("bookmarks", { action, trace, name, text, ...place }));
	}

	private changeUrl(action: "add" | "change" | "remove", mark: Mark): void {
		const marks = readMarks(this.host.state.get("marks"));
		if (action === "add") marks.push(mark);
		else marks.splice(mark.index, 1, ...(action === "change" ? [mark] : []));
		this.host.state.set("marks", writeMarks(marks));
	}
}
