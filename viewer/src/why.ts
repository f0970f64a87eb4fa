// why.ts - what a thread did in a time: queries for the SQL panel, and their result in a sentence.
import { duration } from "./clock.ts";
import { show, toNumber, type Result } from "./values.ts";

/** The words of the legend */
const STATES = "CASE state WHEN 'Running' THEN 'running' WHEN 'R+' THEN 'preempted' WHEN 'R' THEN 'runnable, without a CPU' WHEN 'S' THEN 'waiting' WHEN 'D' THEN 'waiting, uninterruptible' WHEN 'T' THEN 'stopped' ELSE 'unknown' END";
const WAKER = "waker || coalesce(' ' || waker_tid, '') || coalesce(', ' || (SELECT name FROM threads WHERE threads.tid = waker_tid), '')";

const HEADING = "-- what thread";

export function isWhy(query: string): boolean {
	return query.startsWith(HEADING);
}

/** The states of a thread in [from, to), in ns since 1970 */
function stateQuery(tid: bigint, from: bigint, to: bigint): string {
	const inside = `sum(min(time + dur, ${to}) - max(time, ${from}))`;
	return `${HEADING} ${tid} did in this time
SELECT ${STATES} AS state, coalesce(reason, '') AS reason, coalesce(${WAKER}, '') AS "woken or preempted by", ${inside} AS dur,
  round(100.0 * ${inside} / ${to - from}, 1) AS "%", count(*) AS times, coalesce(sum(syscalls), '') AS syscalls, coalesce(sum(faults), '') AS faults
FROM thread_state WHERE tid = ${tid} AND time < ${to} AND time + dur > ${from}
GROUP BY 1, 2, 3 ORDER BY dur DESC`;
}

/** The spans inside a span */
function childQuery(tid: bigint, from: bigint, to: bigint): string {
	return `${HEADING} ${tid} did in this time
SELECT name, count(*) AS times, sum(dur) AS dur, max(dur) AS max
FROM spans WHERE tid = ${tid} AND time >= ${from} AND time + dur <= ${to} AND dur < ${to - from}
GROUP BY name ORDER BY dur DESC`;
}

/** @has_states: whether the trace has the states of threads */
export function whyQuery(has_states: boolean, tid: bigint, from: bigint, to: bigint): string {
	return has_states ? stateQuery(tid, from, to) : childQuery(tid, from, to);
}

/** Parts of a time, the longest first: "preempted 378 ms (95 %), running 20.1 ms (5 %)" */
export function describeParts(parts: [string, number][]): string {
	const all = parts.reduce((sum, [, ns]) => sum + ns, 0);
	const percent = (ns: number) => `${Math.round((100 * ns) / (all || 1)) || "< 1"} %`;
	return parts.map(([name, ns]) => `${name === "unknown" ? "in an unknown state" : name} ${duration(ns)} (${percent(ns)})`).join(", ");
}

/** The result of the query for states in a sentence or two: the time in each state, and the longest cause of the longest state. */
export function describeWhy({ columns, rows }: Result): string {
	const [state, reason, by, dur] = ["state", "reason", "woken or preempted by", "dur"].map((name) => columns.indexOf(name)) as [number, number, number, number];
	if (state < 0 || reason < 0 || rows.length === 0) return "";
	const sums = new Map<string, number>();
	for (const row of rows) sums.set(show(row[state]!), (sums.get(show(row[state]!)) ?? 0) + (toNumber(row[dur]!) ?? 0));
	const parts = [...sums].sort(([, a], [, b]) => b - a);
	const [name] = parts[0]!;
	const longest = rows.find((row) => show(row[state]!) === name)!; // the rows are sorted
	const cause = [show(longest[reason]!) && `for ${show(longest[reason]!)}`, show(longest[by]!) && `${name === "preempted" ? "by" : "woken by"} ${show(longest[by]!)}`].filter((text) => text !== "").join(", ");
	return `The thread was ${describeParts(parts)}.${cause && name !== "running" ? ` The longest cause: ${name} ${cause}, ${duration(toNumber(longest[dur]!) ?? 0)}.` : ""}`;
}
