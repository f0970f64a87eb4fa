// units.test.ts - times for people, rows from lanes, and what lies between two places.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Lane, Trace } from "../src/api.ts";
import { absolute, duration, mark, offset, step } from "../src/clock.ts";
import { laneKey, makeRows, rowsBetween, type Choice } from "../src/rows.ts";

test("durations have three digits", () => {
	assert.deepEqual([0, 7, 999, 1234, 12345678, 1.5e9, 123456e9].map(duration), ["0 ns", "7 ns", "999 ns", "1.23 us", "12.3 ms", "1.50 s", "123456 s"]);
});

test("times keep all digits", () => {
	assert.equal(offset(1234567890), "+1.234567890");
	assert.equal(absolute("1795385631732989897", 650176464), "1795385632.383166361");
	assert.equal(absolute("5", 1), "0.000000006");
});

test("marks are 1, 2 or 5 times a power of ten", () => {
	assert.deepEqual([1, 3, 7, 11, 450, 999].map(step), [1, 5, 10, 20, 500, 1000]);
	assert.equal(mark(261e6, 1e6), "261 ms");
	assert.equal(mark(1500, 500), "1,500 ns");
});

const trace = (n: number): Trace => ({ title: "", start: "0", length: 1, empty: false, traces: Array.from({ length: n }, (_, i) => ({ path: `p${i}`, host: `h${i}` })), bookmarks: [] });
const lane = (id: number, more: Partial<Lane>): Lane => ({ id, trace: 0, kind: "thread", depths: 0, events: 1, first: 0, last: 0, ...more });
const choice = (more: Partial<Choice> = {}): Choice => ({ closed: new Set(), hidden: new Set(), pinned: [], search: "", ...more });
const lanes = [lane(0, { kind: "cpu", cpu: 1 }), lane(1, { kind: "cpu", cpu: 0 }), lane(2, { pid: 7, tid: 8, name: "worker", events: 5 }), lane(3, { pid: 7, tid: 7, name: "main", process: "server" }), lane(4, { pid: 9, tid: 9, name: "idle" })];
const labels = (chosen: Choice, n = 1) => makeRows(trace(n), lanes, chosen).map((row) => row.label);

test("lanes form a tree, busy processes first", () => {
	assert.deepEqual(labels(choice()), ["CPUs", "CPU 0", "CPU 1", "worker 7", "main 7", "worker 8", "idle 9", "idle 9"]);
	assert.equal(labels(choice(), 2)[0], "h0");
});

test("rows are folded, hidden, pinned and found", () => {
	assert.deepEqual(labels(choice({ closed: new Set(["C0"]) })).slice(0, 2), ["CPUs", "worker 7"]);
	assert.ok(!labels(choice({ hidden: new Set([laneKey(lanes[2]!)]) })).includes("worker 8"));
	assert.equal(labels(choice({ pinned: [laneKey(lanes[4]!)] }))[0], "idle 9");
	assert.deepEqual(labels(choice({ search: "server 7" })), ["server 7", "main 7"]);
});

test("rows between two places", () => {
	const rows = makeRows(trace(1), lanes, choice());
	assert.deepEqual(rowsBetween(rows, 0, 1e9), rows);
	for (const row of rows) assert.deepEqual(rowsBetween(rows, row.top, row.top + row.height), [row]);
	assert.deepEqual(rowsBetween(rows, 1e9, 2e9), []);
});
