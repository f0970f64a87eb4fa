// values.ts - formats and compares the values of an SQL result, and writes them as CSV.

export type Value = null | number | string | { number: string } | { bytes: string };

export interface Result {
	columns: string[];
	rows: Value[][];
	more: boolean;
	cut: number;
	problems?: number; // blocks that are damaged or could not be read
	problem?: string; // the first of them
}

/** Integers up to here are numbers in JSON. Larger ones are texts, so that a larger number is a real. */
const MAX_EXACT = 2 ** 53;

/** A large real as `ltt sql` writes it: JavaScript would write the digits of an integer, of which the last ones are wrong. */
function showNumber(value: number): string {
	return Number.isInteger(value) && Math.abs(value) > MAX_EXACT ? value.toExponential() : String(value);
}

export function show(value: Value): string {
	if (value === null) return "";
	if (typeof value === "object") return "number" in value ? value.number : value.bytes;
	return typeof value === "number" ? showNumber(value) : value;
}

/** A number as a double, or undefined */
export function toNumber(value: Value): number | undefined {
	if (typeof value === "number") return value;
	if (value !== null && typeof value === "object" && "number" in value) return value.number.endsWith("inf") ? Number(value.number.replace("inf", "Infinity")) : Number(value.number);
	return undefined;
}

/** The exact value, or undefined if it is not an integer */
export function toInteger(value: Value): bigint | undefined {
	if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
	if (value !== null && typeof value === "object" && "number" in value && /^-?\d+$/.test(value.number)) return BigInt(value.number);
	return undefined;
}

/** The integers that exceed those of SQLite, 2^63 to 2^64-1: it has them as the texts of their digits. undefined: another value */
function toLargeInteger(value: Value): bigint | undefined {
	const number = typeof value === "string" && /^[1-9]\d{18,19}$/.test(value) ? BigInt(value) : 0n;
	return number >= 2n ** 63n && number < 2n ** 64n ? number : undefined;
}

/** The order of SQLite: null, numbers, texts, bytes. Integers above 2^63-1 are between numbers and other texts, by their value. */
export function compare(a: Value, b: Value): number {
	const rank = (value: Value) => (value === null ? 0 : toNumber(value) !== undefined ? 1 : toLargeInteger(value) !== undefined ? 2 : typeof value === "string" ? 3 : 4);
	if (rank(a) !== rank(b)) return rank(a) - rank(b);
	const [x, y] = [toInteger(a) ?? toLargeInteger(a), toInteger(b) ?? toLargeInteger(b)];
	if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : 0;
	const [u, v] = [toNumber(a), toNumber(b)];
	if (u !== undefined && v !== undefined) return u - v;
	const [s, t] = [show(a), show(b)];
	return s < t ? -1 : s > t ? 1 : 0;
}

/** Says that a result can lack rows because of damage, with the first problem. */
export function describeProblems({ problems = 0, problem = "" }: Result): string {
	const first = problems > 1 ? `${problems.toLocaleString("en")} problems, the first` : "problem";
	return `The result can be incomplete: ${first}: ${problem}`;
}

export function toCsv(result: Result): string {
	const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
	return [result.columns, ...result.rows.map((row) => row.map(show))].map((cells) => `${cells.map(cell).join(",")}\n`).join("");
}

/** The columns that contain only numbers, and at least one */
export function numericColumns(result: Result): number[] {
	return result.columns.flatMap((_, i) => {
		const values = result.rows.map((row) => row[i]!).filter((value) => value !== null);
		return values.length > 0 && values.every((value) => toNumber(value) !== undefined) ? [i] : [];
	});
}

/** Names of columns whose numbers are identifiers and not measurements */
export function isIdentifier(name: string): boolean {
	return /^(pid|tid|cpu|id|depth|parent|number|index|line|fd|key)$|_(pid|tid|id|cpu)$/i.test(name);
}

/** The column with times: all of its values lie within the trace. Prefers a column with the name of a time. */
export function timeColumn(result: Result, start: string, length: number): number | undefined {
	const [from, to] = [BigInt(start), BigInt(start) + BigInt(Math.ceil(length))];
	const is_time = (i: number) => {
		const values = result.rows.map((row) => toInteger(row[i]!));
		return values.length > 0 && values.every((value) => value !== undefined && value >= from && value <= to);
	};
	const columns = result.columns.map((_, i) => i).filter(is_time);
	const named = columns.find((i) => /(^|_)(time|begin|start|ts)$/i.test(result.columns[i]!));
	return named ?? (from > 10n ** 12n ? columns[0] : undefined);
}

export interface Bar {
	from: number;
	to: number;
	n: number;
}

/** The number of values in each of @n bins of equal width */
export function histogram(values: number[], n: number): Bar[] {
	const least = values.reduce((a, b) => Math.min(a, b), Infinity);
	const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
	if (!Number.isFinite(most - least)) return [];
	const width = (most - least) / n || 1;
	const bars = Array.from({ length: most > least ? n : 1 }, (_, i) => ({ from: least + i * width, to: least + (i + 1) * width, n: 0 }));
	for (const value of values) bars[Math.min(Math.floor((value - least) / width), bars.length - 1)]!.n++;
	return bars;
}
