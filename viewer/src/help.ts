// help.ts - the keys of the panels, the list of all keys, the link, and the hints for new users.
import { saved } from "./api.ts";
import { find, make, button } from "./dom.ts";
import { dock, type Host } from "./host.ts";
import { slowestQuery } from "./sql.ts";

const HINTS = "ltt-hints";

/** [keys, their effect] by topic. input.ts handles the keys of the lanes. */
const KEYS: [string, [string, string][]][] = [
	["Time", [
		["W S", "zoom in and out"],
		["A D", "move to the left and right"],
		["← → ↑ ↓", "the same"],
		["0", "show the whole trace"],
		["F", "zoom to the selection"],
		["G", "follow the end of a recording that is running, or stop following it"],
		["I", "show the details of the selection or of the visible time, or hide them"],
		["Esc", "drop the selection"],
	]],
	["Mouse", [
		["click", "show a span or an event"],
		["drag", "select an interval of time"],
		["over a thread", "arrows show what woke it, and what it woke; a click keeps them"],
		["Shift drag", "move"],
		["Ctrl wheel", "zoom"],
		["double click", "zoom in"],
		["drag a label", "move a lane or a group"],
	]],
	["Lanes", [
		["Tab", "go to labels and their buttons, to fold, pin and hide"],
		["Alt ↑, Alt ↓", "move the lane or group up or down"],
	]],
	["Touch", [
		["tap", "show a span or an event"],
		["drag", "move"],
		["two fingers", "zoom"],
		["hold, then drag", "select an interval of time"],
	]],
	["Search", [
		["/", "find lanes"],
		["E", "filter events and spans"],
		["N, Shift N", "go to the next and the previous match of the filter"],
		["Q", "open the SQL panel; Ctrl Enter runs the query"],
	]],
	["Keep and share", [
		["B", "bookmark the selection, or the time at the pointer"],
		["L", "copy the link to this view"],
		["P", "save a picture of this view"],
		["C", "compare two traces"],
		["M", "move the traces so that their events of a name are at one place"],
		["T", "dark or light"],
		["?", "this page"],
	]],
];

/** Keys without an effect on a page in a file */
const NEED_SERVER = ["G", "E", "N, Shift N", "Q", "B", "L", "C", "M"];

export interface Actions {
	bookmark(): void;
	step(is_forward: boolean): void;
	picture(): void;
	follow(): void;
	details(): void;
}

export class Help {
	private timer = 0;

	constructor(private readonly host: Host, private readonly actions: Actions) {
		const { state } = host;
		addEventListener("keydown", (event) => this.press(event));
		addEventListener("say", (event) => this.say((event as CustomEvent<string>).detail));
		find("open-sql").addEventListener("click", () => dock(state, "sql"));
		find("slowest").addEventListener("click", () => this.findSlowest());
		find("open-compare").addEventListener("click", () => dock(state, "compare"));
		find("link").addEventListener("click", () => void this.copyLink());
		find("bookmark").addEventListener("click", () => actions.bookmark());
		find("picture").addEventListener("click", () => actions.picture());
		find("theme").addEventListener("click", () => this.switchTheme());
		state.onChange(() => this.showTheme());
		this.showTheme();
		this.showHints();
	}

	private press(event: KeyboardEvent): void {
		const { target } = event;
		const is_typing = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
		if (is_typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
		if (saved && !"iptIPT".includes(event.key)) return;
		const { state } = this.host;
		switch (event.key) {
			case "n": this.actions.step(true); break;
			case "N": this.actions.step(false); break;
			case "e": case "E": find("filter").focus(); break;
			case "b": case "B": this.actions.bookmark(); break;
			case "l": case "L": void this.copyLink(); break;
			case "p": case "P": this.actions.picture(); break;
			case "t": case "T": this.switchTheme(); break;
			case "g": case "G": this.actions.follow(); break;
			case "i": case "I": this.actions.details(); break;
			case "c": case "C": if (this.host.trace.traces.length > 1) dock(state, "compare"); break;
			case "m": case "M": this.openAlign(); break;
			case "q": case "Q": dock(state, "sql"); if (state.get("panel") === "sql") find("sql-text").focus(); break;
			default: return;
		}
		event.preventDefault();
	}

	private findSlowest(): void {
		const { state } = this.host;
		state.set("sql", slowestQuery(this.host.trace));
		state.set("panel", "sql");
	}

	private openAlign(): void {
		if (this.host.trace.traces.length < 2) return;
		this.host.state.set("panel", "compare");
		find<HTMLInputElement>("align").select();
	}

	private say(line: string): void {
		const box = find("say");
		box.textContent = line;
		box.hidden = false;
		clearTimeout(this.timer);
		this.timer = window.setTimeout(() => (box.hidden = true), 4000);
	}

	private async copyLink(): Promise<void> {
		try {
			await navigator.clipboard.writeText(this.host.state.link());
			this.say("The link is on the clipboard. It shows this view on this machine while `ltt view` runs; a picture, or a page of `ltt view --html`, shows it elsewhere.");
		} catch {
			this.say("The browser does not allow copying: the link is the address of this page.");
		}
	}

	/** The theme of the URL, or that of the system */
	private isDark(): boolean {
		return (this.host.state.get("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
	}

	private switchTheme(): void {
		this.host.state.set("theme", this.isDark() ? "light" : "dark");
	}

	private showTheme(): void {
		document.documentElement.dataset["theme"] = this.isDark() ? "dark" : "light";
		find("theme").textContent = this.isDark() ? "☀" : "☾";
	}

	/** Lists all keys. */
	showKeys(): void {
		const dialog = find<HTMLDialogElement>("keys");
		const known = KEYS.map(([topic, keys]) => [topic, keys.filter(([key]) => !saved || !NEED_SERVER.includes(key))] as const);
		const topics = known.filter(([, keys]) => keys.length > 0).map(([topic, keys]) =>
			make("section", {}, make("h3", {}, topic), make("table", {}, ...keys.map(([key, what]) => make("tr", {}, make("td", {}, make("kbd", {}, key)), make("td", {}, what))))));
		dialog.replaceChildren(make("h2", {}, "Keys"), make("div", { class: "topics" }, ...topics), make("form", { method: "dialog" }, make("button", {}, "Close"), ...(saved ? [] : [button("Show the hints again", "Show the line of hints for the first use", () => {
			localStorage.removeItem(HINTS);
			dialog.close();
			this.showHints();
		})])));
		dialog.showModal();
		dialog.scrollTop = 0; // the button that has the focus is at the end
	}

	/** Shows one line of hints, until the user closes it. */
	private showHints(): void {
		const box = find("hints");
		const { state, trace } = this.host;
		try {
			if (localStorage.getItem(HINTS) === "off") return;
		} catch {
			return; // without storage the user could not close the line for good
		}
		const close = button("×", "Do not show these hints again", () => {
			localStorage.setItem(HINTS, "off");
			box.hidden = true;
		});
		box.replaceChildren(
			button("Find the slowest", "List the longest spans", () => this.findSlowest()),
			...(trace.traces.length > 1 ? [button("Compare the traces", "Which spans take longer", () => state.set("panel", "compare"))] : [make("span", {}, "compare two: ", make("code", {}, "ltt view BEFORE AFTER"))]),
			button("Save a picture", "Of what is shown now", () => this.actions.picture()),
			make("span", {}, "click a span to see it, drag to select an interval of time, ", make("kbd", {}, "W"), make("kbd", {}, "S"), " zoom, ", make("kbd", {}, "?"), " lists the keys"),
			close,
		);
		box.hidden = false;
	}
}

