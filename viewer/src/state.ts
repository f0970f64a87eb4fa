// state.ts - what the page shows: the window of time, the selection and the choice of rows. All of this is in the
// URL, so that a link or the back button restores it.
import { Address } from "./address.ts";
import type { Choice, Move } from "./rows.ts";

/** Minimum length of the window, in ns; and, as a share of the trace, four times the distance of two doubles at its end. */
const LEAST_NS = 10;
const LEAST_SHARE = 2 ** -50;

/** The share of the minimum that a window in the URL can have, whose times are rounded */
const ROUNDED_SHARE = 0.75;

/** Words of the URL that describe selection and rows. Further words belong to panels: get(), set(). */
const OWN = ["select", "search", "closed", "hidden", "pinned", "moved"];

/** Keys of rows in a word of the URL, with commas between them. A key can have commas of its own: a lane is named after a function. */
function writeKeys(keys: Iterable<string>): string {
	return [...keys].map((key) => key.replace(/[%,]/g, encodeURIComponent)).join(",");
}

function readKeys(word: string | null): string[] {
	return (word ?? "").split(",").filter((key) => key !== "").map((key) => key.replace(/%2C/g, ",").replace(/%25/g, "%"));
}

export class State {
	from = 0;
	to = 1;
	selection: [number, number] | undefined;
	choice: Choice = { closed: new Set(), hidden: new Set(), pinned: [], moves: [], search: "" };
	follows = false; // whether the window follows the end of a running recording
	private listeners: (() => void)[] = [];
	private restorers: (() => void)[] = [];
	private words = new URLSearchParams(); // of the URL
	private readonly address = new Address(() => this.write());

	/** @start: (optional): the window if the URL has none; the whole trace by default */
	constructor(
		public length: number,
		private start: { from: number; to: number } = { from: 0, to: length },
	) {
		this.read();
		addEventListener("hashchange", () => {
			this.read();
			this.notify();
			for (const restore of this.restorers) restore();
		});
	}

	onChange(listener: () => void): void {
		this.listeners.push(listener);
	}

	/** @restore: called when another address was opened in the page, after the listeners */
	onAddress(restore: () => void): void {
		this.restorers.push(restore);
	}

	/** Calls the listeners, and stores the state in the URL. */
	changed(): void {
		this.address.changed();
		this.notify();
	}

	/** The address of the page, with the present state */
	link(): string {
		this.address.flush();
		return location.href;
	}

	/** The value of a panel's parameter in the URL; empty if there is none */
	get(name: string): string {
		return this.words.get(name) ?? "";
	}

	set(name: string, value: string): void {
		if (this.get(name) === value) return;
		if (value === "") this.words.delete(name);
		else this.words.set(name, value);
		this.changed();
	}

	/** Shows a line for some seconds, which screen readers read out. */
	say(line: string): void {
		dispatchEvent(new CustomEvent("say", { detail: line }));
	}

	private get least(): number {
		return Math.max(LEAST_NS, this.length * LEAST_SHARE);
	}

	setWindow(from: number, to: number): void {
		const length = Math.min(Math.max(to - from, this.least), this.length);
		this.from = Math.min(Math.max(from, 0), this.length - length);
		this.to = this.from + length;
		this.changed();
	}

	/** Sets the new length of a growing trace. A window that follows moves with the end, or grows if it begins with the trace. */
	grow(length: number): void {
		const { from, to } = this;
		this.length = length;
		this.start = { from: 0, to: length };
		if (!this.follows) this.notify();
		else if (from === 0) this.setWindow(0, length);
		else this.setWindow(length - (to - from), length);
	}

	/** Shows the initial window. */
	reset(): void {
		this.setWindow(this.start.from, this.start.to);
	}

	/** Makes the window @factor times as long, and leaves @at where it is. */
	zoom(factor: number, at: number): void {
		const length = Math.min(Math.max((this.to - this.from) * factor, this.least), this.length);
		const share = (at - this.from) / (this.to - this.from);
		this.setWindow(at - share * length, at + (1 - share) * length);
	}

	/** Shows the selection; around an event, which has no length, a tenth of the window. */
	zoomToSelection(): void {
		if (!this.selection) return;
		const [begin, end] = this.selection;
		const margin = end - begin > 1 ? 0 : (this.to - this.from) / 20;
		this.setWindow(begin - margin, (margin > 0 ? begin : end) + margin);
	}

	/** The fixed point when keys and buttons zoom */
	get anchor(): number {
		return this.follows ? this.to : (this.from + this.to) / 2;
	}

	/** Moves the window by a share of its length. */
	pan(share: number): void {
		const step = (this.to - this.from) * share;
		this.setWindow(this.from + step, this.to + step);
	}

	/** Selects a range of all lanes, or nothing. */
	select(range: [number, number] | undefined): void {
		this.selection = range;
		this.words.delete("lane");
		this.changed();
	}

	private notify(): void {
		for (const listener of this.listeners) listener();
	}

	private write(): string {
		const { words } = this;
		words.set("from", String(Math.round(this.from)));
		words.set("to", String(Math.round(this.to)));
		for (const name of OWN) words.delete(name);
		const { closed, hidden, pinned, moves, search } = this.choice;
		if (this.selection) words.set("select", this.selection.map(Math.round).join("-"));
		if (search) words.set("search", search);
		if (closed.size > 0) words.set("closed", writeKeys(closed));
		if (hidden.size > 0) words.set("hidden", writeKeys(hidden));
		if (pinned.length > 0) words.set("pinned", writeKeys(pinned));
		if (moves.length > 0) words.set("moved", writeKeys(moves.flat()));
		return words.toString();
	}

	private read(): void {
		const words = (this.words = new URLSearchParams(location.hash.slice(1)));
		const number = (name: string, otherwise: number) => {
			const value = Number(words.get(name) ?? otherwise);
			return Number.isFinite(value) ? Math.min(Math.max(value, 0), this.length) : otherwise;
		};
		const list = (name: string) => readKeys(words.get(name));
		this.from = number("from", this.start.from);
		this.to = number("to", this.start.to);
		if (this.to - this.from < this.least * ROUNDED_SHARE) ({ from: this.from, to: this.to } = this.start);
		const range = (words.get("select") ?? "").split("-").map((time) => Math.min(Number(time), this.length));
		this.selection = range.length === 2 && range[0]! < range[1]! ? [range[0]!, range[1]!] : undefined;
		this.choice = {
			closed: new Set(list("closed")),
			hidden: new Set(list("hidden")),
			pinned: list("pinned"),
			moves: list("moved").flatMap((key, i, keys): Move[] => (i % 2 === 0 && i + 1 < keys.length ? [[key, keys[i + 1]!]] : [])),
			search: words.get("search") ?? "",
		};
	}
}
