/* merge-run-priv.h - two arrays of times into one, with the sources of each time.
 *
 * The times of an array never fall.
 *
 * Which of two heads is the lesser one is a coin toss to the processor: a branch on it costs more
 * than all the rest of a step. And where there is no branch each step waits for the one before. So
 * there are no branches, and four steps are made at a time: the output is cut into four parts, and
 * where each of them begins in the two arrays is found by binary search.
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
	guint32 stride;         /* 1; 0: all of them have one source */
} LttMergeInput;

/* What was merged. */
typedef struct LttMergeTaken {
	guint32 left;
	guint32 right;
} LttMergeTaken;

/* Takes the lesser head @n_events times, the left one at equal times, and writes it to @times_ns
 * and
 * @sources. Both inputs have at least @n_events.
 *
 * Returns: how many were taken from where; @n_events in all */
LttMergeTaken ltt_merge_run(const LttMergeInput *left, const LttMergeInput *right, guint32 n_events,
			    guint64 *times_ns, guint32 *sources);

/* Galloping search: the time grows with the logarithm of the result.
 *
 * Returns: how many of the first @n times are at or before @last_ns */
guint32 ltt_merge_count(const guint64 *times_ns, guint32 n, guint64 last_ns);

#endif
