// plot.ts - draws a result of SQL: a line, bars, or a histogram.
import { colourAt } from "./colour.ts";
import { duration, offset } from "./clock.ts";
import { largestOf, leastOf } from "./lists.ts";
import { fit, theme } from "./paint.ts";
import { histogram, isIdentifier, numericColumns, show, toInteger, toNumber, type Result } from "./values.ts";

export type Kind = "line" | "bars" | "histogram";

const LEFT = 84;
const BOTTOM = 22;
const TOP = 18;
const MAX_BARS = 200;

/** The data of a plot: places between 0 (left) and 1 (right), and values */
interface Drawing {
	points: { at: number; label: string; values: number[]; row: number }[];
	names: string[];
	from: string;
	to: string;
}

/** The plots that a result can have */
export function kindsOf(result: Result): Kind[] {
	const numbers = numericColumns(result).length;
	if (numbers === 0 || result.rows.length === 0) return [];
	return numbers > 1 ? ["line", "bars", "histogram"] : ["bars", "histogram"];
}

/** Formats a value; durations, which the column name identifies, get a unit. */
function label(name: string, value: number): string {
	if (/(^|_)(dur|ns|duration|latency|mean|p\d+|total)(_|$)/i.test(name)) return duration(value);
	return Number.isInteger(value) ? value.toLocaleString("en") : value.toPrecision(4);
}

function drawingOf(result: Result, kind: Kind, start: string, time: number | undefined): Drawing {
	const all = numericColumns(result);
	const measures = all.filter((i) => i === time || !isIdentifier(result.columns[i]!));
	const numbers = measures.some((i) => i !== time) ? measures : all;
	const number = (row: number, column: number) => toNumber(result.rows[row]![column]!) ?? NaN;
	const across = (row: number, column: number) => (column === time ? Number(toInteger(result.rows[row]![column]!)! - BigInt(start)) : number(row, column));
	const write = (column: number, value: number) => (column === time ? offset(value) : label(result.columns[column]!, value));
	if (kind === "histogram") {
		const column = numbers.find((i) => i !== time) ?? numbers[0]!;
		const name = result.columns[column]!;
		const bars = histogram(result.rows.map((_, row) => across(row, column)).filter(Number.isFinite), 40);
		const points = bars.map((bar, i) => ({ at: (i + 0.5) / bars.length, label: `${write(column, bar.from)} to ${write(column, bar.to)}`, values: [bar.n], row: -1 }));
		return { points, names: [`rows by ${name}`], from: bars.length ? write(column, bars[0]!.from) : "", to: bars.length ? write(column, bars.at(-1)!.to) : "" };
	}
	const x = kind === "line" ? (time ?? numbers[0]!) : result.columns.findIndex((_, i) => !all.includes(i));
	const drawn = numbers.filter((i) => i !== x && i !== time).slice(0, 6);
	const rows = result.rows.map((_, row) => row).slice(0, kind === "bars" ? MAX_BARS : undefined);
	const places = kind === "line" ? rows.map((row) => across(row, x)) : rows.map((_, i) => i + 0.5);
	const least = kind === "line" ? leastOf(places) : 0;
	const most = kind === "line" ? largestOf(places) : rows.length;
	const points = rows.map((row, i) => ({
		at: (places[i]! - least) / (most - least || 1),
		label: x < 0 ? `row ${row + 1}` : kind === "line" ? write(x, places[i]!) : show(result.rows[row]![x]!),
		values: drawn.map((column) => number(row, column)),
		row,
	}));
	if (kind === "line") points.sort((a, b) => a.at - b.at);
	return { points, names: drawn.map((i) => result.columns[i]!), from: points[0]?.label ?? "", to: points.at(-1)?.label ?? "" };
}

/** Draws on a canvas. @onRow: called for a click on a row, by its number */
export function plot(canvas: HTMLCanvasElement, caption: HTMLElement, result: Result, kind: Kind, start: string, time: number | undefined, onRow: (row: number) => void): void {
	const drawing = drawingOf(result, kind, start, time);
	const context = fit(canvas);
	const ink = theme();
	const width = canvas.clientWidth - LEFT - 12;
	const height = canvas.clientHeight - BOTTOM - TOP;
	const values = drawing.points.flatMap((point) => point.values).filter(Number.isFinite);
	const most = values.reduce((a, b) => Math.max(a, b), 0) || 1;
	const least = values.reduce((a, b) => Math.min(a, b), 0);
	const x = (at: number) => LEFT + at * width;
	const y = (value: number) => TOP + height * (1 - (value - least) / (most - least));
	context.font = "11px system-ui, sans-serif";
	for (const share of [0, 0.5, 1]) {
		const value = least + share * (most - least);
		context.fillStyle = ink.grid;
		context.fillRect(LEFT, Math.round(y(value)), width, 1);
		context.fillStyle = ink.faint;
		context.textAlign = "right";
		context.fillText(label(drawing.names[0] ?? "", value), LEFT - 6, y(value) + 4);
	}
	context.textAlign = "left";
	context.fillText(drawing.from.slice(0, 40), LEFT, canvas.clientHeight - 6);
	context.textAlign = "right";
	context.fillText(drawing.to.slice(0, 40), LEFT + width, canvas.clientHeight - 6);
	context.textAlign = "left";
	drawing.names.forEach((name, i) => {
		context.fillStyle = context.strokeStyle = colourAt(i);
		context.fillText(name, LEFT + 4 + i * 130, 11, 126);
		if (kind === "line") {
			context.lineWidth = 1.5;
			context.beginPath();
			for (const point of drawing.points) if (Number.isFinite(point.values[i]!)) context.lineTo(x(point.at), y(point.values[i]!));
			context.stroke();
			return;
		}
		const each = width / drawing.points.length;
		const wide = Math.max((each * 0.85) / drawing.names.length, 1);
		for (const point of drawing.points) context.fillRect(x(point.at) - each * 0.425 + i * wide, y(Math.max(point.values[i]!, 0)), wide, Math.abs(y(point.values[i]!) - y(0)));
	});
	const nearest = (event: MouseEvent) => {
		const at = (event.offsetX - LEFT) / width;
		return drawing.points.reduce((best, point) => (Math.abs(point.at - at) < Math.abs(best.at - at) ? point : best), drawing.points[0]!);
	};
	canvas.onmousemove = (event) => {
		const point = nearest(event);
		caption.textContent = `${point.label}: ${drawing.names.map((name, i) => `${name} ${label(name, point.values[i]!)}`).join(", ")}`;
	};
	canvas.onclick = (event) => {
		const point = nearest(event);
		if (point.row >= 0) onRow(point.row);
	};
}
