// tabs.ts - a row of tabs with the roles of ARIA: arrow keys move between the tabs.
import { make } from "./dom.ts";

export class Tabs {
	private readonly buttons: Map<string, HTMLButtonElement>;

	/** @names: the labels by name; the first one is the default */
	constructor(box: HTMLElement, names: Record<string, string>, onChoose: (name: string) => void) {
		this.buttons = new Map(
			Object.entries(names).map(([name, label]) => {
				const tab = make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "details" }, label);
				tab.addEventListener("click", () => onChoose(name));
				tab.addEventListener("keydown", (event) => {
					const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
					if (step === 0) return;
					event.stopPropagation();
					event.preventDefault();
					const all = [...this.buttons.keys()];
					const next = all[(all.indexOf(name) + step + all.length) % all.length]!;
					onChoose(next);
					this.buttons.get(next)!.focus();
				});
				return [name, tab];
			}),
		);
		box.setAttribute("role", "tablist");
		box.replaceChildren(...this.buttons.values());
	}

	/** Selects a tab. Returns: its name, or that of the first tab if the name is unknown */
	show(name: string): string {
		const chosen = this.buttons.has(name) ? name : [...this.buttons.keys()][0]!;
		for (const [other, tab] of this.buttons) {
			tab.setAttribute("aria-selected", String(other === chosen));
			tab.tabIndex = other === chosen ? 0 : -1;
		}
		return chosen;
	}
}
