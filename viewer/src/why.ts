// why.ts - what a thread did in a time: queries for the SQL panel, and their result in a sentence.
import type { Lane, Trace } from "./answers.ts";
import { duration } from "./clock.ts";
import { placeOf } from "./rows.ts";
import { show, toNumber, type Result } from "./values.ts";

/** The words of the legend */
const STATES = "CASE state WHEN 'Running' THEN 'running' WHEN 'R+' THEN 'preempted' WHEN 'R' THEN 'runnable, without a CPU' WHEN 'S' THEN 'waiting' WHEN 'D' THEN 'waiting, uninterruptible' WHEN 'T' THEN 'stopped' ELSE 'unknown' END";
const WAKER = "waker || coalesce(' ' || waker_tid, '') || coalesce(', ' || (SELECT name FROM threads WHERE threads.tid = waker_tid AND threads.host IS thread_state.host), '')";

const HEADING = "-- what thread";

export function isWhy(query: string): boolean {
	return query.startsWith(HEADING);
}

/** A thread in SQL. Several processes, traces and machines can have its tid; undefined: not known, or there is only one */
export interface Thread {
	tid: bigint;
	pid: bigint | undefined;
	trace: string | undefined; // its path
	host: string | undefined;
}

/** The columns that distinguish threads with equal numbers, before other columns of a query; empty if nothing can have equal ones */
export function originColumns({ traces, hosts }: Trace): string {
	const of_several = hosts.length > 1 && hosts.length !== traces.length; // a trace has several machines
	return `${traces.length > 1 ? "trace, " : ""}${of_several ? "host, " : ""}`;
}

/** The thread of a lane */
export function threadOf(trace: Trace, lane: Lane): Thread {
	return {
		tid: BigInt(lane.tid!),
		pid: BigInt(lane.pid!),
		trace: trace.traces.length > 1 ? trace.traces[lane.trace]!.path : undefined,
		host: lane.host === undefined ? undefined : trace.hosts[lane.host]!,
	};
}

/** The lanes of the threads that @thread can be: if possible, of those that have events around @ns */
export function lanesOf(trace: Trace, lanes: Lane[], thread: Thread, ns: number): Lane[] {
	const is = <T>(wanted: T | undefined, found: T) => wanted === undefined || wanted === found;
	const hostOf = (lane: Lane) => (lane.host === undefined ? trace.traces[lane.trace]!.host : trace.hosts[lane.host]!);
	const found = lanes.filter(
		(lane) =>
			lane.kind === "thread" && BigInt(lane.tid!) === thread.tid && is(thread.pid, BigInt(lane.pid!)) &&
			is(thread.trace, trace.traces[lane.trace]!.path) && is(thread.host, hostOf(lane)),
	);
	const around = found.filter((lane) => lane.events === 0 || (ns >= lane.first && ns <= lane.last)); // 0: only its states are known
	return around.length > 0 ? around : found;
}

/** Whether threads are of several traces or machines */
export function areApart(lanes: Lane[]): boolean {
	return new Set(lanes.map(placeOf)).size > 1;
}

/** Whether the names of the trace and the machine do not identify the thread of a lane, because two have the same */
export function isAmbiguous(trace: Trace, lanes: Lane[], lane: Lane): boolean {
	const key = (other: Lane) => condition(threadOf(trace, other));
	return lanes.some((other) => other.kind === "thread" && other.tid === lane.tid && other.id !== lane.id && key(other) === key(lane));
}

/** Selects the rows of a thread. Their pid is null if the kernel's events do not say it. */
function condition({ tid, pid, trace, host }: Thread): string {
	const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
	const parts = [`tid = ${tid}`, pid === undefined ? "" : `coalesce(pid, ${pid}) = ${pid}`, trace === undefined ? "" : `trace = ${quote(trace)}`, host === undefined ? "" : `host = ${quote(host)}`];
	return parts.filter((part) => part !== "").join(" AND ");
}

/** The states of a thread in [from, to), in ns since 1970 */
function stateQuery(thread: Thread, from: bigint, to: bigint): string {
	const inside = `sum(min(time + dur, ${to}) - max(time, ${from}))`;
	return `${HEADING} ${thread.tid} did in this time
SELECT ${STATES} AS state, coalesce(reason, '') AS reason, coalesce(${WAKER}, '') AS "woken or preempted by", ${inside} AS dur,
  round(100.0 * ${inside} / ${to - from}, 1) AS "%", count(*) AS times, coalesce(sum(syscalls), '') AS syscalls, coalesce(sum(faults), '') AS faults
FROM thread_state WHERE ${condition(thread)} AND time < ${to} AND time + dur > ${from}
GROUP BY 1, 2, 3 ORDER BY dur DESC`;
}

/** The spans inside a span */
function childQuery(thread: Thread, from: bigint, to: bigint): string {
	return `${HEADING} ${thread.tid} did in this time
SELECT name, count(*) AS times, sum(dur) AS dur, max(dur) AS max
FROM spans WHERE ${condition(thread)} AND time >= ${from} AND time + dur <= ${to} AND dur < ${to - from}
GROUP BY name ORDER BY dur DESC`;
}

/** @has_states: whether the trace has the states of threads */
export function whyQuery(has_states: boolean, thread: Thread, from: bigint, to: bigint): string {
	return has_states ? stateQuery(thread, from, to) : childQuery(thread, from, to);
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
