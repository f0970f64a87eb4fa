// colour.ts - a colour for each name: hues that are distinct for people with any kind of colour vision, in two
// shades each.

type Colour = [red: number, green: number, blue: number];

const HUES: Colour[] = [
	[0, 114, 178],
	[230, 159, 0],
	[0, 158, 115],
	[204, 121, 167],
	[86, 180, 233],
	[213, 94, 0],
	[130, 75, 30],
	[122, 59, 143],
];

const SHADES = [0.85, 1.15];

function shadeOf(hue: Colour, shade: number): Colour {
	return hue.map((part) => Math.min(255, Math.round(part * shade))) as Colour;
}

/** The colours of names, by shade and hue */
export const PALETTE: Colour[][] = SHADES.map((shade) => HUES.map((hue) => shadeOf(hue, shade)));

const known = new Map<string, string>();

function hash(name: string): number {
	let value = 2166136261;
	for (let i = 0; i < name.length; i++) value = Math.imul(value ^ name.charCodeAt(i), 16777619);
	return value >>> 0;
}

export function colourOf(name: string): string {
	let colour = known.get(name);
	if (colour === undefined) {
		const number = hash(name);
		const [red, green, blue] = PALETTE[(number >>> 8) & 1]![number % HUES.length]!;
		known.set(name, (colour = `rgb(${red},${green},${blue})`));
	}
	return colour;
}

/** The colour of one of several values that are drawn together: that of the first eight differs. */
export function colourAt(index: number): string {
	return `rgb(${PALETTE[0]![index % HUES.length]!.join()})`;
}

/** How much light a colour gives, as WCAG 2 defines it: from 0 to 1 */
export function luminance(colour: Colour): number {
	const [red, green, blue] = colour.map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4)) as Colour;
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, as WCAG 2 defines it: from 1 to 21; text needs 4.5 */
export function contrast(a: Colour, b: Colour): number {
	const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
	return (light + 0.05) / (dark + 0.05);
}

/** Black or white, whichever has the higher contrast with the colour of a name. */
export function inkOn(name: string): string {
	const colour = colourOf(name).match(/\d+/g)!.map(Number) as Colour;
	return contrast(colour, [0, 0, 0]) > contrast(colour, [255, 255, 255]) ? "#000" : "#fff";
}
