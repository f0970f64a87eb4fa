// host.ts - the interface of the page to its panels.
import type { Damage, Lane, Trace } from "./answers.ts";
import { find } from "./dom.ts";
import type { State } from "./state.ts";

export interface Host {
	readonly trace: Trace;
	readonly state: State;
	lanes(): Lane[];
	damage(): Damage[];
	repaint(): void;
	/** Scrolls to a lane. */
	reveal(lane: number): void;
	/** Shows the details of the selection. @only_if_open: if details are shown */
	showSelection(only_if_open?: boolean): Promise<void>;
	/** Lists in SQL what a thread did in [from, to), in ns after the start of the trace. */
	why(lane: Lane, from: number, to: number): void;
	/** The time under the pointer, or the middle of the window */
	pointer(): number;
}

/** Selects [ns, ns + length) and moves the window there. The window keeps its length if the selection fits. */
export function jump(state: State, ns: number, length = 0): void {
	const window = Math.max(state.to - state.from, 2 * length);
	const is_visible = ns >= state.from && ns + length <= state.to;
	state.selection = [ns, Math.min(ns + Math.max(length, 1), state.length)];
	state.set("lane", "");
	if (is_visible) state.changed();
	else state.setWindow(ns + length / 2 - window / 2, ns + length / 2 + window / 2);
}

/** The margin on each side of what zoomTo() shows, as a share of its length */
const MARGIN = 0.15;

/** Selects [ns, ns + length) and zooms to it. */
export function zoomTo(state: State, ns: number, length: number): void {
	state.selection = [ns, Math.min(ns + length, state.length)];
	state.set("lane", "");
	state.setWindow(ns - MARGIN * length, ns + (1 + MARGIN) * length);
}

const docked = ["sql", "compare"];

/** Shows one of the panels at the bottom, or none. The name of the panel is in the URL. */
export function dock(state: State, name: string): void {
	state.set("panel", state.get("panel") === name ? "" : name);
}

/** Shows the panel that the state names. */
export function showDocked(state: State): void {
	for (const name of docked) {
		const is_open = state.get("panel") === name;
		find(name).hidden = !is_open;
		find(`open-${name}`).setAttribute("aria-pressed", String(is_open));
	}
}

/** Centres the window on a time. */
export function showTime(state: State, ns: number): void {
	const half = (state.to - state.from) / 2;
	state.setWindow(ns - half, ns + half);
}
