// text.ts - shortens texts to the room that they have, and escapes characters that would make them look like others.

type Measure = (text: string) => number;

const ELLIPSIS = "…";

/** Characters that are measured: no screen has room for more. A trace can have names of any length, whose characters need
 * not have a width. */
const MAX_LENGTH = 2000;

function hasRoom(text: string, room: number, measure: Measure): boolean {
	return text.length <= MAX_LENGTH && measure(text) <= room;
}

/** A shorter text ends with "…". Returns: an empty text if not even two characters have room */
export function shorten(text: string, room: number, measure: Measure): string {
	if (hasRoom(text, room, measure)) return text;
	const begin = text.slice(0, MAX_LENGTH);
	const fits = (n: number) => measure(begin.slice(0, n) + ELLIPSIS) <= room;
	let [low, high] = [0, begin.length]; // how much fits is between them
	let n = Math.min(Math.max(Math.floor((begin.length * (room - measure(ELLIPSIS))) / measure(begin)), 1), high); // nearly
	for (let is_first = true; low < high; is_first = false) {
		const is_fit = fits(n);
		if (is_fit) low = n;
		else high = n - 1;
		n = is_first ? (is_fit ? n + 1 : high) : (low + high + 1) >> 1;
	}
	return low > 1 ? begin.slice(0, low) + ELLIPSIS : "";
}

/** Where "request" begins in "http.request" */
function shortFrom(name: string): number {
	return name.endsWith(".") ? 0 : name.lastIndexOf(".") + 1;
}

/** The name of a span: "http.request", or "request", or as much of this as there is room for, because many names begin alike. */
export function shortenName(name: string, room: number, measure: Measure): string {
	if (hasRoom(name, room, measure)) return name;
	return shorten(name.slice(shortFrom(name)), room, measure);
}

/** Controls, and characters that reorder or break a line: those that libltt escapes for a terminal */
const CONTROLS = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb]/g;

/** "\u202e" for such a character, as libltt writes it */
export function escapeControls(text: string): string {
	return text.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Divides a label into a name and the numbers at its end: "server", " 17, 23". A regular expression would look for them at each
 * number of a long name. */
export function divideLabel(label: string): [name: string, numbers: string] {
	const words = label.split(" ");
	let first = words.length; // of the numbers
	while (first > 1 && (first === words.length ? /^\d+$/ : /^\d+,$/).test(words[first - 1]!)) first--;
	const name = words.slice(0, first).join(" ");
	return [name, label.slice(name.length)];
}

const widths = new Map<string, number>();
const MAX_WIDTHS = 20000;

/** Measures in the present font of @context, and keeps the results: the same texts are drawn again and again. */
export function measureIn(context: CanvasRenderingContext2D): Measure {
	const { font } = context;
	return (text) => {
		const key = `${font} ${text}`;
		const known = widths.get(key);
		if (known !== undefined) return known;
		if (widths.size >= MAX_WIDTHS) widths.clear();
		const { width } = context.measureText(text);
		widths.set(key, width);
		return width;
	};
}
