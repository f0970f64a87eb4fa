// api.ts - sends requests to the server. A saved page answers them itself.
import { parseExactly } from "./exact.ts";
import { answerSaved, findSaved } from "./saved.ts";

export const saved = findSaved();

/** Answers with values of a trace, which can have more digits than doubles */
const EXACT = ["events", "counters"];

async function request<T>(method: string, path: string, parameters: Record<string, string | number>, signal?: AbortSignal): Promise<T> {
	if (saved) return answerSaved(saved, path, parameters) as T;
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
	const response = await fetch(`api/${path}?${query}`, { method, ...(signal ? { signal } : {}) });
	if (!response.ok) throw new Error(await response.text());
	return (EXACT.includes(path) ? parseExactly(await response.text()) : await response.json()) as T;
}

/** Requests data. @throws Error with the message of the server, or an AbortError */
export function ask<T>(path: string, parameters: Record<string, string | number> = {}, signal?: AbortSignal): Promise<T> {
	return request("GET", path, parameters, signal);
}

/** Changes something, and returns its new state. @throws Error with the message of the server */
export function send<T>(path: string, parameters: Record<string, string | number>): Promise<T> {
	return request("POST", path, parameters);
}
