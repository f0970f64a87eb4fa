/* merge-run-priv.h - merge two sorted arrays of times, with the source of each time.
 *
 * The processor cannot predict which of two heads is the lesser one, so a branch on it costs more
 * than the rest of a step. Without branches, each step depends on the one before. So the merge has
 * no branches and interleaves four independent merges: it divides the output into four parts, and
 * finds the start of each part in the two arrays by binary search.
 */
#ifndef LTT_MERGE_RUN_PRIV_H
#define LTT_MERGE_RUN_PRIV_H

#ifndef LTT_BUILDING
#error "merge-run-priv.h is private to libltt"
#endif

#include <glib.h>

typedef struct LttMergeInput {
	const guint64 *times_ns;
	const guint32 *sources; /* at stride */
	guint32 stride;         /* 1; 0: all times have one source */
} LttMergeInput;

/* The number of times merged. */
typedef struct LttMergeTaken {
	guint32 left;
	guint32 right;
} LttMergeTaken;

/* Takes the lesser head @n_events times, the left one at equal times, and writes it to @times_ns
 * and
 * @sources. Both inputs have at least @n_events.
 *
 * Returns: the number taken from each input; together @n_events */
LttMergeTaken ltt_merge_run(const LttMergeInput *left, const LttMergeInput *right, guint32 n_events,
			    guint64 *times_ns, guint32 *sources);

/* Galloping search: the time grows with the logarithm of the result.
 *
 * Returns: how many of the first @n times are at or before @last_ns */
guint32 ltt_merge_count(const guint64 *times_ns, guint32 n, guint64 last_ns);

#endif
