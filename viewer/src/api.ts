// api.ts - asks the server, or the page itself if it is a saved one.
import { answerSaved, findSaved } from "./saved.ts";

export const saved = findSaved();

async function request<T>(method: string, path: string, parameters: Record<string, string | number>, signal?: AbortSignal): Promise<T> {
	if (saved) return answerSaved(saved, path, parameters) as T;
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
	const response = await fetch(`api/${path}?${query}`, { method, ...(signal ? { signal } : {}) });
	if (!response.ok) throw new Error(await response.text());
	return (await response.json()) as T;
}

/** Asks the server. @throws Error with the server's words, or an AbortError */
export function ask<T>(path: string, parameters: Record<string, string | number> = {}, signal?: AbortSignal): Promise<T> {
	return request("GET", path, parameters, signal);
}

/** Changes something, and gets what it is now. @throws Error with the server's words */
export function send<T>(path: string, parameters: Record<string, string | number>): Promise<T> {
	return request("POST", path, parameters);
}
