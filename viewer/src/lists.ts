// lists.ts - operations on lists that are too long for the arguments of a function. Browsers allow some 100,000.

/** Appends the items of a list to another one. */
export function append<T>(to: T[], from: readonly T[]): void {
	for (const item of from) to.push(item);
}

/** The least of the numbers; Infinity if there are none */
export function leastOf(numbers: readonly number[]): number {
	return numbers.reduce((least, number) => Math.min(least, number), Infinity);
}

/** The largest of the numbers; -Infinity if there are none */
export function largestOf(numbers: readonly number[]): number {
	return numbers.reduce((largest, number) => Math.max(largest, number), -Infinity);
}
