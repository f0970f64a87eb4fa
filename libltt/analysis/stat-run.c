/* stat-run.c - see stat-run-priv.h */
#include "analysis/stat-run-priv.h"

static LttStatRun begin_run(const LttBlock *block, guint32 first)
{
	return (LttStatRun){.count = LTT_STAT_NO_COUNT,
			    .head_ns = block->times_ns[first],
			    .tail_ns = block->times_ns[first]};
}

/* Notes the time of the next event. Without a branch: gaps are hard to predict. */
static inline void extend_run(LttStatRun *run, guint64 time_ns)
{
	const gint64 step_ns = (gint64)(time_ns - run->tail_ns);

	run->gap_start_ns = step_ns > run->gap_ns ? run->tail_ns : run->gap_start_ns;
	run->gap_ns = MAX(step_ns, run->gap_ns);
	run->signs |= step_ns;
	run->tail_ns = time_ns;
}

/* Sums up the events @first ... @end - 1. */
static void end_run(const LttBlock *block, guint32 first, guint32 end, LttStatRun *run)
{
	run->count.n_events = end - first;
	run->count.n_bytes = block->records[end].offset - block->records[first].offset;
	run->count.first_ns = run->head_ns;
	run->count.last_ns = run->tail_ns;
	for (guint32 i = first; run->signs < 0 && i < end; i++) {
		run->count.first_ns = MIN(run->count.first_ns, block->times_ns[i]);
		run->count.last_ns = MAX(run->count.last_ns, block->times_ns[i]);
	}
}

LttStatRun ltt_stat_count_same(const LttBlock *block, LttStatCounter *counter, guint32 first,
			       guint32 end)
{
	const LttRecord *records = block->records;
	const guint64 *times_ns = block->times_ns;
	const guint16 id = records[first].id;
	LttStatRun run = begin_run(block, first);
	guint32 i;

	for (i = first + 1; i < end && records[i].id == id; i++)
		extend_run(&run, times_ns[i]);
	end_run(block, first, i, &run);
	ltt_stat_add(&counter->count, &run.count);
	return run;
}

LttStatRun ltt_stat_count_mixed(const LttBlock *block, LttStatCounter *counters, guint32 first,
				guint32 end)
{
	const LttRecord *records = block->records;
	LttStatRun run = begin_run(block, first);
	guint32 i;

	for (i = first; i < end && counters[records[i].id].action == LTT_STAT_COUNT; i++) {
		const guint64 time_ns = block->times_ns[i];

		ltt_stat_count_one(&counters[records[i].id].count, time_ns,
				   records[i + 1].offset - records[i].offset);
		extend_run(&run, time_ns);
	}
	end_run(block, first, i, &run);
	return run;
}
