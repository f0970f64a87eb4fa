// live.ts - follows a recording that is running: a window that shows its end moves with the end. A window that begins
// with the trace grows; any other keeps its length.
import type { Moment } from "./answers.ts";
import { ask } from "./api.ts";
import { find } from "./dom.ts";
import type { Host } from "./host.ts";

/** Minimum milliseconds between two updates of the page. */
const PAUSE_MS = 400;

export class Live {
	private readonly button = find<HTMLButtonElement>("live");
	private seen = ""; // the window at the last update

	/** @renew: updates the page with the latest version of the trace */
	constructor(
		private readonly host: Host,
		private readonly renew: () => Promise<void>,
	) {
		const { state, trace } = host;
		state.follows = trace.running && state.get("follow") !== "off";
		this.button.hidden = !trace.running;
		this.button.addEventListener("click", () => this.toggle());
		if (!trace.running) return;
		state.say(state.follows ? "The recording is running, and the page follows it. Press G to stop." : "The recording is running. Press G to follow it.");
		this.catchUp();
		state.onChange(() => this.notice());
		this.show();
	}

	toggle(): void {
		if (this.button.hidden) return;
		const { state } = this.host;
		this.set(!state.follows);
		this.catchUp();
		state.say(state.follows ? "The page follows the recording." : "The page does not follow the recording. Press G to follow it.");
	}

	/** Waits for new versions of the trace until the recording has ended. */
	async run(): Promise<void> {
		for (let is_running = this.host.trace.running; is_running; ) {
			const moment = await ask<Moment>("live", { after: this.host.trace.map });
			if (moment.map !== this.host.trace.map) await this.renew();
			is_running = moment.running;
			if (is_running) await this.pause();
		}
		if (this.button.hidden) return;
		const { state } = this.host;
		this.button.hidden = true;
		state.follows = false;
		state.set("follow", "");
		state.say("The recording has ended.");
	}

	/** Waits, and also while the page is hidden. */
	private async pause(): Promise<void> {
		await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
		if (document.hidden) await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
	}

	private catchUp(): void {
		const { state } = this.host;
		if (state.follows) state.grow(state.length);
		this.seen = `${state.from} ${state.to}`;
	}

	/** Stops following when the user moves the window away from the end, and follows again when it reaches the end. */
	private notice(): void {
		const { state } = this.host;
		const seen = `${state.from} ${state.to}`;
		if (seen === this.seen || this.button.hidden) return;
		this.seen = seen;
		this.set(state.to >= state.length - 1);
	}

	private set(is_following: boolean): void {
		this.host.state.follows = is_following;
		this.show();
		this.host.state.set("follow", is_following ? "" : "off");
	}

	private show(): void {
		this.button.setAttribute("aria-pressed", String(this.host.state.follows));
	}
}
