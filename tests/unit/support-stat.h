/* support-stat.h - traces from blocks that are described by a few words.
 *
 * The facilities are tracer and disk, with the events disk.idle and disk.read. A cycle is a
 * nanosecond, and all numbers are nanoseconds. A block is words with spaces between them:
 *
 *	@5     begins at 5; always the first word      C    tracer.clock
 *	7      disk.idle at 7                          L3   tracer.events_lost, 3 in all
 *	R8     disk.read at 8                          T10  tracer.thread of thread 11 of
 *	                                                    process 10; T0: an idle thread
 *	?      an id that no facility has: damage      open no block_end
 *
 * A word without a time has that of the event before it.
 */
#ifndef SUPPORT_STAT_H
#define SUPPORT_STAT_H

#include <ltt/ltt-stat.h>

typedef struct StatScene StatScene;

/* An empty trace in a fresh directory. */
StatScene *stat_scene_new(gsize block_bytes);
void stat_scene_free(StatScene *scene);

/* Appends a block to a tracefile. */
void stat_scene_add(StatScene *scene, const char *tracefile, guint32 block_id, const char *words);

/* Adds tracer.process_start to control/processes, each in a separate block. */
void stat_scene_add_process(StatScene *scene, guint32 pid, const char *name);

/* Writes the tracefiles. Returns: (transfer full): the trace, opened */
LttTrace *stat_scene_open(StatScene *scene);

/* Counts in the trace with one thread. @out: (out): its names live until the next call, or until the scene is freed */
void stat_scene_count(StatScene *scene, LttSelect *select, guint64 interval_ns,
		      LttStatSummary *out);

/* An LttProblemFunc for traces without problems: fails the test. */
void stat_scene_no_problem(const LttProblem *problem, gpointer user_data);

#endif
