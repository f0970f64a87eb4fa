// input.ts - keys, wheel, mouse and touch on the lanes.
import { Scale } from "./paint.ts";
import type { State } from "./state.ts";

export interface Hit {
	x: number;
	y: number; // from the top of the canvas
	ns: number;
}

export interface Handlers {
	onHover(hit: Hit | undefined): void;
	onClick(hit: Hit): void;
	onSelect(hit: Hit): void; // at the end of a drag
	onHelp(): void;
}

const CLICK_PIXELS = 4;

/** A finger that rests for this many milliseconds begins a selection. */
const HOLD_MS = 450;

export function listenToKeys(state: State, handlers: Handlers): void {
	addEventListener("keydown", (event) => {
		const { target } = event;
		const is_typing = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || document.querySelector("dialog[open]") !== null;
		if (is_typing || event.ctrlKey || event.metaKey || event.altKey) return;
		switch (event.key) {
			case "w": case "W": case "ArrowUp": case "+": state.zoom(0.7, state.anchor); break;
			case "s": case "S": case "ArrowDown": case "-": state.zoom(1 / 0.7, state.anchor); break;
			case "a": case "A": case "ArrowLeft": state.pan(-0.2); break;
			case "d": case "D": case "ArrowRight": state.pan(0.2); break;
			case "0": state.reset(); break;
			case "f": case "F": state.zoomToSelection(); break;
			case "Escape": state.select(undefined); break;
			case "/": document.getElementById("search")?.focus(); break;
			case "?": handlers.onHelp(); break;
			default: return;
		}
		event.preventDefault();
	});
}

export function listenToCanvas(canvas: HTMLCanvasElement, state: State, handlers: Handlers): void {
	const scale = () => new Scale(state.from, state.to, canvas.clientWidth);
	const pointers = new Map<number, number>();
	let pressed: { x: number; from: number; to: number; pans: boolean } | undefined;
	let pinch = 0;
	let hold = 0;

	const hit = (event: MouseEvent): Hit => ({ x: event.offsetX, y: event.offsetY, ns: scale().ns(event.offsetX) });

	canvas.addEventListener("wheel", (event) => {
		if (event.ctrlKey || event.metaKey) state.zoom(Math.exp(event.deltaY * 0.004), hit(event).ns);
		else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) state.pan((event.deltaX || event.deltaY) / canvas.clientWidth);
		else return; // scrolls
		event.preventDefault();
	}, { passive: false });

	canvas.addEventListener("pointerdown", (event) => {
		canvas.setPointerCapture(event.pointerId);
		pointers.set(event.pointerId, event.offsetX);
		pressed = { x: event.offsetX, from: state.from, to: state.to, pans: event.pointerType === "touch" || event.shiftKey || event.button === 1 };
		clearTimeout(hold);
		if (event.pointerType === "touch" && pointers.size === 1) {
			const finger = pressed;
			hold = window.setTimeout(() => {
				finger.pans = false;
				navigator.vibrate?.(20);
			}, HOLD_MS);
		}
		if (pointers.size === 2) {
			const [first, second] = [...pointers.values()] as [number, number];
			pinch = Math.abs(first - second);
		}
	});
	canvas.addEventListener("pointermove", (event) => {
		if (!pressed) return handlers.onHover(hit(event));
		handlers.onHover(undefined);
		if (Math.abs(event.offsetX - pressed.x) >= CLICK_PIXELS) clearTimeout(hold);
		pointers.set(event.pointerId, event.offsetX);
		if (pointers.size === 2) {
			const [first, second] = [...pointers.values()] as [number, number];
			const apart = Math.max(Math.abs(first - second), 10);
			state.zoom(pinch / apart, scale().ns((first + second) / 2));
			pinch = apart;
		} else if (pressed.pans) {
			const shift = ((pressed.x - event.offsetX) / canvas.clientWidth) * (pressed.to - pressed.from);
			state.setWindow(pressed.from + shift, pressed.to + shift);
		} else if (Math.abs(event.offsetX - pressed.x) >= CLICK_PIXELS) {
			const [from, to] = [scale().ns(pressed.x), scale().ns(event.offsetX)].sort((a, b) => a - b) as [number, number];
			state.select([Math.max(from, 0), Math.min(to, state.length)]);
		}
	});
	canvas.addEventListener("pointerup", (event) => {
		const is_click = pressed && pointers.size === 1 && Math.abs(event.offsetX - pressed.x) < CLICK_PIXELS;
		const selects = pressed && !pressed.pans && !is_click;
		pointers.delete(event.pointerId);
		pressed = undefined;
		clearTimeout(hold);
		if (is_click) handlers.onClick(hit(event));
		else if (selects) handlers.onSelect(hit(event));
	});
	canvas.addEventListener("pointercancel", (event) => {
		pointers.delete(event.pointerId);
		pressed = undefined;
	});
	canvas.addEventListener("pointerleave", () => handlers.onHover(undefined));
	canvas.addEventListener("dblclick", (event) => state.zoom(0.25, hit(event).ns));
}

/** A press or drag on the overview moves the window there. */
export function listenToOverview(canvas: HTMLCanvasElement, state: State): void {
	const move = (event: PointerEvent) => {
		const half = (state.to - state.from) / 2;
		const at = (event.offsetX / canvas.clientWidth) * state.length;
		state.setWindow(at - half, at + half);
	};
	canvas.addEventListener("pointerdown", (event) => {
		canvas.setPointerCapture(event.pointerId);
		move(event);
	});
	canvas.addEventListener("pointermove", (event) => {
		if (event.buttons & 1) move(event);
	});
}
