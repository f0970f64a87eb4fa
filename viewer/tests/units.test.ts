// units.test.ts - times for people, rows from lanes, and what lies between two places.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mock, test } from "node:test";
import type { Counters, Lane, Trace } from "../src/answers.ts";
import { readAlign, shiftsOf, writeAlign } from "../src/align.ts";
import { readMarks, writeMarks } from "../src/bookmarks.ts";
import { absolute, duration, mark, multiples, offset, step } from "../src/clock.ts";
import { colourOf, contrast, inkOn, PALETTE } from "../src/colour.ts";
import { extent } from "../src/compare.ts";
import { Damages, listed } from "../src/damage.ts";
import { joinEmpty, listQuery } from "../src/durations.ts";
import { isReadable } from "../src/dom.ts";
import { choose, describe, fields } from "../src/fields.ts";
import { findPath, pathOf, place, readFolded } from "../src/flame.ts";
import { placeNames } from "../src/paint.ts";
import { readMistake } from "../src/place.ts";
import { kindsOf } from "../src/plot.ts";
import { Asking, partsOf, type Wish } from "../src/asking.ts";
import { largestOf, leastOf } from "../src/lists.ts";
import { parseExactly, toJson, toText } from "../src/exact.ts";
import { placeOf, rangeOf, stepsOf } from "../src/counters.ts";
import { pairLanes, pairUp } from "../src/beside.ts";
import { describeTotal, summary, windowsOf } from "../src/compare.ts";
import { alphaOf } from "../src/arrows.ts";
import { areApart, describeWhy, isAmbiguous, isWhy, lanesOf, originColumns, threadOf, whyQuery, type Thread } from "../src/why.ts";
import { describeWindow } from "../src/window-text.ts";
import { count, cutCounters, cutEvents, cutSpans, cutStates, type Saved } from "../src/saved.ts";
import { depthsOf, laneFilter, laneKey, makeRows, moveBy, reorder, rowsBetween, rowsKey, spansTop, STATE_HEIGHT, type Choice } from "../src/rows.ts";
import { joinStates, LEGEND, sumStates } from "../src/states.ts";
import { State } from "../src/state.ts";
import { divideLabel, escapeControls, shorten, shortenName } from "../src/text.ts";
import { compare, describeProblems, histogram, numericColumns, show, timeColumn, toCsv, type Result, type Value } from "../src/values.ts";

