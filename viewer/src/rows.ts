// rows.ts - the lanes as a tree of rows: machines, CPUs, processes and their threads.
import type { Lane, Trace } from "./answers.ts";

export const DEPTH_HEIGHT = 16;
export const EVENTS_HEIGHT = 8;
/** The strip of states at the top of a lane */
export const STATE_HEIGHT = 13;
const COUNTER_HEIGHT = 40;
const GROUP_HEIGHT = 20;
const LEAST_HEIGHT = 20;
const MAX_DEPTHS = 24;

export interface Row {
	key: string; // identifies the row in the state of the page
	label: string;
	title: string;
	level: number;
	top: number;
	height: number;
	lane?: Lane; // undefined for a group
	around: string; // the key of the group that contains the row; "pinned"; empty at the top level
	is_open?: boolean; // of a group
}

export interface Choice {
	closed: Set<string>;
	hidden: Set<string>;
	pinned: string[];
	moves: Move[];
	search: string;
}

/** A row, and the row of the same group in front of which the user moved it */
export type Move = [key: string, before: string];

/** Applies moves to a list, in their order. */
export function reorder<T>(list: T[], keyOf: (item: T) => string, moves: Move[]): T[] {
	const moved = [...list];
	for (const [key, before] of moves) {
		const from = moved.findIndex((item) => keyOf(item) === key);
		if (from < 0 || key === before || !moved.some((item) => keyOf(item) === before)) continue;
		const [item] = moved.splice(from, 1);
		moved.splice(moved.findIndex((other) => keyOf(other) === before), 0, item!);
	}
	return moved;
}

/** The moves that move a row up or down by one place; undefined if it is the first or the last. @keys: of its group */
export function moveBy(moves: Move[], keys: string[], key: string, is_up: boolean): Move[] | undefined {
	const at = keys.indexOf(key);
	const [mover, before] = is_up ? [key, keys[at - 1]] : [keys[at + 1], key];
	return at < 0 || mover === undefined || before === undefined ? undefined : [...moves, [mover, before]];
}

/** Text after the name of a machine, such as the shift of its times */
export type MachineNote = (trace: number) => string;

export interface Group {
	key: string;
	label: string;
	title: string;
	rank: number;
	busy: number;
	lanes: Lane[];
}

/** The trace of a lane, and its machine if the trace has several */
export function placeOf(lane: Lane): string {
	return lane.host === undefined ? `${lane.trace}` : `${lane.trace}h${lane.host}`;
}

export function laneKey(lane: Lane): string {
	const at = placeOf(lane);
	switch (lane.kind) {
		case "cpu":
			return `c${at}.${lane.cpu}`;
		case "thread":
			return `t${at}.${lane.pid}.${lane.tid}`;
		case "counter":
			return `n${at}.${lane.pid ?? ""}.${lane.name}`;
		case "others":
			return lane.kind;
		default:
			return `${lane.kind}${at}.${lane.name}`;
	}
}

export function laneLabel(lane: Lane): string {
	switch (lane.kind) {
		case "cpu":
			return `CPU ${lane.cpu}`;
		case "thread":
			return `${lane.name ?? "thread"} ${lane.tid}`;
		case "counter":
			return lane.pid === undefined ? (lane.name ?? "") : `${lane.name} ${lane.process ?? "process"} ${lane.pid}`;
		default:
			return lane.name ?? "";
	}
}

/** The filter that selects the events of a CPU or thread, if only one trace is open; empty for other lanes */
export function laneFilter(lane: Lane, hosts: string[]): string {
	if (lane.kind === "cpu") return `cpu == ${lane.cpu}`;
	if (lane.kind !== "thread") return "";
	const thread = `pid == ${lane.pid} && tid == ${lane.tid}`;
	if (lane.host === undefined) return thread;
	const name = hosts[lane.host]!;
	return hosts.filter((host) => host === name).length > 1 ? "" : `host == ${JSON.stringify(name)} && ${thread}`;
}

function groupOf(lane: Lane): Omit<Group, "lanes" | "busy"> {
	const at = placeOf(lane);
	switch (lane.kind) {
		case "cpu":
			return { key: `C${at}`, label: "CPUs", title: "Events by CPU", rank: 0 };
		case "async":
			return { key: `A${at}`, label: "asynchronous", title: "Spans that may overlap", rank: 1 };
		case "counter":
			return { key: `N${at}`, label: "counters", title: "Values that events declare as counters", rank: 1 };
		case "others":
			return { key: "O", label: "others", title: "Lanes for which there is no room", rank: 4 };
		case "file":
			return { key: `F${at}`, label: "tracefiles", title: "Events of unknown threads", rank: 3 };
		case "thread": {
			const name = lane.process ?? lane.name ?? "process";
			if (lane.pid === 0) return { key: `P${at}.0`, label: "unknown processes", title: "Threads of unknown processes", rank: 3 };
			return { key: `P${at}.${lane.pid}`, label: `${name} ${lane.pid}`, title: `Threads of process ${lane.pid}`, rank: 2 };
		}
	}
}

export function groups(lanes: Lane[]): Group[] {
	const found = new Map<string, Group>();
	for (const lane of lanes) {
		const about = groupOf(lane);
		let group = found.get(about.key);
		if (!group) found.set(about.key, (group = { ...about, busy: 0, lanes: [] }));
		group.lanes.push(lane);
		group.busy += lane.events;
	}
	const order = (lane: Lane) => lane.cpu ?? lane.tid ?? lane.id;
	for (const group of found.values()) group.lanes.sort((a, b) => order(a) - order(b));
	return [...found.values()].sort((a, b) => a.rank - b.rank || b.busy - a.busy);
}

