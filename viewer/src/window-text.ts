// window-text.ts - says which time the page shows, and how much of it is selected: left of the ruler, and to screen readers
// when the window rests.
import { duration, offset } from "./clock.ts";
import { find } from "./dom.ts";
import type { State } from "./state.ts";

/** Milliseconds without a change after which screen readers announce it */
const REST_MS = 700;

export function describeWindow(from: number, to: number, selection: [number, number] | undefined): string {
	if (!selection) return `${duration(to - from)} from ${offset(from)}`;
	const length = selection[1] - selection[0];
	return length > 1 ? `selected ${duration(length)} of ${duration(to - from)}` : `selected ${offset(selection[0])}`;
}

export class WindowText {
	private readonly box = find("window");
	private timer = 0;

	show({ from, to, selection, follows }: State): void {
		const text = describeWindow(from, to, selection);
		if (this.box.textContent === text) return;
		const is_first = this.box.textContent === "";
		this.box.textContent = this.box.title = text;
		clearTimeout(this.timer);
		if (!is_first && !follows) this.timer = window.setTimeout(() => (find("spoken").textContent = text), REST_MS);
	}
}
