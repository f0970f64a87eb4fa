// clock.ts - formats times and durations.

const UNITS: [number, string][] = [
	[1e9, "s"],
	[1e6, "ms"],
	[1e3, "us"],
	[1, "ns"],
];

/** 1234567 -> "1.23 ms" */
export function duration(ns: number): string {
	for (const [size, unit] of UNITS) {
		if (Math.abs(ns) < size) continue;
		const value = ns / size;
		if (unit === "ns") return `${Math.round(value)} ns`;
		return `${value.toPrecision(Math.max(3, Math.trunc(Math.abs(value)).toString().length))} ${unit}`;
	}
	return "0 ns";
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

/** A mark of a ruler: no more decimals than @step has */
export function mark(ns: number, each: number): string {
	const [size, unit] = UNITS.find(([size]) => each >= size) ?? [1, "ns"];
	return `${(ns / size).toLocaleString("en", { maximumFractionDigits: 0 })} ${unit}`;
}
