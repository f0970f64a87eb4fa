/* merge-run.c - see merge-run-priv.h */
#include "reader/merge-run-priv.h"

#define N_PARTS        4
#define MIN_PART_STEPS 16

/* The heads of the two inputs. */
typedef struct Heads {
	gsize left;
	gsize right;
} Heads;

/* The state of all steps of a run. A copy, so that the compiler knows that the output does not
 * alias it. */
typedef struct Run {
	LttMergeInput left;
	LttMergeInput right;
	gboolean has_two_sources; /* one for each input, */
	guint32 left_source;      /* this, */
	guint32 difference;       /* and this more */
} Run;

/* One step. It chooses by arithmetic that compilers do not turn into a branch. */
static inline __attribute__((always_inline)) Heads step(const Run *run, Heads heads,
							guint64 *time_ns, guint32 *source)
{
	const guint64 left_ns = run->left.times_ns[heads.left];
	const guint64 right_ns = run->right.times_ns[heads.right];
	const gsize takes_right = right_ns < left_ns;
	guint32 left_source = run->left_source;
	guint32 difference = run->difference;

	if (!run->has_two_sources) {
		left_source = run->left.sources[heads.left * run->left.stride];
		difference = run->right.sources[heads.right * run->right.stride] - left_source;
	}
	*time_ns = MIN(left_ns, right_ns);
	*source = left_source + (difference & (0 - (guint32)takes_right));
	return (Heads){heads.left + 1 - takes_right, heads.right + takes_right};
}

/* Finds the heads after @n_steps. */
static Heads find_heads(const Run *run, gsize n_steps)
{
	gsize first = 0;
	gsize n = n_steps;

	while (n > 0) {
		const gsize half = n / 2;
		const gsize middle = first + half;
		const gsize goes_before =
			run->left.times_ns[middle] <= run->right.times_ns[n_steps - 1 - middle];

		first += (half + 1) & (0 - goes_before);
		n = half - ((1 - (n & 1)) & (0 - goes_before));
	}
	return (Heads){first, n_steps - first};
}

static inline __attribute__((always_inline)) Heads make_run(const Run *run, gsize n_steps,
							    guint64 *times_ns, guint32 *sources)
{
	Heads a = {0, 0};
	Heads b = find_heads(run, n_steps);
	Heads c = find_heads(run, 2 * n_steps);
	Heads d = find_heads(run, 3 * n_steps);

	for (gsize i = 0; i < n_steps; i++) {
		a = step(run, a, times_ns + i, sources + i);
		b = step(run, b, times_ns + n_steps + i, sources + n_steps + i);
		c = step(run, c, times_ns + 2 * n_steps + i, sources + 2 * n_steps + i);
		d = step(run, d, times_ns + 3 * n_steps + i, sources + 3 * n_steps + i);
	}
	return d;
}

/* Performs the steps up to @n_steps, one at a time. */
static Heads make_steps(const Run *run, Heads heads, gsize n_steps, guint64 *times_ns,
			guint32 *sources)
{
	for (gsize i = heads.left + heads.right; i < n_steps; i++)
		heads = step(run, heads, times_ns + i, sources + i);
	return heads;
}

LttMergeTaken ltt_merge_run(const LttMergeInput *left, const LttMergeInput *right, guint32 n_events,
			    guint64 *times_ns, guint32 *sources)
{
	const gboolean has_two_sources = left->stride == 0 && right->stride == 0;
	const Run run = {
		.left = *left,
		.right = *right,
		.has_two_sources = has_two_sources,
		.left_source = left->sources[0],
		.difference = right->sources[0] - left->sources[0],
	};
	Heads taken = {0, 0};

	if (n_events >= N_PARTS * MIN_PART_STEPS && has_two_sources) {
		const Run plain_run = {.left = *left,
				       .right = *right,
				       .has_two_sources = TRUE,
				       .left_source = run.left_source,
				       .difference = run.difference};

		taken = make_run(&plain_run, n_events / N_PARTS, times_ns, sources);
	} else if (n_events >= N_PARTS * MIN_PART_STEPS) {
		taken = make_run(&run, n_events / N_PARTS, times_ns, sources);
	}
	taken = make_steps(&run, taken, n_events, times_ns, sources);
	return (LttMergeTaken){(guint32)taken.left, (guint32)taken.right};
}

guint32 ltt_merge_count(const guint64 *times_ns, guint32 n, guint64 last_ns)
{
	guint32 low = 0; /* the first this many are at or before last_ns */
	guint32 high = 1;

	if (n == 0 || times_ns[n - 1] <= last_ns)
		return n;
	while (high < n && times_ns[high - 1] <= last_ns) {
		low = high;
		high *= 2;
	}
	high = MIN(high, n) - 1; /* this one is after last_ns */
	while (low < high) {
		const guint32 middle = low + (high - low) / 2;

		if (times_ns[middle] <= last_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