const NUMBERS = new Intl.NumberFormat("en"); // toLocaleString() would create a format in each call

export function laneRow(lane: Lane, level: number, key: string, around: string): Row {
	const depths = Math.min(lane.kind === "async" ? Math.max(lane.depths, 1) : lane.depths, MAX_DEPTHS);
	return {
		key,
		label: laneLabel(lane),
		title: `${laneLabel(lane)}: ${NUMBERS.format(lane.events)} spans and events`,
		level,
		top: 0,
		height: lane.kind === "counter" ? COUNTER_HEIGHT : Math.max(stateHeight(lane) + depths * DEPTH_HEIGHT + EVENTS_HEIGHT + 4, LEAST_HEIGHT),
		lane,
		around,
	};
}

function stateHeight(lane: Lane): number {
	return lane.states ? STATE_HEIGHT : 0;
}

/** The distance of the spans from the top of the row */
export function spansTop(row: Row): number {
	return row.lane ? stateHeight(row.lane) : 0;
}

/** The number of depths of spans that fit into a row */
export function depthsOf(row: Row): number {
	return Math.floor((row.height - spansTop(row) - EVENTS_HEIGHT) / DEPTH_HEIGHT);
}

export function matches(lane: Lane, search: string): boolean {
	const text = `${laneLabel(lane)} ${lane.process ?? ""} ${lane.pid ?? ""}`.toLowerCase();
	return search.split(/\s+/).every((word) => text.includes(word));
}

/** The host of a trace, with its path if it is not the only trace of the host */
function machineName(trace: Trace, index: number): string {
	const { host, path } = trace.traces[index]!;
	const name = path.split("/").filter((part) => part !== "").at(-1) ?? path;
	return host === "" || trace.traces.some((other, i) => i !== index && other.host === host) ? name : host;
}

/** Identifies the input of makeRows() besides the lanes: the rows change only if the key or the lanes change. */
export function rowsKey(trace: Trace, choice: Choice, note: MachineNote = () => ""): string {
	const notes = trace.traces.map((_, index) => note(index));
	return JSON.stringify([[...choice.closed], [...choice.hidden], choice.pinned, choice.moves, choice.search, notes]);
}

/** The rows from top to bottom, with their places. */
export function makeRows(trace: Trace, lanes: Lane[], choice: Choice, note: MachineNote = () => ""): Row[] {
	const rows: Row[] = [];
	const search = choice.search.trim().toLowerCase();
	const wanted = lanes.filter((lane) => !choice.hidden.has(laneKey(lane)) && (search === "" || matches(lane, search)));
	const by_key = new Map(wanted.map((lane) => [laneKey(lane), lane]));

	for (const key of choice.pinned) {
		const lane = by_key.get(key);
		if (lane) rows.push(laneRow(lane, 0, `pin ${key}`, "pinned"));
	}
	trace.traces.forEach((member, index) => {
		const own = wanted.filter((lane) => lane.trace === index);
		const level = trace.traces.length > 1 ? 1 : 0;
		const machine = level > 0 ? `M${index}` : "";
		if (level > 0) rows.push(groupRow(machine, `${machineName(trace, index)}${note(index)}`, member.path, 0, choice, ""));
		if (level > 0 && choice.closed.has(`M${index}`)) return;
		const hosts = [...new Set(own.map((lane) => lane.host))].sort((a, b) => (a ?? 0) - (b ?? 0));
		for (const host of hosts) addMachine(rows, trace, own.filter((lane) => lane.host === host), { host, level, around: machine, choice });
	});
	return place(rows);
}

/** Sets the places of rows from top to bottom. */
export function place(rows: Row[]): Row[] {
	let top = 0;
	for (const row of rows) {
		row.top = top;
		top += row.height;
	}
	return rows;
}

interface Machine {
	host: number | undefined;
	level: number;
	around: string;
	choice: Choice;
}

/** Adds the rows of one machine of a trace; @host: undefined: the trace has no other. */
function addMachine(rows: Row[], trace: Trace, lanes: Lane[], { host, level, around, choice }: Machine): void {
	if (host !== undefined) {
		const key = `H${placeOf(lanes[0]!)}`;
		rows.push(groupRow(key, trace.hosts[host]!, "Machine of the merged trace", level, choice, around));
		if (choice.closed.has(key)) return;
		around = key;
		level++;
	}
	for (const group of reorder(groups(lanes), (one) => one.key, choice.moves)) {
		if (choice.hidden.has(group.key)) continue;
		rows.push(groupRow(group.key, group.label, group.title, level, choice, around));
		if (choice.closed.has(group.key)) continue;
		for (const lane of reorder(group.lanes, laneKey, choice.moves)) rows.push(laneRow(lane, level + 1, laneKey(lane), group.key));
	}
}

/** Whether a row is above the groups of a machine */
export function isMachine(row: Row): boolean {
	return /^[MH]/.test(row.key);
}

export function groupRow(key: string, label: string, title: string, level: number, choice: Choice, around: string): Row {
	return { key, label, title, level, top: 0, height: GROUP_HEIGHT, is_open: !choice.closed.has(key), around };
}

/** The rows that overlap the range from @from to @to, in pixels from the top. */
export function rowsBetween(rows: Row[], from: number, to: number): Row[] {
	let low = 0;
	let high = rows.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		const row = rows[middle]!;
		if (row.top + row.height <= from) low = middle + 1;
		else high = middle;
	}
	let end = low;
	while (end < rows.length && rows[end]!.top < to) end++;
	return rows.slice(low, end);
}
