// text.ts - shortens texts to the room that they have.

type Measure = (text: string) => number;

const ELLIPSIS = "…";

/** A shorter text ends with "…". Returns: an empty text if not even two characters have room */
export function shorten(text: string, room: number, measure: Measure): string {
	const width = measure(text);
	if (width <= room) return text;
	const fits = (n: number) => measure(text.slice(0, n) + ELLIPSIS) <= room;
	let n = Math.max(Math.floor((text.length * (room - measure(ELLIPSIS))) / width), 1); // nearly
	while (fits(n + 1)) n++;
	while (n > 1 && !fits(n)) n--;
	return n > 1 ? text.slice(0, n) + ELLIPSIS : "";
}

/** Where "request" begins in "http.request" */
function shortFrom(name: string): number {
	return name.endsWith(".") ? 0 : name.lastIndexOf(".") + 1;
}

/** The name of a span: "http.request", or "request", or as much of this as there is room for, because many names begin alike. */
export function shortenName(name: string, room: number, measure: Measure): string {
	if (measure(name) <= room) return name;
	return shorten(name.slice(shortFrom(name)), room, measure);
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
