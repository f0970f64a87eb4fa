// beside.ts - the rows of two traces that are compared: each lane of B is below the lane of A with the same name, so that
// both are visible whatever number of lanes A has. Processes come before CPUs.
//
//	▾ server 17, 23
//	   A worker 18
//	   B worker 24
//	   A worker 19
import type { Lane, Trace } from "./answers.ts";
import { groupRow, groups, laneKey, laneRow, makeRows, matches, place, reorder, type Choice, type Group, type MachineNote, type Row } from "./rows.ts";

/** A name without the number of a process or thread */
function nameOf(group: Group): string {
	return `${group.rank} ${group.label.replace(/ \d+$/, "")}`;
}

/** What corresponds in another trace. The threads of a pool have one name, and are taken in their order. */
function laneName(lane: Lane): string {
	return lane.kind === "thread" ? `thread ${lane.name ?? ""}` : `${lane.kind} ${lane.cpu ?? ""} ${lane.name ?? ""}`;
}

/** Joins the items of two lists that have the same name, the n-th ones of a name. Those of @b without a partner are the last. */
export function pairUp<T>(a: T[], b: T[], nameOf: (item: T) => string): [T | undefined, T | undefined][] {
	const waiting = new Map<string, T[]>(); // a trace can have thousands
	for (const item of b) {
		const name = nameOf(item);
		const same = waiting.get(name);
		if (same) same.push(item);
		else waiting.set(name, [item]);
	}
	for (const same of waiting.values()) same.reverse();
	const pairs = a.map((item): [T | undefined, T | undefined] => [item, waiting.get(nameOf(item))?.pop()]);
	const paired = new Set(pairs.map(([, item]) => item));
	return [...pairs, ...b.filter((item) => !paired.has(item)).map((item): [T | undefined, T | undefined] => [undefined, item])];
}

/** CPUs of different machines have no number in common, because those of B are counted on. They are taken in their order. */
export function pairLanes(a: Lane[], b: Lane[]): [Lane | undefined, Lane | undefined][] {
	const pairs = pairUp(a, b, laneName);
	const isOfCpus = [...a, ...b].every((lane) => lane.kind === "cpu" || lane.kind === "file");
	return isOfCpus && !pairs.some(([one, other]) => one && other) ? pairUp(a, b, (lane) => lane.kind) : pairs;
}

function labelOf(a: Group | undefined, b: Group | undefined): string {
	if (!a || !b) return `${a ? "A" : "B"}: ${(a ?? b)!.label}`;
	const [, number] = / (\d+)$/.exec(b.label) ?? [];
	return number === undefined ? a.label : `${a.label}, ${number}`;
}

/** The whole label as well: two numbers of processes seldom fit beside the name. */
function titleOf(a: Group | undefined, b: Group | undefined): string {
	const titles = new Set([a, b].flatMap((group) => (group ? [group.title] : [])));
	return `${labelOf(a, b)}: ${[...titles].join(" and ")}`;
}

/** The rows from top to bottom: those of both traces of @beside, then other traces. */
export function makeRowsBeside(trace: Trace, lanes: Lane[], choice: Choice, beside: [number, number], note: MachineNote): Row[] {
	const others = lanes.filter((lane) => !beside.includes(lane.trace));
	const search = choice.search.trim().toLowerCase();
	const wanted = lanes.filter((lane) => !choice.hidden.has(laneKey(lane)) && (search === "" || matches(lane, search)));
	const [a, b] = beside.map((member) => reorder(groups(wanted.filter((lane) => lane.trace === member)), (group) => group.key, choice.moves).filter((group) => !choice.hidden.has(group.key))) as [Group[], Group[]];
	const by_key = new Map(wanted.map((lane) => [laneKey(lane), lane]));
	const letter = (lane: Lane) => (lane.trace === beside[0] ? "A" : "B");
	const rowOf = (lane: Lane, level: number, key: string, around: string): Row => {
		const row = laneRow(lane, level, key, around);
		return beside.includes(lane.trace) ? { ...row, label: `${letter(lane)} ${row.label}` } : row;
	};
	const lanesOf = (group: Group | undefined) => reorder(group?.lanes ?? [], laneKey, choice.moves);
	const rows = choice.pinned.flatMap((key) => {
		const lane = by_key.get(key);
		return lane ? [rowOf(lane, 0, `pin ${key}`, "pinned")] : [];
	});
	const pairs = pairUp(a, b, nameOf);
	const isCpus = ([one, other]: [Group | undefined, Group | undefined]) => (one ?? other)!.rank === 0;
	for (const [one, other] of [...pairs.filter((pair) => !isCpus(pair)), ...pairs.filter(isCpus)]) {
		const { key } = (one ?? other)!;
		rows.push(groupRow(key, labelOf(one, other), titleOf(one, other), 0, choice, ""));
		if (choice.closed.has(key)) continue;
		for (const pair of pairLanes(lanesOf(one), lanesOf(other))) {
			for (const lane of pair) if (lane) rows.push(rowOf(lane, 1, laneKey(lane), key));
		}
	}
	const rest = others.length > 0 ? makeRows(trace, others, { ...choice, pinned: [] }, note).filter((row) => row.key !== `M${beside[0]}` && row.key !== `M${beside[1]}`) : [];
	return place([...rows, ...rest]);
}
