// pixels.ts - many small rectangles on a canvas, which are stored as pixels and drawn together. The canvas would store
// a command for each rectangle: 50 lanes of 1,200 pixels took 60 ms and 50 MB.

const words = new Map<string, number>();

/** A CSS colour as a pixel of ImageData */
function wordOf(colour: string): number {
	let word = words.get(colour);
	if (word === undefined) {
		const rgb = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
		rgb.fillStyle = colour;
		rgb.fillRect(0, 0, 1, 1);
		words.set(colour, (word = new Uint32Array(rgb.getImageData(0, 0, 1, 1).data.buffer)[0]!));
	}
	return word;
}

export class Pixels {
	private canvas: HTMLCanvasElement | undefined;
	private image: ImageData | undefined;
	private words = new Uint32Array();
	private ratio = 1;

	/** Begins a picture of the size of @canvas. */
	begin({ width, height }: HTMLCanvasElement): void {
		this.ratio = devicePixelRatio || 1;
		this.words.fill(0);
		if (this.image?.width === width && this.image.height === height) return;
		this.image = new ImageData(Math.max(width, 1), Math.max(height, 1));
		this.words = new Uint32Array(this.image.data.buffer);
		this.canvas = Object.assign(document.createElement("canvas"), { width: this.image.width, height: this.image.height });
	}

	/** Fills a rectangle, at least one pixel of the screen wide and high. */
	fill(colour: string, x: number, y: number, width: number, height: number): void {
		const { image, words, ratio } = this;
		if (!image) return;
		const left = Math.round(x * ratio);
		const right = Math.min(Math.max(Math.round((x + width) * ratio), left + 1), image.width);
		const top = Math.round(y * ratio);
		const bottom = Math.min(Math.max(Math.round((y + height) * ratio), top + 1), image.height);
		const word = wordOf(colour);
		const from = Math.max(left, 0);
		if (from >= right) return;
		for (let line = Math.max(top, 0); line < bottom; line++) words.fill(word, line * image.width + from, line * image.width + right);
	}

	/** Draws what was filled since begin(). */
	draw(context: CanvasRenderingContext2D): void {
		if (!this.canvas || !this.image) return;
		this.canvas.getContext("2d")!.putImageData(this.image, 0, 0);
		context.save();
		context.setTransform(1, 0, 0, 1, 0, 0);
		context.drawImage(this.canvas, 0, 0);
		context.restore();
	}
}
