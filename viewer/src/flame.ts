// flame.ts - the flame graph of an interval of time, with the outermost frames at the top. Each frame is a button that
// zooms to it.
import { colourOf, inkOn } from "./colour.ts";
import { duration } from "./clock.ts";
import { make } from "./dom.ts";
import { largestOf } from "./lists.ts";

export interface FlameAnswer {
	total: number;
	spans: number; // also those of 0 ns, which have no frame
	over_limit: number;
	saturated: boolean;
	folded: string;
}

export interface Frame {
	name: string;
	self: number;
	total: number;
	around: Frame | undefined;
	inside: Map<string, Frame>;
}

/** A frame as it is drawn; left and width are shares of the graph. */
export interface Placed {
	frame: Frame;
	depth: number;
	left: number;
	width: number;
}

const FRAME_HEIGHT = 18;

/** A frame with a smaller share of the width is omitted, or has no text. */
const LEAST_SHARE = 1 / 1500;
const TEXT_SHARE = 1 / 60;

function makeFrame(name: string, around?: Frame): Frame {
	return { name, self: 0, total: 0, around, inside: new Map() };
}

/** "a;b 12\n" -> a tree, whose root is "all" */
export function readFolded(folded: string): Frame {
	const root = makeFrame("all");
	for (const line of folded.split("\n")) {
		const blank = line.lastIndexOf(" ");
		if (blank < 0) continue;
		const weight = Number(line.slice(blank + 1));
		let frame = root;
		frame.total += weight;
		for (const name of line.slice(0, blank).split(";")) {
			let next = frame.inside.get(name);
			if (!next) frame.inside.set(name, (next = makeFrame(name, frame)));
			next.total += weight;
			frame = next;
		}
		frame.self += weight;
	}
	return root;
}

/** The names from the root to a frame */
export function pathOf(frame: Frame): string[] {
	return frame.around ? [...pathOf(frame.around), frame.name] : [];
}

/** The frame of a path, or the last existing frame on it */
export function findPath(root: Frame, path: string[]): Frame {
	let frame = root;
	for (const name of path) {
		const next = frame.inside.get(name);
		if (!next) break;
		frame = next;
	}
	return frame;
}

/** The frames that are visible if @focus is as wide as the graph: those around it, and those inside */
export function place(focus: Frame): Placed[] {
	const placed: Placed[] = [];
	for (let frame: Frame | undefined = focus.around; frame; frame = frame.around) placed.unshift({ frame, depth: 0, left: 0, width: 1 });
	placed.forEach((one, depth) => (one.depth = depth));
	const add = (frame: Frame, depth: number, left: number) => {
		const width = focus.total > 0 ? frame.total / focus.total : 1;
		if (width < LEAST_SHARE) return;
		placed.push({ frame, depth, left, width });
		let at = left;
		for (const next of frame.inside.values()) {
			add(next, depth + 1, at);
			at += next.total / focus.total;
		}
	};
	add(focus, placed.length, 0);
	return placed;
}

/** Draws the graph into @box. @path: the frame that is zoomed to; @onZoom: called with another one */
export function showFlame(box: HTMLElement, root: Frame, path: string[], onZoom: (path: string[]) => void): void {
	const caption = make("p", { class: "caption", role: "status" });
	const draw = (focus: Frame) => {
		const placed = place(focus);
		graph.style.height = `${(largestOf(placed.map((one) => one.depth)) + 1) * FRAME_HEIGHT}px`;
		graph.replaceChildren(...placed.map((one) => button(one, focus)));
		caption.textContent = describe(focus);
	};
	const describe = (frame: Frame) => `${frame.name}: ${duration(frame.total)}, ${((100 * frame.total) / Math.max(root.total, 1)).toFixed(1)} % of all, ${duration(frame.self)} outside of inner spans`;
	const button = ({ frame, depth, left, width }: Placed, focus: Frame) => {
		const element = make("button", { type: "button", class: "frame", title: describe(frame), "aria-label": describe(frame) }, width >= TEXT_SHARE ? frame.name : "");
		const { style } = element;
		[style.left, style.width, style.top] = [`${100 * left}%`, `${100 * width}%`, `${depth * FRAME_HEIGHT}px`];
		if (frame !== root) [style.background, style.color] = [colourOf(frame.name), inkOn(frame.name)];
		if (frame === focus) element.setAttribute("aria-current", "true");
		element.addEventListener("click", () => {
			draw(frame);
			onZoom(pathOf(frame));
		});
		element.addEventListener("pointerenter", () => (caption.textContent = describe(frame)));
		return element;
	};
	const graph = make("div", { class: "flame", role: "group", "aria-label": "Flame graph, outermost frames first" });
	draw(findPath(root, path));
	box.replaceChildren(graph, caption);
}
