// address.ts - stores the state of the page in its address. Browsers limit how often a page does so: Chromium ignores more than
// 200 changes in 10 s, Safari throws an error at 100. While a window moves with the pointer, the address follows later.

/** Changes that are stored at once, and after how many ms there is a further one: at most 90 in 10 s */
const BURST = 50;
const REFILL_MS = 250;

export class Address {
	private credit = BURST;
	private counted = Date.now(); // when the credit was counted
	private is_pending = false;
	private timer: ReturnType<typeof setTimeout> | undefined;

	/** @write: returns the fragment */
	constructor(private readonly write: () => string) {}

	/** Stores the state at the end of the task, or when the browser allows it. */
	changed(): void {
		if (this.is_pending) return;
		this.is_pending = true;
		queueMicrotask(() => this.store());
	}

	private store(): void {
		if (!this.is_pending) return;
		const now = Date.now();
		this.credit = Math.min(this.credit + Math.max(now - this.counted, 0) / REFILL_MS, BURST);
		this.counted = now;
		if (this.credit >= 1) this.flush();
		else this.timer = setTimeout(() => this.store(), REFILL_MS);
	}

	/** Stores the state now. */
	flush(): void {
		clearTimeout(this.timer);
		this.is_pending = false;
		const hash = `#${this.write()}`;
		if (hash === location.hash) return;
		this.credit--;
		history.replaceState(null, "", hash);
	}
}
