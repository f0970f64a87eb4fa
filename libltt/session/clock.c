/* clock.c - the cycle counter, and the map from cycles to wall time. See clock.h. */
#define _GNU_SOURCE
#include "session/clock.h"

#include "session/atomic.h"
#include "session/sys.h"

#include <string.h>
#include <sys/prctl.h>

#define NS_PER_SECOND 1000000000ull

enum {
	/* A bend as a word: number on the grid plus 1 in the upper bits,
	 * signed correction below. */
	CORRECTION_BITS = 36,
	CORRECTION_UNIT_NS = 32,
	LAST_BEND = (1 << (64 - CORRECTION_BITS)) - 3, /* greatest number of a bend */
	MEASURE_NS = 10000000,
	SAMPLE_TRIES = 8,
	NOW_TRIES = 50,
};

static uint64_t monotonic_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}

static uint64_t read_counter(uint32_t counter)
{
#if defined(__x86_64__)
	if (counter == LTTP_COUNTER_TSC) {
		uint32_t low, high;

		__asm__ __volatile__("lfence\n\trdtsc" : "=a"(low), "=d"(high)::"memory");
		return (uint64_t)high << 32 | low;
	}
#elif defined(__aarch64__)
	if (counter == LTTP_COUNTER_CNTVCT) {
		uint64_t value;

		__asm__ __volatile__("isb\n\tmrs %0, cntvct_el0" : "=r"(value)::"memory");
		return value;
	}
#endif
	(void)counter;
	return monotonic_ns();
}

uint64_t lttp_clock_read(const struct lttp_head *head)
{
	return read_counter(head->counter);
}

uint32_t lttp_clock_counter(void)
{
#if defined(__x86_64__)
	static const char source[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	char name[8];

	lttp_read_text(source, name, sizeof(name));
	/* The kernel verifies that the counters of the CPUs agree. */
	return strcmp(name, "tsc\n") == 0 ? LTTP_COUNTER_TSC : LTTP_COUNTER_MONOTONIC;
#elif defined(__aarch64__)
	return LTTP_COUNTER_CNTVCT;
#else
	return LTTP_COUNTER_MONOTONIC;
#endif
}

bool lttp_clock_readable(uint32_t counter)
{
#if defined(__x86_64__)
	int state = PR_TSC_ENABLE;

	if (counter == LTTP_COUNTER_TSC)
		return lttp_prctl(PR_GET_TSC, &state) != 0 || state == PR_TSC_ENABLE;
#elif defined(__aarch64__)
	if (counter == LTTP_COUNTER_CNTVCT)
		return true;
#endif
	return counter == LTTP_COUNTER_MONOTONIC;
}

/* Returns: counter and monotonic clock at one instant, as exactly as possible */
static struct lttp_instant sample(uint32_t counter)
{
	struct lttp_instant best = {0, 0};
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < SAMPLE_TRIES; i++) {
		uint64_t before = read_counter(counter);
		uint64_t ns = monotonic_ns();
		uint64_t apart = read_counter(counter) - before;

		if (apart < least) {
			least = apart;
			best = (struct lttp_instant){before + apart / 2, ns};
		}
	}
	return best;
}

/* a * b / c, rounded down. */
static uint64_t scale(uint64_t a, uint64_t b, uint64_t c)
{
	return (uint64_t)((unsigned __int128)a * b / c);
}

static uint64_t cycles_per_second(uint32_t counter)
{
	struct lttp_instant from, to;

	if (counter == LTTP_COUNTER_MONOTONIC)
		return NS_PER_SECOND;
#if defined(__aarch64__)
	uint64_t frequency;

	__asm__ __volatile__("mrs %0, cntfrq_el0" : "=r"(frequency));
	if (frequency != 0)
		return frequency;
#endif
	from = sample(counter);
	lttp_sleep_ns(MEASURE_NS);
	to = sample(counter);
	/* If counter or clock does not advance, one cycle counts as one nanosecond. */
	if (to.cycles <= from.cycles || to.ns <= from.ns)
		return NS_PER_SECOND;
	return scale(to.cycles - from.cycles, NS_PER_SECOND, to.ns - from.ns);
}

static uint64_t bend_word(uint64_t number, int64_t correction)
{
	return (number + 1) << CORRECTION_BITS |
	       ((uint64_t)correction & ((1ull << CORRECTION_BITS) - 1));
}

static uint64_t bend_number(uint64_t word)
{
	return (word >> CORRECTION_BITS) - 1;
}

static struct lttp_instant bend_instant(const struct lttp_head *head, uint64_t word)
{
	uint64_t number = bend_number(word);
	int64_t correction = (int64_t)(word << (64 - CORRECTION_BITS)) >> (64 - CORRECTION_BITS);

	return (struct lttp_instant){
		head->start_cycles + number * head->bend_cycles,
		head->start_ns + number * head->bend_ns +
			(uint64_t)(correction * CORRECTION_UNIT_NS),
	};
}

void lttp_clock_start(struct lttp_head *head, uint32_t heartbeat_ms)
{
	struct lttp_instant start;
	struct timespec wall;
	uint64_t before_ns, second;

	head->counter = lttp_clock_counter();
	head->cycles_per_second = second = cycles_per_second(head->counter);
	head->beat_cycles = scale(second, heartbeat_ms, 1000) + 1;
	/* Deltas have 32 bits, and a line may be two bends long. */
	head->bend_cycles = second > head->beat_cycles ? second : head->beat_cycles;
	if (head->bend_cycles > 1u << 31)
		head->bend_cycles = 1u << 31;
	head->bend_ns = scale(head->bend_cycles, NS_PER_SECOND, second);

	start = sample(head->counter);
	before_ns = monotonic_ns();
	clock_gettime(CLOCK_REALTIME, &wall);
	head->start_cycles = start.cycles;
	head->start_monotonic_ns = start.ns;
	head->start_ns = (uint64_t)wall.tv_sec * NS_PER_SECOND + (uint64_t)wall.tv_nsec -
			 (before_ns / 2 + monotonic_ns() / 2 - start.ns);
	for (unsigned i = 0; i < 3; i++)
		head->bends[i] = bend_word(i, 0);
}

