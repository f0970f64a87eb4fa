// colour.ts - a colour for each name: hues that are distinct for people with any kind of colour vision, in two
// shades each.

const HUES: [number, number, number][] = [
	[0, 114, 178],
	[230, 159, 0],
	[0, 158, 115],
	[204, 121, 167],
	[86, 180, 233],
	[213, 94, 0],
	[140, 140, 60],
	[120, 110, 190],
];

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
		const shade = 0.85 + 0.3 * ((number >>> 8) & 1);
		const [red, green, blue] = HUES[number % HUES.length]!.map((part) => Math.min(255, Math.round(part * shade)));
		known.set(name, (colour = `rgb(${red},${green},${blue})`));
	}
	return colour;
}

/** Black or white, whichever has the higher contrast with the colour of a name. */
export function inkOn(name: string): string {
	const [red, green, blue] = colourOf(name).match(/\d+/g)!.map(Number) as [number, number, number];
	return 0.3 * red + 0.59 * green + 0.11 * blue > 140 ? "#000" : "#fff";
}
