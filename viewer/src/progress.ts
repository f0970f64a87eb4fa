// progress.ts - the line beside the title: how far the server has read the trace, and what it found.
import type { Progress, Trace } from "./answers.ts";
import { duration } from "./clock.ts";

export function showProgress(status: HTMLElement, progress: Progress, trace: Trace): void {
	const words: string[] = [];
	const share = progress.total > 0 ? ` ${Math.floor((100 * progress.done) / progress.total)} %` : "";
	if (progress.stage === "counting" || progress.stage === "drawing") words.push(`${progress.stage}${share}`);
	if (progress.failure) words.push(progress.failure);
	if (progress.events > 0) words.push(`${progress.events.toLocaleString("en")} events`);
	words.push(duration(trace.length));
	if (progress.lost > 0) words.push(`${progress.lost.toLocaleString("en")} lost`);
	if (progress.n_problems > 0) words.push(`${progress.n_problems} problems`);
	status.textContent = words.join(", ");
	status.title = progress.problems.join("\n");
	status.setAttribute("aria-live", trace.running ? "off" : "polite"); // it changes all the time
	status.className = progress.failure || progress.n_problems > 0 ? "bad" : "";
}
