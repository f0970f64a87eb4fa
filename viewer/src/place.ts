// place.ts - shows the server's messages about errors in a text that the user typed.
import { make } from "./dom.ts";

export interface Mistake {
	message: string;
	at?: number; // index in the text, in characters of JavaScript
}

/** "byte 7: ..." -> the message, and the index of that byte of UTF-8 */
export function readMistake(message: string, text: string): Mistake {
	const match = /^byte (\d+): /.exec(message);
	if (!match) return { message };
	const bytes = new TextEncoder().encode(text).slice(0, Number(match[1]));
	return { message: message.slice(match[0].length), at: new TextDecoder().decode(bytes).length };
}

/** Shows an error: the line of the text, with the place marked, and the message. */
export function showMistake(box: HTMLElement, message: string, text: string): void {
	const mistake = readMistake(message, text);
	box.hidden = false;
	box.classList.add("mistake");
	if (mistake.at === undefined) return box.replaceChildren(mistake.message);
	const begin = text.lastIndexOf("\n", mistake.at - 1) + 1;
	const end = text.indexOf("\n", mistake.at) < 0 ? text.length : text.indexOf("\n", mistake.at);
	const word = /^(\w+|.)?/su.exec(text.slice(mistake.at, end))![0] || " ";
	const line = make("code", {}, text.slice(begin, mistake.at), make("mark", {}, word), text.slice(mistake.at + word.length, end));
	box.replaceChildren(line, make("span", {}, mistake.message));
}
