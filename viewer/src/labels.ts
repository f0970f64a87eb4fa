// labels.ts - the names of the visible rows, with buttons to fold, pin and hide them. Users move rows with the mouse,
// or with Alt and the arrow keys.
import { button, make } from "./dom.ts";
import { isMachine, laneKey, moveBy, type Row } from "./rows.ts";
import type { State } from "./state.ts";
import { divideLabel } from "./text.ts";

/** Pixels that the pointer moves before a press becomes a drag */
const DRAG_PIXELS = 5;

function toggle(set: Set<string>, key: string): void {
	if (!set.delete(key)) set.add(key);
}

/** The key of a row in the choices: a pinned row and the other row of its lane share one. */
function choiceKey(row: Row): string {
	return row.lane ? laneKey(row.lane) : row.key;
}

/** Moves the row @key in front of the row @before of the same group. */
function moveBefore(state: State, around: string, key: string, before: string): void {
	const { choice } = state;
	if (around === "pinned") {
		const others = choice.pinned.filter((other) => other !== key);
		others.splice(others.indexOf(before), 0, key);
		choice.pinned = others;
	} else {
		choice.moves = [...choice.moves.filter(([moved]) => moved !== key), [key, before]];
	}
	state.changed();
}

function step(state: State, rows: Row[], row: Row, is_up: boolean): void {
	const { choice } = state;
	const key = choiceKey(row);
	const keys = row.around === "pinned" ? choice.pinned : rows.filter((other) => other.around === row.around).map(choiceKey);
	const at = keys.indexOf(key);
	const [mover, before] = is_up ? [key, keys[at - 1]] : [keys[at + 1], key];
	if (row.around === "pinned" && mover !== undefined && before !== undefined) return moveBefore(state, "pinned", mover, before);
	const moves = moveBy(choice.moves, keys, key, is_up);
	if (!moves) return;
	choice.moves = moves;
	state.changed();
}

/** A drag of a label to another one of the same group moves the row there. */
function listenToDrag(state: State, row: Row, label: HTMLElement): void {
	label.addEventListener("pointerdown", (press) => {
		if (press.button !== 0 || press.pointerType === "touch" || isMachine(row)) return;
		const target = (event: PointerEvent) => document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>(`.label[data-around="${CSS.escape(row.around)}"]`);
		const isDrag = (event: PointerEvent) => Math.abs(event.clientY - press.clientY) >= DRAG_PIXELS;
		const clear = () => document.querySelector(".label.target")?.classList.remove("target");
		const onMove = (event: PointerEvent) => {
			clear();
			if (isDrag(event)) target(event)?.classList.add("target");
		};
		const onUp = (event: PointerEvent) => {
			removeEventListener("pointermove", onMove);
			clear();
			const before = target(event)?.dataset["choice"];
			if (!isDrag(event)) return;
			const ignore = (click: MouseEvent) => click.stopPropagation();
			addEventListener("click", ignore, { capture: true });
			setTimeout(() => removeEventListener("click", ignore, { capture: true }));
			if (before !== undefined && before !== choiceKey(row)) moveBefore(state, row.around, choiceKey(row), before);
		};
		addEventListener("pointermove", onMove);
		addEventListener("pointerup", onUp, { once: true });
	});
}

/** Groups the buttons of a label, which cover its end. */
function acts(...buttons: HTMLElement[]): HTMLElement {
	return make("span", { class: "acts" }, ...buttons);
}

function hideButton(state: State, row: Row): HTMLButtonElement {
	return button("×", `Hide ${row.label}`, () => {
		state.choice.hidden.add(choiceKey(row));
		state.changed();
	}, "act");
}

/** A label in parts: a name that is too long is shortened, and the numbers at its end are not. @fold: the sign before it */
function partsOf(label: string, fold = ""): HTMLElement[] {
	const [name, numbers] = divideLabel(label);
	return [...(fold ? [make("span", { "aria-hidden": "true" }, fold)] : []), make("span", { class: "name" }, name), make("span", { class: "number" }, numbers)];
}

function groupLabel(state: State, row: Row): HTMLElement {
	const fold = make("button", { class: "text", type: "button", "aria-expanded": String(row.is_open) }, ...partsOf(row.label, `${row.is_open ? "▾" : "▸"} `));
	const label = make("div", { class: "label group", title: row.title }, fold, ...(isMachine(row) ? [] : [acts(hideButton(state, row))]));
	label.addEventListener("click", () => {
		toggle(state.choice.closed, row.key);
		state.changed();
	});
	return label;
}

function laneLabel(state: State, row: Row): HTMLElement {
	const key = laneKey(row.lane!);
	const is_pinned = state.choice.pinned.includes(key);
	const pin = button(is_pinned ? "◆" : "◇", `${is_pinned ? "Unpin" : "Pin to the top:"} ${row.label}`, () => {
		const { choice } = state;
		choice.pinned = is_pinned ? choice.pinned.filter((other) => other !== key) : [...choice.pinned, key];
		state.changed();
	}, "act");
	return make("div", { class: "label", title: row.title }, make("span", { class: "text" }, ...partsOf(row.label)), acts(pin, hideButton(state, row)));
}

/** Remembers the button in @box that has the focus. Returns: a function that focuses it in labels made later; undefined: none has it */
function focusIn(box: HTMLElement): (() => void) | undefined {
	const { activeElement } = document;
	const label = box.contains(activeElement) ? activeElement?.closest<HTMLElement>(".label") : undefined;
	if (!label) return undefined;
	const at = [...label.querySelectorAll("button")].indexOf(activeElement as HTMLButtonElement);
	const selector = `.label[data-key="${CSS.escape(label.dataset["key"]!)}"]`;
	return () => box.querySelector(selector)?.querySelectorAll("button")[at]?.focus({ preventScroll: true });
}

let shown: { all: Row[]; first: Row | undefined; n: number } | undefined;

/** @all: the rows of the whole tree, a new array when anything changes; @rows: those that are visible */
export function showLabels(box: HTMLElement, state: State, all: Row[], rows: Row[]): void {
	if (shown?.all === all && shown.first === rows[0] && shown.n === rows.length) return; // the view was moved in time only
	shown = { all, first: rows[0], n: rows.length };
	const focus = focusIn(box);
	box.replaceChildren(
		...rows.map((row) => {
			const label = row.lane ? laneLabel(state, row) : groupLabel(state, row);
			Object.assign(label.dataset, { key: row.key, choice: choiceKey(row), around: row.around });
			label.style.top = `${row.top}px`;
			label.style.height = `${row.height}px`;
			label.style.paddingLeft = `${4 + 10 * row.level}px`;
			listenToDrag(state, row, label);
			label.addEventListener("keydown", (event) => {
				if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
				event.preventDefault();
				step(state, all, row, event.key === "ArrowUp");
			});
			return label;
		}),
	);
	focus?.();
}

/** The button that unhides lanes */
export function showHidden(shower: HTMLElement, state: State): void {
	const n = state.choice.hidden.size;
	shower.hidden = n === 0;
	shower.textContent = `show ${n} hidden`;
}