test("durations have three digits", () => {
	assert.deepEqual([0, 7, 999, 1234, 12345678, 1.5e9, 123456e9].map(duration), ["0 ns", "7 ns", "999 ns", "1.23 us", "12.3 ms", "1.50 s", "123456 s"]);
	assert.deepEqual([999499, 999500, 999_999_999, 99_999_600_000_000, 9994, 9995, 99949, 99950].map(duration), ["999 us", "1.00 ms", "1.00 s", "100000 s", "9.99 us", "10.0 us", "99.9 us", "100 us"]);
	assert.deepEqual([1125, 1375, 12250, 12750, 100500, 101500, 1115, -1500, 999.6, -0.2].map(duration), ["1.12 us", "1.38 us", "12.2 us", "12.8 us", "100 us", "102 us", "1.11 us", "-1.50 us", "1.00 us", "0 ns"]);
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

test("a window has as many marks where a double has no place for the next one", () => {
	assert.deepEqual(multiples(7, 21, 5), [10, 15, 20]);
	assert.deepEqual(multiples(10, 10, 5), []);
	assert.equal(multiples(2 ** 62, 2 ** 62 + 2048, 100).length, 21);
	assert.deepEqual(multiples(0, 1000, Infinity), []); // of a canvas without a width
});

test("fields of the events under the pointer", () => {
	const event = (name: string, data?: unknown) => ({ time: "0.0", tracefile: "cpu/0", event: name, data });
	const [begin, tick] = [event("s.sys_enter_read", { fd: 3, list: [1, 2], name: "a b" }), event("s.tick")];
	assert.deepEqual(choose([tick, begin], "s.sys_read"), [begin]);
	assert.deepEqual(choose([tick, tick, tick, tick], "s.other").length, 3);
	assert.equal(describe([begin, tick]), "s.sys_enter_read  fd=3 list=[1,2] name=\"a b\"\ns.tick");
	assert.equal(describe([event("s.long", { text: "x".repeat(400) })]), `s.long  text=${"x".repeat(295)}...`);
});

const trace = (n: number): Trace => ({ title: "", start: "0", length: 1, empty: false, map: 1, running: false, traces: Array.from({ length: n }, (_, i) => ({ path: `p${i}`, host: `h${i}` })), hosts: ["h0", "h1", "h1"], bookmarks: [] });
const lane = (id: number, more: Partial<Lane>): Lane => ({ id, trace: 0, kind: "thread", depths: 0, events: 1, first: 0, last: 0, ...more });
const choice = (more: Partial<Choice> = {}): Choice => ({ closed: new Set(), hidden: new Set(), pinned: [], moves: [], search: "", ...more });
const lanes = [lane(0, { kind: "cpu", cpu: 1 }), lane(1, { kind: "cpu", cpu: 0 }), lane(2, { pid: 7, tid: 8, name: "worker", events: 5 }), lane(3, { pid: 7, tid: 7, name: "main", process: "server" }), lane(4, { pid: 9, tid: 9, name: "idle" })];
const labels = (chosen: Choice, n = 1) => makeRows(trace(n), lanes, chosen).map((row) => row.label);

test("texts of a trace look like nothing else", () => {
	assert.equal(fields({ path: "a\u202etxt", line: "x\n n=9", more: "x n=9", n: 1, list: ["\u2066"] }), 'path="a\\u202etxt" line="x\\n n=9" more="x n=9" n=1 list=["\\u2066"]');
	assert.deepEqual([fields({ word: "été" }), fields({ none: "" }), fields("\u202e")], ["word=été", 'none=""', '"\\u202e"']);
	assert.equal(escapeControls("a\nb\u202e\x7f"), "a\\u000ab\\u202e\\u007f");
});

test("functions at the addresses under the pointer", () => {
	const event = { time: "0.0", tracefile: "cpu/0", event: "perf.sample", data: { ip: 16 }, symbols: { ip: "main+0x1", other: null, callchain: ["main+0x1", null], none: [null] } };
	assert.equal(describe([event]), "perf.sample  ip=16\nip is in main+0x1\ncallchain:\n    main+0x1\n    [unknown]");
});

test("rows change with the choices and the notes of machines, and with nothing else", () => {
	const key = (chosen: Choice, note = "") => rowsKey(trace(2), chosen, () => note);
	assert.equal(key(choice()), key(choice()));
	const closed = choice();
	closed.closed.add("C0");
	const all = [key(choice()), key(closed), key({ ...choice(), pinned: ["c0.1"] }), key({ ...choice(), search: "x" }), key({ ...choice(), moves: [["a", "b"]] }), key({ ...choice(), hidden: new Set(["C0"]) }), key(choice(), " +1 s")];
	assert.equal(new Set(all).size, all.length);
});

test("lanes form a tree, busy processes first", () => {
	assert.deepEqual(labels(choice()), ["CPUs", "CPU 0", "CPU 1", "worker 7", "main 7", "worker 8", "idle 9", "idle 9"]);
	assert.equal(labels(choice(), 2)[0], "h0");
});

test("lanes of a merged trace are under their machines", () => {
	const thread = { pid: 7, tid: 7, name: "main" };
	const merged = [lane(0, { ...thread, host: 1 }), lane(1, { ...thread, host: 0 }), lane(2, { ...thread, host: 2 }), lane(3, { kind: "cpu", cpu: 4, host: 1 })];
	const rows = (chosen: Choice, n = 1) => makeRows(trace(n), merged, chosen).map((row) => `${row.level} ${row.label}`);
	assert.deepEqual(rows(choice()), ["0 h0", "1 main 7", "2 main 7", "0 h1", "1 CPUs", "2 CPU 4", "1 main 7", "2 main 7", "0 h1", "1 main 7", "2 main 7"]);
	assert.deepEqual(rows(choice(), 2).slice(0, 3), ["0 h0", "1 h0", "2 main 7"]);
	assert.deepEqual(rows(choice({ closed: new Set(["H0h1"]) })), ["0 h0", "1 main 7", "2 main 7", "0 h1", "0 h1", "1 main 7", "2 main 7"]);
	assert.equal(new Set(merged.map(laneKey)).size, 4);
	assert.equal(laneFilter(merged[1]!, trace(1).hosts), 'host == "h0" && pid == 7 && tid == 7');
	assert.equal(laneFilter(merged[0]!, trace(1).hosts), ""); // two machines have the name
	assert.equal(laneFilter(merged[3]!, trace(1).hosts), "cpu == 4");
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

const result = (columns: string[], ...rows: Value[][]): Result => ({ columns, rows, more: false, cut: 0 });

test("values are in the order of SQLite, exactly", () => {
	const values: Value[] = [{ bytes: "00" }, "b", "a", "18446744073709551616", "18446744073709551615", "10000000000000000000", "9300000000000000000", { number: "9223372036854775807" }, { number: "9223372036854775806" }, 1.5, -1, null];
	assert.deepEqual([...values].sort(compare), [...values].reverse());
});

test("a result states that blocks could not be read", () => {
	const one = { ...result(["n"], [1]), problems: 1, problem: "cpu/0: block 1: bad" };
	assert.equal(describeProblems(one), "The result can be incomplete: problem: cpu/0: block 1: bad");
	assert.equal(describeProblems({ ...one, problems: 1200 }), "The result can be incomplete: 1,200 problems, the first: cpu/0: block 1: bad");
});

test("results as CSV", () => {
	assert.equal(toCsv(result(["a", 'b"c'], [1, 'x,"y'], [null, { number: "9007199254740993" }])), 'a,"b""c"\n1,"x,""y"\n,9007199254740993\n');
});

test("large reals are written as by ltt sql", () => {
	const values = [2 ** 60, -(2 ** 60), 1e16, 2 ** 53, { number: "9007199254740993" }, 0.5, 12];
	assert.deepEqual(values.map(show), ["1.152921504606847e+18", "-1.152921504606847e+18", "1e+16", "9007199254740992", "9007199254740993", "0.5", "12"]);
});

test("columns with times, and with numbers", () => {
	const start = "1795385631732989897";
	const row = (ns: number): Value => ({ number: String(BigInt(start) + BigInt(ns)) });
	assert.equal(timeColumn(result(["n", "when"], [1, row(5)], [2, row(7)]), start, 10), 1);
	assert.equal(timeColumn(result(["n", "when"], [1, row(5)], [2, row(17)]), start, 10), undefined);
	assert.equal(timeColumn(result(["a", "time"], [row(1), row(5)]), start, 10), 1);
	assert.equal(timeColumn(result(["a", "n"], [7, 7]), "0", 10), undefined);
	assert.equal(timeColumn(result(["a", "begin"], [7, 7]), "0", 10), 1);
	const mixed = result(["x", "name", "y"], [1, "a", null], [2, "b", 3]);
	assert.deepEqual(numericColumns(mixed), [0, 2]);
	assert.deepEqual(kindsOf(mixed), ["line", "bars", "histogram"]);
	assert.deepEqual(kindsOf(result(["name"], ["a"])), []);
});

/** What people see without cones for long, middle and short wavelengths: Machado and others, 2009, of linear RGB */
const EYES: Record<string, number[][]> = {
	normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
	protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
	deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
	tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

type Rgb = [number, number, number];

/** A colour in CIE L*a*b*, as these eyes see it */
function labOf(colour: Rgb, eyes: number[][]): number[] {
	const linear = colour.map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
	const times = (matrix: number[][], vector: number[]) => matrix.map((row) => row.reduce((sum, part, i) => sum + part * vector[i]!, 0));
	const seen = times(eyes, linear).map((part) => Math.min(Math.max(part, 0), 1));
	const xyz = times([[0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047], [0.2126, 0.7152, 0.0722], [0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883]], seen);
	const [x, y, z] = xyz.map((part) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116)) as Rgb;
	return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The colours that are hardest to tell apart: their distance, and who confuses which of them */
function closest(colours: Rgb[]): [number, string] {
	let least: [number, string] = [Infinity, ""];
	for (const [name, eyes] of Object.entries(EYES)) {
		const labs = colours.map((colour) => labOf(colour, eyes));
		labs.forEach((a, i) => labs.slice(0, i).forEach((b, j) => {
			const distance = Math.hypot(...a.map((part, k) => part - b[k]!));
			if (distance < least[0]) least = [distance, `${name}: ${colours[j]} and ${colours[i]}`];
		}));
	}
	return least;
}

const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as Rgb;

test("all kinds of colour vision tell the colours of names, and those of the legend, apart", () => {
	for (const colours of [...PALETTE, LEGEND.map(([, colour]) => rgb(colour))]) {
		const [distance, who] = closest(colours);
		assert.ok(distance >= 10, `${distance.toFixed(1)} for ${who}; 2 can just be seen`);
	}
});

test("text has the contrast of WCAG AA in both themes, and on spans", () => {
	const style = readFileSync("viewer.css", "utf-8");
	const [light, dark] = [style.slice(0, style.indexOf("}")), style.slice(style.indexOf('[data-theme="dark"]'))];
	for (const theme of [light, dark]) {
		const value = (name: string) => /^#(.)(.)(.)$/.exec(new RegExp(`--${name}: (#\\w+);`).exec(theme)![1]!)?.slice(1).map((digit) => parseInt(digit + digit, 16)) as Rgb | undefined ?? rgb(new RegExp(`--${name}: (#\\w+);`).exec(theme)![1]!);
		for (const text of ["ink", "faint", "match", "bad", "good"])
			for (const ground of ["paper", "bar"]) assert.ok(contrast(value(text), value(ground)) >= 4.5, `--${text} on --${ground}: ${contrast(value(text), value(ground))}`);
	}
	for (const colour of PALETTE.flat()) assert.ok(Math.max(contrast(colour, [0, 0, 0]), contrast(colour, [255, 255, 255])) >= 4.5, String(colour));
	assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
	for (const name of ["f.a", "f.b", "http.request", "x"]) {
		const colour = colourOf(name).match(/\d+/g)!.map(Number) as Rgb;
		assert.ok(contrast(colour, inkOn(name) === "#000" ? [0, 0, 0] : [255, 255, 255]) >= 4.5, name);
	}
});

test("names of spans that overlap end where the next one begins", () => {
	const rect = (begin: number, end: number, depth = 0) => ({ begin, end, depth, name: "", room: end });
	assert.deepEqual(placeNames([rect(50, 200), rect(0, 100), rect(10, 20, 1), rect(100, 150)]).map(({ begin, room }) => [begin, room]), [[0, 50], [10, 20], [50, 100], [100, 150]]);
});

test("texts without room end in an ellipsis, and names lose what stands before the last dot", () => {
	const measure = (text: string) => 10 * text.length;
	assert.deepEqual([110, 100, 40, 30, 20].map((room) => shorten("hello world", room, measure)), ["hello world", "hello wor…", "hel…", "he…", ""]);
	assert.equal(shorten("iiiiiiWWW", 50, (text) => [...text].reduce((sum, letter) => sum + (letter === "W" ? 20 : 5), 0)), "iiiiii…");
	assert.deepEqual([120, 119, 60].map((room) => shortenName("http.request", room, measure)), ["http.request", "request", "reque…"]);
	assert.deepEqual([shortenName("dot.", 30, measure), shortenName("name", 30, measure)], ["do…", "na…"]);
});

test("a long name without a width is shortened in a few steps", () => {
	let n_measured = 0;
	const measure = (text: string) => {
		n_measured += text.length;
		return 10 * text.replaceAll("\u200b", "").length;
	};
	const name = "W".repeat(300) + "\u200b".repeat(300_000);
	assert.deepEqual([shorten(name, 105, measure), shortenName(name, 105, measure)], ["WWWWWWWWW…", "WWWWWWWWW…"]);
	assert.ok(n_measured < 30_000, String(n_measured));
});

test("a label is divided into a name and its numbers, however many are in the name", () => {
	assert.deepEqual(["server 17, 23", "CPU 0", "1, 2 b", "17", "a  5", "a b", ""].map(divideLabel), [["server", " 17, 23"], ["CPU", " 0"], ["1, 2 b", ""], ["17", ""], ["a ", " 5"], ["a b", ""], ["", ""]]);
	assert.equal(divideLabel(`${"1, ".repeat(1_000_000)}x 1`)[1], " 1"); // within the time of a test
});

test("the visible time, and the selected part of it", () => {
	assert.equal(describeWindow(144022365, 541855651, undefined), "398 ms from +0.144022365");
	assert.equal(describeWindow(0, 2e9, [5e8, 6e8]), "selected 100 ms of 2.00 s");
	assert.equal(describeWindow(0, 2e9, [5, 6]), "selected +0.000000005");
});

test("the overview has a window for each of two traces, one of which is moved", () => {
	const state = (shift: string) => ({ get: (name: string) => (name === "shift" ? shift : "") }) as unknown as State;
	assert.deepEqual(windowsOf(state("1:-500"), 2), [{ letter: "A", shift: 0 }, { letter: "B", shift: -500 }]);
	assert.deepEqual([windowsOf(state(""), 2), windowsOf(state(""), 1)], [[{ letter: "", shift: 0 }], [{ letter: "", shift: 0 }]]);
});

test("signs need a name for screen readers, and words do not", () => {
	assert.deepEqual(["×", "«", "▾", "?", "+1.234567890", "http.request", "why?", "7"].map(isReadable), [false, false, false, false, true, true, true, true]);
});

test("many arrows are faint", () => assert.deepEqual([1, 40, 80, 300].map(alphaOf), [0.5, 0.5, 0.25, 0.12]));

test("the states of a thread are summed, with what it waits for", () => {
	const thread = lane(3, { pid: 7, tid: 7, states: true });
	const answer = { exact: true, limited: false, texts: ["", "futex", "unknown"], stretches: [3, 50, 100, 4, 1, 0, 0, 3, 160, 100, 4, 1, 0, 0, 3, 150, 10, 1, 0, 0, 0, 3, 0, 50, 4, 2, 0, 0], bins: [3, 0, 1, 30, 3, 1, 3, 5, 3, 1, 0, 9] };
	assert.deepEqual(sumStates(answer, thread, 100, 200), [["waiting: futex", 90], ["running", 40], ["preempted", 5]]);
});

test("why a thread was slow, in words", () => {
	const columns = ["state", "reason", "woken or preempted by", "dur", "%"];
	const rows: Value[][] = [["preempted", "", "thread 8, cc", 60e6, 60], ["preempted", "", "", 30e6, 30], ["running", "", "", 9.9e6, 9.9], ["waiting", "futex", "thread 9", 1e5, 0.1]];
	const why = (some: Value[][]) => describeWhy({ columns, rows: some, more: false, cut: 0 });
	assert.equal(why(rows), "The thread was preempted 90.0 ms (90 %), running 9.90 ms (10 %), waiting 100 us (< 1 %). The longest cause: preempted by thread 8, cc, 60.0 ms.");
	assert.equal(why(rows.slice(3)), "The thread was waiting 100 us (100 %). The longest cause: waiting for futex, woken by thread 9, 100 us.");
	assert.equal(why(rows.slice(2, 3)), "The thread was running 9.90 ms (100 %).");
	assert.equal(why([["unknown", "", "", 5e6, 100]]), "The thread was in an unknown state 5.00 ms (100 %).");
	assert.equal(why([]), "");
	const thread: Thread = { tid: 7n, pid: undefined, trace: undefined, host: undefined };
	assert.deepEqual([isWhy(whyQuery(true, thread, 1n, 9n)), isWhy(whyQuery(false, thread, 1n, 9n)), isWhy("SELECT 1")], [true, true, false]);
});

test("a thread is one of a trace and a machine", () => {
	const thread = { pid: 7, tid: 7, first: 10, last: 20 };
	const [joined, merged] = [trace(2), trace(1)];
	const known = [lane(0, thread), lane(1, { ...thread, trace: 1 }), lane(2, { ...thread, host: 0 }), lane(3, { ...thread, host: 1 }), lane(4, { ...thread, host: 2 }), lane(5, { ...thread, pid: 0, first: 0, last: 5 })];
	for (const has_states of [true, false]) {
		const query = (of: Trace, one: Lane) => whyQuery(has_states, threadOf(of, one), 1n, 9n);
		assert.match(query(joined, known[1]!), /WHERE tid = 7 AND coalesce\(pid, 7\) = 7 AND trace = 'p1' AND time /);
		assert.match(query({ ...merged, hosts: ["it's"] }, known[2]!), /WHERE tid = 7 AND coalesce\(pid, 7\) = 7 AND host = 'it''s' AND time /);
		assert.match(query(merged, known[0]!), /WHERE tid = 7 AND coalesce\(pid, 7\) = 7 AND time /);
	}
	const row = { tid: 7n, pid: undefined, trace: undefined, host: undefined };
	const ids = (of: Trace, some: Lane[], one: Thread, ns = 15) => lanesOf(of, some, one, ns).map(({ id }) => id);
	const [of_two, of_machines] = [known.slice(0, 2), known.slice(2, 5)];
	assert.deepEqual([ids(joined, of_two, row), ids(joined, of_two, { ...row, trace: "p1" }), ids(joined, of_two, { ...row, host: "h0" })], [[0, 1], [1], [0]]);
	assert.deepEqual([ids(merged, of_machines, { ...row, host: "h0" }), ids(merged, of_machines, { ...row, host: "h1" })], [[2], [3, 4]]);
	const reused = [known[0]!, known[5]!, lane(6, { tid: 7, pid: 7, events: 0 })];
	assert.deepEqual([ids(merged, reused, row), ids(merged, reused, row, 5), ids(merged, reused, { ...row, pid: 0n }), ids(merged, reused, { ...row, pid: 9n })], [[0, 6], [5, 6], [5], []]);
	assert.deepEqual([areApart(of_two), areApart(of_machines), areApart(known.slice(0, 1)), areApart([known[0]!, known[5]!])], [true, true, false, false]);
	assert.deepEqual(of_machines.map((one) => isAmbiguous(merged, of_machines, one)), [false, true, true]);
	assert.deepEqual([trace(2), { ...trace(1), hosts: ["h"] }, { ...trace(2), hosts: ["h", "i"] }].map(originColumns), ["trace, host, ", "", "trace, "]);
});

test("neighbouring rows of a histogram without spans are one row", () => {
	assert.deepEqual(joinEmpty([[1, 2, 5], [2, 4, 0], [4, 8, 0], [8, 16, 1], [16, null, 0]]), [[1, 2, 5], [2, 8, 0], [8, 16, 1], [16, null, 0]]);
});

test("traces are aligned at their n-th event", () => {
	assert.deepEqual(["http.request", "http.request:3", " std::sort:12 ", "", "a:0"].map(readAlign), [{ name: "http.request", number: 1 }, { name: "http.request", number: 3 }, { name: "std::sort", number: 12 }, undefined, { name: "a", number: 1 }]);
	assert.equal(writeAlign({ name: "f.a", number: 2 }), "f.a:2");
	assert.equal(shiftsOf({ name: "f.a", number: 2 }, { times: [100, 250, 100], counts: [2, 2, 2] }, 0, ["A", "B", "C"]), "1:-150");
	assert.throws(() => shiftsOf({ name: "f.a", number: 2 }, { times: [100, null], counts: [2, 1] }, 0, ["A", "B"]), /B has 1 of f.a, expected 2 or more/);
});

test("damage of a page of the list", () => {
	const damage = (from: number, length: number, lane?: number) => ({ tracefile: "cpu/0", from, length, text: "", ...(lane === undefined ? {} : { lane }) });
	const all = [damage(50, 10, 0), damage(0, 10, 0), damage(20, 0, 1)];
	assert.deepEqual(listed(all, 0, 51).map(({ from }) => from), [0, 20, 50]);
	assert.deepEqual(listed(all, 10, 50).map(({ from }) => from), [20]);
	assert.deepEqual(listed(all, 0, 100, lane(0, { kind: "cpu", cpu: 0 })).map(({ from }) => from), [0, 50]);
	assert.deepEqual(listed(all, 0, 100, lane(7, {})).length, 3);
});

test("all damage at the pointer is named, up to four stretches", () => {
	const damages = new Damages();
	damages.known = [1, 2, 3, 4, 5, 6].map((number) => ({ tracefile: "cpu/0", lane: number < 6 ? 1 : 2, from: 10 * number, length: 100, text: `reason ${number}` }));
	const describe = (id: number, ns: number) => damages.describe({ ...lanes[0]!, id }, ns, 1, () => 0)?.split("\n").filter((line) => !line.startsWith("events may be"));
	assert.deepEqual(describe(1, 25), ["damaged: reason 1", "damaged: reason 2"]);
	assert.deepEqual(describe(1, 55), ["damaged: reason 1", "damaged: reason 2", "damaged: reason 3", "damaged: reason 4", "and 1 more"]);
	assert.equal(describe(3, 25), undefined);
});

test("histograms count each value once", () => {
	assert.deepEqual(histogram([0, 1, 9, 10], 2), [{ from: 0, to: 5, n: 2 }, { from: 5, to: 10, n: 2 }]);
	assert.deepEqual(histogram([3, 3], 4).map((bar) => bar.n), [2]);
	assert.deepEqual(histogram([], 4), []);
});

test("mistakes have a place in characters", () => {
	assert.deepEqual(readMistake("byte 3: wrong", "ää x"), { message: "wrong", at: 2 });
	assert.deepEqual(readMistake("something else", "x"), { message: "something else" });
});

test("bookmarks of the URL", () => {
	const marks = readMarks('[[5,0,"<b>",""],[7,2,"x","note"],"wrong",[1],["a",1,"x"]]');
	assert.deepEqual(marks.map((mark) => [mark.time, mark.length, mark.name, mark.text]), [[5, 0, "<b>", ""], [7, 2, "x", "note"]]);
	assert.equal(writeMarks(marks), '[[5,0,"<b>",""],[7,2,"x","note"]]');
	assert.deepEqual([readMarks("{"), readMarks('"x"'), readMarks(""), writeMarks([])], [[], [], [], ""]);
});

test("the extent of a trace", () => {
	const two = [lane(0, { first: 5, last: 9 }), lane(1, { first: 3, last: 4 }), lane(2, { trace: 1, first: 1, last: 99 }), lane(3, { events: 0 })];
	assert.deepEqual(extent(two, 0), [3, 9]);
	assert.equal(extent(two, 2), undefined);
});

test("a part of a saved window has its spans, and its bins are spread or joined", () => {
	const saved = {
		window: { from: 100, to: 200, pixels: 10 },
		spans: { exact: true, names: ["a"], spans: [1, 90, 20, 0, 0, 0, 1, 150, 40, 0, 0, 0, 2, 100, 100, 0, 0, 0], bins: [1, 4, -1, 6, 0, 8, 1, 5, -1, 2, 0, 4] },
	} as unknown as Saved;
	const part = cutSpans(saved, 140, 160, 4, new Set([1]));
	assert.deepEqual(part.spans, [1, 150, 40, 0, 0, 0]);
	assert.deepEqual(part.bins, [1, 0, -1, 6, 0, 4, 1, 1, -1, 6, 0, 4, 1, 2, -1, 2, 0, 2, 1, 3, -1, 2, 0, 2]);
	assert.deepEqual(cutSpans(saved, 100, 200, 5, new Set([1])).bins, [1, 2, -1, 8, 0, 12]);
});

test("a part of a saved window has the events of the lane, and the threads of each machine", () => {
	const event = (ns: number) => ({ time: `0.00000000${ns}`, tracefile: "cpu/0", event: "f.e", pid: 7, tid: 7 });
	const saved = {
		window: { from: 0, to: 9, pixels: 9 },
		trace: { start: "0" },
		lanes: { complete: true, omitted: 0, lanes: [lane(0, { kind: "cpu", cpu: 0, host: 0 }), lane(1, { pid: 7, tid: 7, host: 0, name: "one" }), lane(2, { kind: "cpu", cpu: 0, host: 1 }), lane(3, { pid: 7, tid: 7, host: 1, name: "other" })] },
		events: { events: [1, 2, 3, 4].map(event), more: false, places: [0, 1, 1, 0].map((host) => ({ host, lanes: [2 * host, 2 * host + 1] })) },
		stat: { events: 4, lost: 5, n_types: 1, n_threads: 2, types: [], threads: [] },
	} as unknown as Saved;
	const times = (lane?: number) => cutEvents(saved, 1, 4, lane).events.map(({ time }) => time.at(-1)).join("");
	assert.deepEqual([times(), times(0), times(1), times(2), times(3)], ["123", "1", "1", "23", "23"]);
	const { threads, n_threads, lost, lost_at_most } = count(saved, 1, 4);
	assert.deepEqual(threads.map(({ name, events }) => [name, events]), [["other", 2], ["one", 1]]);
	assert.deepEqual([n_threads, lost, lost_at_most], [2, 5, true]);
	assert.equal(count(saved, 0, 9), saved.stat);
});

test("lanes that are moved are asked for in the time of their trace", () => {
	const wish = { from: 100, to: 200, pixels: 50, filter: "", length: 1000, lanes: [{ id: 1, shift: 0 }, { id: 2, shift: 150 }, { id: 3, shift: 0 }, { id: 4, shift: 2000 }] };
	const parts = partsOf(wish);
	assert.deepEqual(parts.map(({ from, to, pixels, lanes, shift }) => [from, to, pixels, lanes, shift]), [[100, 200, 50, [1, 3], 0], [0, 50, 25, [2], 150]]);
	assert.deepEqual(parts.map((part) => [0, 24].map(part.toPixel)), [[0, 24], [25, 49]]);
});

test("the latest window is requested: first with a limit, and after the one before was answered or is late", async () => {
	mock.timers.enable({ apis: ["setTimeout"] });
	const sent: { from: number; most: number | undefined; signal: AbortSignal; answer: (words: string) => void }[] = [];
	const shown: string[] = [];
	const asking: Asking<string> = new Asking(
		(wish: Wish, signal: AbortSignal, most?: number) => new Promise((answer) => sent.push({ from: wish.from, most, signal, answer })),
		() => shown.push(asking.last!),
		assert.fail,
		(words) => words === "rough",
	);
	const want = (from: number) => asking.want({ from, to: 9, pixels: 10, lanes: [{ id: 0, shift: 0 }], filter: "", length: 9 });
	const answer = async (words: string) => {
		sent.at(-1)!.answer(words);
		await new Promise(setImmediate);
	};
	want(0);
	want(1);
	want(2);
	assert.deepEqual(sent.map(({ from }) => from), [0]);
	await answer("rough"); // is not refined, because the window has changed
	assert.deepEqual(sent.map(({ from, most }) => [from, most]), [[0, 150000], [2, 150000]]);
	assert.deepEqual([asking.is_waiting, asking.is_refining], [true, false]);
	await answer("rough");
	assert.equal(sent.length, 2); // the wish may still change
	mock.timers.tick(100);
	await new Promise(setImmediate);
	assert.deepEqual([sent.at(-1)!.most, asking.is_waiting, asking.is_refining], [undefined, false, true]);
	await answer("exact");
	assert.deepEqual([asking.is_waiting, asking.is_refining], [false, false]);
	want(3);
	want(4);
	mock.timers.tick(100);
	assert.deepEqual([sent.at(-2)!.signal.aborted, sent.at(-1)!.from], [true, 4]);
	sent.at(-2)!.answer("late");
	await answer("rough");
	want(5); // does not wait for the exact answer
	assert.deepEqual([sent.at(-2)!.signal.aborted, sent.at(-1)!.from, sent.at(-1)!.most], [true, 5, 150000]);
	assert.deepEqual(shown, ["rough", "rough", "exact", "rough"]);
	mock.timers.reset();
});

test("rows with states have room for them over the spans, and counters have a group", () => {
	const known = [lane(0, { pid: 7, tid: 7, depths: 2, states: true }), lane(1, { pid: 7, tid: 8, depths: 2 }), lane(2, { kind: "counter", name: "f.e.level", pid: 7 }), lane(3, { pid: 0, tid: 9, states: true })];
	const rows = makeRows(trace(1), known, choice());
	assert.deepEqual(rows.map((row) => row.label), ["counters", "f.e.level process 7", "process 7", "thread 7", "thread 8", "unknown processes", "thread 9"]);
	assert.deepEqual([spansTop(rows[3]!), spansTop(rows[4]!), rows[3]!.height - rows[4]!.height], [STATE_HEIGHT, 0, STATE_HEIGHT]);
	assert.deepEqual([depthsOf(rows[3]!), depthsOf(rows[4]!)], [2, 2]);
	assert.notEqual(laneKey(known[2]!), laneKey({ ...known[2]!, pid: 8 }));
});

test("curves begin with the value before the window", () => {
	const steps = stepsOf({ exact: true, before: [1, 5, 2, null], bins: [1, 3, 2, 4, 9, 6, 3, 0, 1, -2, -2, -2] }, 100, 10);
	assert.deepEqual(steps.get(1), [{ at: 100, n: 0, least: 5, most: 5, last: 5 }, { at: 130, n: 2, least: 4, most: 9, last: 6 }]);
	assert.ok(Number.isNaN(steps.get(2)![0]!.last));
	assert.deepEqual([rangeOf(steps.get(1)!), rangeOf(steps.get(3)!), rangeOf(steps.get(2)!)], [[0, 9], [-2, 0], [0, 0]]);
});

test("numbers of events keep their text", () => {
	const text = '{"time":"1.5","tid":7,"data":{"u":18446744073709551615,"i":-9007199254740993,"f":1.0,"g":1e+16,"h":-0.0,"n":3,"s":"[12345678901234567890]\\\" 1.0","a":[9007199254740993,{"x":null,"__proto__":2.50}]}}';
	const event = parseExactly(text) as { time: string; tid: number; data: Record<string, unknown> };
	assert.deepEqual([event.time, event.tid, event.data["n"], event.data["s"]], ["1.5", 7, 3, '[12345678901234567890]\" 1.0']);
	assert.equal(toJson(event), text);
	assert.equal(fields(event.data), 'u=18446744073709551615 i=-9007199254740993 f=1.0 g=1e+16 h=-0.0 n=3 s="[12345678901234567890]\\" 1.0" a=[9007199254740993,{"x":null,"__proto__":2.50}]');
	assert.deepEqual([fields(parseExactly("1.0")), fields(parseExactly("[1e-05]")), fields(undefined), fields("a")], ["1.0", "[1e-05]", "", '"a"']);
	const long = JSON.stringify("\\\"x".repeat(4000000));
	assert.equal(toJson(parseExactly(long)), long);
});

test("values of counters keep their digits", () => {
	const text = '{"exact":true,"before":[1,9007199254740993],"bins":[1,3,2,-9223372036854775807,18446744073709551615,7]}';
	const [first, second] = stepsOf(parseExactly(text) as Counters, 0, 10).get(1)!;
	assert.deepEqual([first!.last, second!.least, second!.most, second!.last].map(toText), ["9007199254740993", "-9223372036854775807", "18446744073709551615", "7"]);
	assert.deepEqual(rangeOf([first!, second!]), [-(2 ** 63), 2 ** 64]);
	const saved = { window: { from: 0, to: 100, pixels: 10 }, counters: parseExactly('{"exact":true,"before":[],"bins":[1,2,1,5,5,5,1,3,1,9007199254740993,9007199254740993,9007199254740993]}') } as unknown as Saved;
	assert.deepEqual(cutCounters(saved, 0, 100, 1, new Set([1])).bins.map((value) => toText(value!)), ["1", "0", "2", "5", "9007199254740993", "9007199254740993"]);
});

test("lists can be longer than the arguments of a function", () => {
	const states = { exact: true, limited: false, stretches: [1, 2, 3, 4, 0, 0, 5], bins: new Array<number>(400000).fill(1), texts: new Array<string>(200000).fill("a") };
	const joined = joinStates([states, states]);
	assert.deepEqual([joined.bins.length, joined.texts.length, joined.stretches[11]], [800000, 400000, 200000]);
	assert.deepEqual([leastOf(joined.bins), largestOf(joined.bins), leastOf([]), largestOf([])], [1, 1, Infinity, -Infinity]);
	assert.deepEqual(rangeOf(new Array(200000).fill({ at: 0, n: 1, least: -3, most: 4, last: 4 })), [-3, 4]);
});

test("values and 0 are within the scale of a counter", () => {
	for (const [least, most] of [[0, 9], [-7, 0], [-5, 5], [0, 0], [-1e308, 1e308], [0, 5e-324]] as [number, number][])
		for (const value of [least, 0, most]) {
			const place = placeOf(value, [least, most]);
			assert.ok(place >= 0 && place <= 1, `${value} of ${least} to ${most} is at ${place}`);
		}
	assert.deepEqual([placeOf(-5, [-5, 0]), placeOf(0, [-5, 0]), placeOf(3, [0, 4])], [0, 1, 0.75]);
});

test("a part of a saved window has its states and values", () => {
	const saved = {
		window: { from: 100, to: 200, pixels: 10 },
		states: { exact: true, texts: [""], stretches: [1, 90, 20, 1, 0, 0, 2, 1, 150, 40, 4, 0, 0, 2], bins: [1, 4, 1, 6, 1, 4, 4, 4, 2, 4, 1, 10] },
		counters: { exact: true, before: [1, 7], bins: [1, 2, 1, 3, 3, 3, 1, 4, 2, 1, 8, 2, 1, 5, 1, 9, 9, 9, 2, 4, 1, 1, 1, 1] },
	} as unknown as Saved;
	const states = cutStates(saved, 140, 160, 4, new Set([1]));
	assert.deepEqual(states.stretches, [1, 150, 40, 4, 0, 0, 2]);
	assert.deepEqual(states.bins, [1, 0, 1, 3, 1, 1, 1, 3, 1, 0, 4, 2, 1, 1, 4, 2]);
	const counters = cutCounters(saved, 140, 160, 4, new Set([1]));
	assert.deepEqual([counters.before, counters.bins], [[1, 3], [1, 0, 2, 1, 8, 2, 1, 2, 1, 9, 9, 9]]);
	assert.deepEqual(cutCounters(saved, 100, 200, 1, new Set([1])).bins, [1, 0, 4, 1, 9, 9]);
});

test("folded stacks become a tree, and a frame can be zoomed", () => {
	const root = readFolded("a;b 30\na 10\na;b;c d 20\ne 40\n");
	assert.equal(root.total, 100);
	const b = findPath(root, ["a", "b", "no"]);
	assert.deepEqual([b.name, b.total, b.self, pathOf(b)], ["b", 50, 30, ["a", "b"]]);
	const placed = (path: string[]) => place(findPath(root, path)).map(({ frame, depth, left, width }) => [frame.name, depth, left, width]);
	assert.deepEqual(placed([]), [["all", 0, 0, 1], ["a", 1, 0, 0.6], ["b", 2, 0, 0.5], ["c d", 3, 0, 0.2], ["e", 1, 0.6, 0.4]]);
	assert.deepEqual(placed(["a", "b"]), [["all", 0, 0, 1], ["a", 1, 0, 1], ["b", 2, 0, 1], ["c d", 3, 0, 0.4]]);
});

test("narrow frames are omitted", () => assert.deepEqual(place(readFolded("a 99999\nb 1\n")).map((one) => one.frame.name), ["all", "a"]));

test("a row of a histogram is a query with exact times", () => {
	const query = listQuery("it's", 16, 32, { ...trace(1), start: "1795385631732989897", hosts: ["h"] }, { from: 1, to: 9 });
	assert.ok(query.startsWith("SELECT time, dur, pid, tid"), query);
	for (const part of ["name = 'it''s'", "dur >= 16 AND dur < 32", "time >= 1795385631732989898 AND time + dur < 1795385631732989906", "state <> 'open'"]) assert.ok(query.includes(part), query);
	assert.ok(!listQuery("a", 16, null, trace(1), { from: 0, to: 9 }).includes("AND dur <"));
});

test("the filter of a lane", () => assert.deepEqual(lanes.slice(1, 3).map((one) => laneFilter(one, [])), ["cpu == 0", "pid == 7 && tid == 8"]));

/** An address without a page. Returns: its fragment, and how often it was stored */
function makeAddress(): { location: { hash: string }; stored: () => number } {
	let n = 0;
	const location = { hash: "" };
	const replaceState = (_: unknown, __: string, hash: string) => {
		n++;
		location.hash = hash;
	};
	Object.assign(globalThis, { location, history: { replaceState }, addEventListener: () => undefined });
	return { location, stored: () => n };
}

test("the address keeps rows whose names have commas", () => {
	const { location } = makeAddress();
	const [key, other] = ["async0.f(int, char%2C)", "c0.1"];
	const state = new State(1000);
	Object.assign(state.choice, { closed: new Set([key]), hidden: new Set([key, other]), pinned: [other, key], moves: [[key, other]] });
	state.link();
	assert.deepEqual(new State(1000).choice, state.choice);
	location.hash = "#hidden=t0.7.8,c0.1";
	assert.deepEqual([...new State(1000).choice.hidden], ["t0.7.8", "c0.1"]);
});

test("the address keeps the shortest windows of a long trace", () => {
	const { location } = makeAddress();
	for (const length of [1000, 3.2e16, 2 ** 60 + 12345]) {
		for (const from of [0.4, 0.6, length / 3, length - 1]) {
			location.hash = "";
			const state = new State(length);
			state.setWindow(from, from);
			state.link();
			const { from: begin, to: end } = new State(length);
			assert.deepEqual([begin, end], [Math.round(state.from), Math.round(state.to)], `${length} ${from}`);
		}
	}
});

test("the address follows a window that moves, but not as often as browsers refuse", async () => {
	const { location, stored } = makeAddress();
	mock.timers.enable({ apis: ["setTimeout", "Date"] });
	const state = new State(10000);
	const move = async (from: number) => {
		state.setWindow(from, from + 100);
		state.set("lane", `c0.${from}`); // of the same task
		await Promise.resolve();
	};
	await move(1);
	assert.deepEqual([location.hash, stored()], ["#lane=c0.1&from=1&to=101", 1]);
	for (let from = 2; from < 600; from++) {
		await move(from);
		mock.timers.tick(16);
	}
	assert.ok(stored() < 100, String(stored()));
	mock.timers.tick(300);
	assert.equal(location.hash, "#lane=c0.599&from=599&to=699");
	for (let from = 700; from < 800; from++) await move(from);
	state.link();
	assert.equal(location.hash, "#lane=c0.799&from=799&to=899");
	mock.timers.reset();
});

test("rows are moved within their group", () => {
	const sorted = (...moves: [string, string][]) => reorder([..."abcd"], (one) => one, moves).join("");
	assert.equal(sorted(["d", "a"]), "dabc");
	assert.equal(sorted(["d", "a"], ["b", "d"]), "bdac");
	assert.equal(sorted(["x", "a"], ["a", "x"], ["b", "b"]), "abcd");
	assert.deepEqual(moveBy([], [..."abcd"], "b", true), [["b", "a"]]);
	assert.deepEqual(moveBy([], [..."abcd"], "b", false), [["c", "b"]]);
	assert.deepEqual([moveBy([], ["a"], "a", true), moveBy([], ["a"], "a", false)], [undefined, undefined]);
	const moved = labels(choice({ moves: [[laneKey(lanes[2]!), laneKey(lanes[3]!)], ["P0.9", "C0"]] }));
	assert.deepEqual(moved, ["idle 9", "idle 9", "CPUs", "CPU 0", "CPU 1", "worker 7", "worker 8", "main 7"]);
	assert.deepEqual(labels(choice({ hidden: new Set(["C0", "P0.7"]) })), ["idle 9", "idle 9"]);
});

test("lanes of two traces are paired by name, and by their order", () => {
	assert.deepEqual(pairUp(["a1", "a2", "b1", "c1"], ["b7", "a7", "d7"], (name) => name[0]!), [["a1", "a7"], ["a2", undefined], ["b1", "b7"], ["c1", undefined], [undefined, "d7"]]);
	const cpus = (...numbers: number[]) => numbers.map((cpu) => ({ kind: "cpu", cpu }) as Lane);
	const numbers = (a: Lane[], b: Lane[]) => pairLanes(a, b).map((pair) => pair.map((lane) => lane?.cpu));
	assert.deepEqual(numbers(cpus(0, 2), cpus(0, 1, 2)), [[0, 0], [2, 2], [undefined, 1]]); // of one machine
	assert.deepEqual(numbers(cpus(0, 2), cpus(3, 4, 5)), [[0, 3], [2, 4], [undefined, 5]]); // of two
});

test("words and signs of a comparison agree", () => {
	const change = (verdict: "slower" | "faster" | "noise", a: [number, number], b: [number, number], name = "x") => ({ name, verdict, a: { count: a[0], total: a[1] }, b: { count: b[0], total: b[1] } });
	assert.equal(describeTotal(change("slower", [10, 5e9], [2, 4e9])), "1.00 s less: there are 8 fewer");
	assert.equal(describeTotal(change("faster", [10, 1e9], [40, 3e9])), "2.00 s more: there are 30 more");
	assert.equal(describeTotal(change("slower", [10, 1e9], [40, 3e9])), "2.00 s more");
	assert.equal(describeTotal(change("noise", [10, 1e9], [10, 1e9])), "no change");
	const [mean_a, mean_b] = [{ count: 800, mean: 18e3, total: 144e5 }, { count: 1200, mean: 24e3, total: 288e5 }];
	assert.equal(describeTotal({ name: "x", verdict: "faster", a: mean_a, b: mean_b }), "14.4 ms more: there are 400 more, the slow ones are slower");
	assert.equal(describeTotal({ name: "x", verdict: "slower", a: mean_b, b: { ...mean_a, count: 1200 } }), "14.4 ms less: the slow ones are faster");
	const names = [change("slower", [10, 5e9], [2, 4e9]), change("faster", [1, 1], [1, 1], "y")];
	assert.equal(summary({ all: change("noise", [11, 5e9], [3, 4e9]), names, n_names: 2 }), "All spans together take 1.00 s, 20 % less in B: 5.00 s in A, 4.00 s in B. Their number is 11 in A and 3 in B. A typical one is slower: x. A typical one is faster: y.");
	const said = (a: [number, number], b: [number, number]) => summary({ all: change("noise", a, b), names: [], n_names: 0 });
	assert.equal(said([1000, 25e6], [8000, 400e6]), "All spans together take 375 ms longer in B, 16 times as long: 25.0 ms in A, 400 ms in B. Their number is 1,000 in A and 8,000 in B.");
	assert.equal(said([100, 10e6], [105, 4e6]), "All spans together take 6.00 ms less in B, 1/2.5 of A: 10.0 ms in A, 4.00 ms in B.");
	assert.equal(said([9, 1e6], [9, 1e6]), "All spans together take as long in B: 1.00 ms in A, 1.00 ms in B.");
	const kernel = change("slower", [9, 9e9], [9, 18e9], "syscalls.sys_futex");
	assert.match(summary({ all: kernel, names: [kernel, ...names], n_names: 3 }), /A typical one is slower: x\. A typical one is faster: y\.$/);
	assert.match(summary({ all: kernel, names: [kernel], n_names: 1 }), /A typical one is slower: syscalls\.sys_futex\.$/);
	assert.equal(summary({ all: change("noise", [11, 5e9], [0, 0]), names: [], n_names: 0 }), "Only A has spans there.");
});
