// pixels.ts - draws many small rectangles in an array of pixels, and copies it to the canvas at once. The canvas would
// store a command for each rectangle: 50 lanes of 1,200 pixels took 60 ms and 50 MB.

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
	private width = 0; // of the image; image.width is slow to read
	private height = 0;
	private ratio = 1;

	/** Begins a picture of the size of @canvas. */
	begin({ width, height }: HTMLCanvasElement): void {
		this.ratio = devicePixelRatio || 1;
		this.is_faint = false;
		if (this.image && this.width === width && this.height === height) {
			this.words.fill(0);
			return;
		}
		[this.width, this.height] = [Math.max(width, 1), Math.max(height, 1)];
		this.image = new ImageData(this.width, this.height);
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
		const { words, ratio, width: stride } = this;
		const left = Math.round(x * ratio);
		const top = Math.round(y * ratio);
		const from = Math.max(left, 0);
		const to = Math.min(Math.max(Math.round((x + width) * ratio), left + 1), stride);
		const last = Math.min(Math.max(Math.round((y + height) * ratio), top + 1), this.height) * stride;
		const word = this.wordOf(colour);
		for (let line = Math.max(top, 0) * stride; line < last; line += stride) {
			for (let at = line + from; at < line + to; at++) words[at] = word; // fill() is slow for a few pixels
		}
	}

	/** Replaces the contents of the canvas. */
	put(context: CanvasRenderingContext2D): void {
		if (this.image) context.putImageData(this.image, 0, 0);
	}
}
