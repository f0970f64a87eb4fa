// clock.ts - formats times and durations.

const UNITS: [number, string][] = [
	[1e9, "s"],
	[1e6, "ms"],
	[1e3, "us"],
	[1, "ns"],
];

/** "%.*f" of C, which rounds a number in the middle of two to the even one. toFixed() takes the larger one. */
function fixed(value: number, digits: number): string {
	const power = 10 ** digits;
	const is_middle = Number.isInteger(value * 8) && (value * power) % 1 === 0.5; // others of two decimals are not exact in a double
	return (is_middle ? (2 * Math.round((value * power) / 2)) / power : value).toFixed(digits);
}

/** 1234567 -> "1.23 ms": the text of ltt_duration_to_string() */
export function duration(ns: number): string {
	const amount = Math.round(Math.abs(ns));
	const sign = ns < 0 && amount > 0 ? "-" : "";
	const [size, unit] = UNITS.find(([size]) => amount >= size - size / 2000) ?? [1, "ns"]; // 999.5 us are 1.00 ms
	if (amount < 1000) return `${sign}${amount} ns`;
	const value = amount / size;
	return `${sign}${fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0)} ${unit}`;
}

/** Nanoseconds after the start as "+1.234567890" */
export function offset(ns: number): string {
	const rounded = Math.round(ns);
	const seconds = Math.floor(rounded / 1e9);
	return `+${seconds}.${String(rounded - seconds * 1e9).padStart(9, "0")}`;
}

/** The time since 1970, in seconds with nine decimals, as other commands print and take it */
export function absolute(start: string, ns: number): string {
	const digits = (BigInt(start) + BigInt(Math.round(ns))).toString().padStart(10, "0");
	return `${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

/** The step between the marks of a ruler: 1, 2 or 5 times a power of ten, at least @least ns */
export function step(least: number): number {
	const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
	for (const factor of [1, 2, 5, 10]) if (power * factor >= least) return power * factor;
	return power * 10;
}

/** The multiples of @each in [from, to). To add @each to a number beyond 2^53 can give the same number, so they are counted. */
export function multiples(from: number, to: number, each: number): number[] {
	const first = Math.ceil(from / each) * each;
	const n = Math.max(Math.ceil((to - first) / each), 0); // NaN without a window
	return Array.from({ length: n }, (_, i) => first + i * each);
}

/** A mark of a ruler: no more decimals than @step has */
export function mark(ns: number, each: number): string {
	const [size, unit] = UNITS.find(([size]) => each >= size) ?? [1, "ns"];
	return `${(ns / size).toLocaleString("en", { maximumFractionDigits: 0 })} ${unit}`;
}
