// density.ts - the density of events over the whole trace as columns. They are drawn once, and copied to each frame.
import { largestOf } from "./lists.ts";

/** Counts of events in equal parts of the trace, and their colour */
export type Layer = [counts: number[], colour: string];

export class DensityPicture {
	private readonly copy = document.createElement("canvas");
	private drawn: { layers: Layer[]; size: string } | undefined;

	/** Draws layers over each other. The highest column of each has the height of the canvas. */
	paint(context: CanvasRenderingContext2D, width: number, height: number, layers: Layer[]): void {
		const { width: pixels, height: lines } = context.canvas;
		const size = [pixels, lines, width, height].join();
		const is_same = this.drawn?.size === size && layers.every(([counts, colour], i) => this.drawn!.layers[i]![0] === counts && this.drawn!.layers[i]![1] === colour);
		if (!is_same) {
			Object.assign(this.copy, { width: pixels, height: lines });
			const own = this.copy.getContext("2d")!;
			own.setTransform(pixels / width, 0, 0, lines / height, 0, 0);
			for (const layer of layers) paintLayer(own, width, height, layer);
			this.drawn = { layers, size };
		}
		if (pixels > 0 && lines > 0) context.drawImage(this.copy, 0, 0, width, height);
	}
}

function paintLayer(context: CanvasRenderingContext2D, width: number, height: number, [counts, colour]: Layer): void {
	const most = Math.max(1, largestOf(counts));
	context.fillStyle = colour;
	counts.forEach((count, i) => {
		if (count === 0) return;
		const tall = Math.max(1, (height - 2) * Math.sqrt(count / most));
		context.fillRect((i / counts.length) * width, height - tall, width / counts.length + 0.5, tall);
	});
}
