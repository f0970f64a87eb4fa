// labels.ts - the names of the visible rows, with buttons to fold, pin and hide them.
import { button, make } from "./dom.ts";
import type { Row } from "./rows.ts";
import { laneKey } from "./rows.ts";
import type { State } from "./state.ts";

function toggle(set: Set<string>, key: string): void {
	if (!set.delete(key)) set.add(key);
}

function groupLabel(state: State, row: Row): HTMLElement {
	const label = make("button", { class: "label group", type: "button", title: row.title, "aria-expanded": String(row.is_open) }, make("span", { class: "text" }, `${row.is_open ? "▾" : "▸"} ${row.label}`));
	label.addEventListener("click", () => {
		toggle(state.choice.closed, row.key);
		state.changed();
	});
	return label;
}

function laneLabel(state: State, row: Row): HTMLElement {
	const key = laneKey(row.lane!);
	const is_pinned = state.choice.pinned.includes(key);
	const pin = button(is_pinned ? "◆" : "◇", is_pinned ? "Unpin" : "Pin to the top", () => {
		const { choice } = state;
		choice.pinned = is_pinned ? choice.pinned.filter((other) => other !== key) : [...choice.pinned, key];
		state.changed();
	}, "act");
	const hide = button("×", "Hide; reload the whole view to show it again", () => {
		state.choice.hidden.add(key);
		state.changed();
	}, "act");
	return make("div", { class: "label", title: row.title }, make("span", { class: "text" }, row.label), pin, hide);
}

export function showLabels(box: HTMLElement, state: State, rows: Row[]): void {
	box.replaceChildren(
		...rows.map((row) => {
			const label = row.lane ? laneLabel(state, row) : groupLabel(state, row);
			label.style.top = `${row.top}px`;
			label.style.height = `${row.height}px`;
			label.style.paddingLeft = `${4 + 10 * row.level}px`;
			return label;
		}),
	);
}
