// dom.ts - creates and finds elements. Text from a trace only becomes text nodes, and never markup.

export function find<T extends HTMLElement>(id: string): T {
	const element = document.getElementById(id);
	if (!element) throw new Error(`no element ${id}`);
	return element as T;
}

type Child = Node | string | undefined;

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
	for (const child of children) if (child !== undefined) element.append(child);
	return element;
}

/** Whether a text says something when it is read out, unlike "×" */
export function isReadable(text: string): boolean {
	return /[\p{L}\p{N}]{2}|^\p{N}$/u.test(text);
}

/** @label: what it does: the tooltip, and the name of a button that has a sign only. A readable text remains the name, because
 * screen readers would not read it out otherwise. */
export function button(text: string, label: string, onClick: () => void, kind = ""): HTMLButtonElement {
	const name = isReadable(text) ? {} : { "aria-label": label };
	const element = make("button", { type: "button", title: label, ...name, class: kind }, text);
	element.addEventListener("click", (event) => {
		event.stopPropagation();
		onClick();
	});
	return element;
}

/** A table of two columns, the first of which has the names of the values */
export function pairs(rows: string[][]): HTMLTableElement {
	return make("table", {}, ...rows.map(([name, value]) => make("tr", {}, make("th", { scope: "row" }, name), make("td", { class: "number" }, value))));
}

/** A table; cells that begin with a digit are numbers. */
export function table(headings: string[], rows: string[][]): HTMLTableElement {
	const body = rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", /^[+-]?[\d.,]+( \w+)?$/.test(cell) ? { class: "number" } : {}, cell))));
	return make("table", {}, make("tr", {}, ...headings.map((heading) => make("th", { scope: "col" }, heading))), ...body);
}