/* Bends of the map: the latest, the oldest, and those before and after an instant. */
struct view {
	uint64_t latest, oldest, below, above;
	unsigned oldest_slot;
};

static struct view look(struct lttp_head *head, uint64_t cycles)
{
	struct view view = {0, UINT64_MAX, 0, UINT64_MAX, 0};

	for (unsigned i = 0; i < LTTP_BENDS; i++) {
		uint64_t word = lttp_load(&head->bends[i]);

		if (word < view.oldest) {
			view.oldest = word;
			view.oldest_slot = i;
		}
		if (word > view.latest)
			view.latest = word;
		if (word == 0)
			continue;
		if (bend_instant(head, word).cycles <= cycles) {
			if (word > view.below)
				view.below = word;
		} else if (word < view.above) {
			view.above = word;
		}
	}
	return view;
}

/* Returns: the expected value of the clock since the start at @at, from its speed since the start until @now. The thread may
 * have paused before @now: then @at is earlier. */
static uint64_t expect(const struct lttp_head *head, uint64_t at, const struct lttp_instant *now)
{
	const uint64_t elapsed = now->cycles - head->start_cycles;
	const uint64_t elapsed_ns = now->ns - head->start_monotonic_ns;
	uint64_t ahead;

	if (at <= elapsed)
		return scale(at, elapsed_ns, elapsed);
	ahead = at - elapsed;
	if (elapsed > head->bend_cycles)
		return elapsed_ns + scale(ahead, elapsed_ns, elapsed);
	return elapsed_ns + ahead / head->bend_cycles * head->bend_ns +
	       scale(ahead % head->bend_cycles, head->bend_ns, head->bend_cycles);
}

static bool is_last(uint64_t word)
{
	return bend_number(word) >= LAST_BEND;
}

/* Adds a bend after the latest one, at least one step of the grid after @cycles, or the last one. If another thread
 * was faster, the compare-and-exchange fails and that thread's bend is used. */
static void add_bend(struct lttp_head *head, const struct view *view, uint64_t cycles)
{
	struct lttp_instant latest = bend_instant(head, view->latest), now = sample(head->counter);
	uint64_t number = bend_number(view->latest) + 1;
	uint64_t ahead = (cycles - head->start_cycles) / head->bend_cycles + 2;
	uint64_t ns, step;
	int64_t correction;

	if (number < ahead && cycles > head->start_cycles)
		number = ahead;
	if (number > LAST_BEND)
		number = LAST_BEND;
	ns = expect(head, number * head->bend_cycles, &now);
	/* Limit the speed to between half and twice the initial one. */
	step = (number - bend_number(view->latest)) * head->bend_ns;
	if (head->start_ns + ns < latest.ns + step / 2)
		ns = latest.ns + step / 2 - head->start_ns;
	if (head->start_ns + ns > latest.ns + step * 2)
		ns = latest.ns + step * 2 - head->start_ns;

	correction = (int64_t)(ns - number * head->bend_ns) / CORRECTION_UNIT_NS;
	if (correction >= 1ll << (CORRECTION_BITS - 1))
		correction = (1ll << (CORRECTION_BITS - 1)) - 1;
	if (correction < -(1ll << (CORRECTION_BITS - 1)))
		correction = -(1ll << (CORRECTION_BITS - 1));
	lttp_replace(&head->bends[view->oldest_slot], view->oldest, bend_word(number, correction));
}

/* Returns: the point of the grid @steps after the last bend, from where on the map has its average speed */
static struct lttp_instant after_last(const struct lttp_head *head, const struct lttp_instant *last,
				      uint64_t steps)
{
	return (struct lttp_instant){
		last->cycles + steps * head->bend_cycles,
		last->ns + scale(steps, last->ns - head->start_ns, LAST_BEND),
	};
}

bool lttp_clock_map(struct lttp_head *head, uint64_t cycles, struct lttp_instant *now,
		    struct lttp_instant *end)
{
	struct lttp_instant below, above;
	struct view view;

	for (int tries = 0;; tries++) {
		view = look(head, cycles);
		above = bend_instant(head, view.latest);
		if (above.cycles > cycles + head->bend_cycles || is_last(view.latest) ||
		    tries == 2 * LTTP_BENDS)
			break;
		add_bend(head, &view, cycles);
	}
	if (view.above == UINT64_MAX && is_last(view.latest)) {
		uint64_t steps = (cycles - above.cycles) / head->bend_cycles;

		below = after_last(head, &above, steps);
		above = after_last(head, &above, steps + 1);
	} else if (view.below == 0 || view.above == UINT64_MAX) {
		return false;
	} else {
		below = bend_instant(head, view.below);
		above = bend_instant(head, view.above);
	}
	now->cycles = cycles;
	now->ns = below.ns +
		  scale(cycles - below.cycles, above.ns - below.ns, above.cycles - below.cycles);
	*end = above;
	return true;
}

bool lttp_clock_now(struct lttp_head *head, struct lttp_instant *now)
{
	struct lttp_instant bend;

	for (int tries = 0; tries < NOW_TRIES; tries++) {
		if (lttp_clock_map(head, lttp_clock_read(head), now, &bend))
			return true;
	}
	return false;
}
