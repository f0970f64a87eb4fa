// exact.ts - JSON whose numbers keep their text. JSON.parse() makes doubles of them: 9007199254740993 becomes 9007199254740992.

/** A number as the server has written it */
export class Digits {
	constructor(readonly text: string) {}
}

/** A number that a double holds, or the text of one */
export type Exact = number | Digits;

/** The nearest double; NaN without a number */
export function toDouble(value: Exact | null | undefined): number {
	return value instanceof Digits ? Number(value.text) : (value ?? NaN);
}

export function toText(value: Exact): string {
	return value instanceof Digits ? value.text : String(value);
}

/** A name that no field has */
const KEY = "\0";

/** A number, or the begin of a string, which can be too long for a regular expression */
const TOKEN = /"|-?\d[\d.eE+-]*/g;

/** The index after the string that begins before @at */
function endOfString(text: string, at: number): number {
	for (let quote = text.indexOf('"', at); quote >= 0; quote = text.indexOf('"', quote + 1)) {
		let before = quote;
		while (text[before - 1] === "\\") before--;
		if ((quote - before) % 2 === 0) return quote + 1;
	}
	return text.length;
}

/** JSON with objects in the place of numbers that JavaScript would write differently */
function mark(text: string): string {
	const parts: string[] = [];
	let done = 0;
	TOKEN.lastIndex = 0;
	for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
		const [token] = found;
		if (token === '"') {
			TOKEN.lastIndex = endOfString(text, found.index + 1);
		} else if (String(Number(token)) !== token) {
			parts.push(text.slice(done, found.index), `{"\\u0000":"${token}"}`);
			done = TOKEN.lastIndex;
		}
	}
	return parts.join("") + text.slice(done);
}

/** Parses JSON. Numbers that JavaScript would write differently become Digits. */
export function parseExactly(text: string): unknown {
	return JSON.parse(mark(text), (_, value) => (value instanceof Object && KEY in value ? new Digits((value as { [KEY]: string })[KEY]) : value));
}

/** The text of a value in JSON, with the digits that it had */
export function toJson(value: unknown): string {
	if (value instanceof Digits) return value.text;
	if (Array.isArray(value)) return `[${value.map(toJson).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	return `{${Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${toJson(item)}`).join(",")}}`;
}
