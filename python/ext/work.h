/* work.h - long work of the library: without the lock of the interpreter (GIL), and ended by Ctrl-C.
 *
 *	Work work;
 *	work_begin(&work);
 *	... library calls with work_on_progress() and &work, and nothing of Python ...
 *	work_end(&work);
 *
 * If a signal handler of Python raises an exception, such as KeyboardInterrupt, work_on_progress()
 * cancels the job. failure_raise() then keeps that exception.
 */
#ifndef WORK_H
#define WORK_H

#include "core.h"

typedef struct Work {
	PyThreadState *state;
	gint64 next_us; /* when to look for signals again */
} Work;

void work_begin(Work *work);
void work_end(Work *work);

/* An LttProgressFunc. @data: a Work between work_begin() and work_end() */
gboolean work_on_progress(const LttProgress *progress, gpointer data);

/* Work of a job (ltt-job.h), whose problems become those of the trace. */
typedef struct WorkOf {
	Work work;
	Core *core;
} WorkOf;

/* As work_begin(). Returns: what the request of the job needs; end it with work_end(&of->work) */
LttJobCallbacks work_begin_job(WorkOf *of, Core *core);

#endif
