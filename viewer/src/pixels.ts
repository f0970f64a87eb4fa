// pixels.ts - many small rectangles, which are stored as pixels and put on a canvas at once. The canvas would store a
// command for each rectangle: 50 lanes of 1,200 pixels took 60 ms and 50 MB.

/** A CSS colour as a pixel of ImageData. @alpha: share of its opacity */
function toWord(colour: string, alpha: number): number {
	const rgb = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
	rgb.fillStyle = colour;
	rgb.fillRect(0, 0, 1, 1);
	const { data } = rgb.getImageData(0, 0, 1, 1);
	data[3] = Math.round(data[3]! * alpha);
	return new Uint32Array(data.buffer)[0]!;
}

/** Opacity of what a filter does not select */
export const FAINT = 0.15;

export class Pixels {
	private readonly known = [new Map<string, number>(), new Map<string, number>()]; // words by colour: opaque, faint
	private is_faint = false;
	private image: ImageData | undefined;
	private words = new Uint32Array();
	private ratio = 1;

	/** Begins a picture of the size of @canvas. */
	begin({ width, height }: HTMLCanvasElement): void {
		this.ratio = devicePixelRatio || 1;
		this.is_faint = false;
		if (this.image?.width === width && this.image.height === height) {
			this.words.fill(0);
			return;
		}
		this.image = new ImageData(Math.max(width, 1), Math.max(height, 1));
		this.words = new Uint32Array(this.image.data.buffer);
	}

	/** What is filled from now on is faint, or not. */
	setFaint(is_faint: boolean): void {
		this.is_faint = is_faint;
	}

	private wordOf(colour: string): number {
		const known = this.known[Number(this.is_faint)]!;
		let word = known.get(colour);
		if (word === undefined) known.set(colour, (word = toWord(colour, this.is_faint ? FAINT : 1)));
		return word;
	}

	/** Fills a rectangle, at least one pixel of the screen wide and high. */
	fill(colour: string, x: number, y: number, width: number, height: number): void {
		const { image, words, ratio } = this;
		if (!image) return;
		const from = Math.max(Math.round(x * ratio), 0);
		const to = Math.min(Math.max(Math.round((x + width) * ratio), Math.round(x * ratio) + 1), image.width);
		const top = Math.round(y * ratio);
		const bottom = Math.min(Math.max(Math.round((y + height) * ratio), top + 1), image.height);
		const word = this.wordOf(colour);
		for (let line = Math.max(top, 0); line < bottom; line++) {
			const end = line * image.width + to;
			for (let at = line * image.width + from; at < end; at++) words[at] = word; // fill() is slow for a few pixels
		}
	}

	/** Replaces the contents of the canvas. */
	put(context: CanvasRenderingContext2D): void {
		if (this.image) context.putImageData(this.image, 0, 0);
	}
}
