/* source-states.c - the tables sched and thread_state: what ran on each CPU, and what each thread did. */
#include "sql/walk-priv.h"

#include <ltt/ltt-join.h>
#include <ltt/ltt-states.h>

static const char *const state_words[] = {"Running", "R", "R+", "S", "D", "T", "Unknown"};
static const char *const end_words[] = {"R", "R+", "S", "D", "T", "X"};
static const char *const waker_words[] = {"thread", "irq", "softirq"};

enum {
	SCHED_TIME,
	SCHED_DUR,
	SCHED_CPU,
	SCHED_PID,
	SCHED_TID,
	SCHED_END_STATE,
	N_SCHED_COLUMNS,
};

static const LttColumn sched_columns[N_SCHED_COLUMNS] = {
	[SCHED_TIME] = {.name = "time", .kind = LTT_COLUMN_TIME, .width_bytes = 8},
	[SCHED_DUR] = {.name = "dur", .kind = LTT_COLUMN_INT, .width_bytes = 8},
	[SCHED_CPU] = {.name = "cpu", .kind = LTT_COLUMN_INT, .width_bytes = 8},
	[SCHED_PID] = {.name = "pid", .kind = LTT_COLUMN_INT, .width_bytes = 8},
	[SCHED_TID] = {.name = "tid", .kind = LTT_COLUMN_INT, .width_bytes = 8},
	[SCHED_END_STATE] = LTT_SQL_WORD_COLUMN("end_state", end_words),
};

enum {
	STATE_TIME,
	STATE_DUR,
	STATE_CPU,
	STATE_PID,
	STATE_TID,
	STATE_STATE,
	STATE_REASON,
	STATE_WAKER,
	STATE_WAKER_TID,
	STATE_SYSCALLS,
	STATE_FAULTS,
	N_STATE_COLUMNS,
};

static const LttColumn state_columns[N_STATE_COLUMNS] = {
	[STATE_TIME] = {.name = "time", .kind = LTT_COLUMN_TIME, .width_bytes = 8},
	[STATE_DUR] = {.name = "dur", .kind = LTT_COLUMN_INT, .width_bytes = 8},
	[STATE_CPU] = {.name = "cpu", .kind = LTT_COLUMN_INT, .width_bytes = 8},
	[STATE_PID] = {.name = "pid", .kind = LTT_COLUMN_INT, .width_bytes = 8},
	[STATE_TID] = {.name = "tid", .kind = LTT_COLUMN_INT, .width_bytes = 8},
	[STATE_STATE] = LTT_SQL_WORD_COLUMN("state", state_words),
	[STATE_REASON] = {.name = "reason", .kind = LTT_COLUMN_STRING},
	[STATE_WAKER] = LTT_SQL_WORD_COLUMN("waker", waker_words),
	[STATE_WAKER_TID] = {.name = "waker_tid", .kind = LTT_COLUMN_INT, .width_bytes = 8},
	[STATE_SYSCALLS] = {.name = "syscalls", .kind = LTT_COLUMN_INT, .width_bytes = 8},
	[STATE_FAULTS] = {.name = "faults", .kind = LTT_COLUMN_INT, .width_bytes = 8},
};

typedef struct StatesStream {
	LttSqlWalk walk;
	LttStates *states;
	gboolean is_sched;
} StatesStream;

static void close_stream(LttSqlStream *base)
{
	ltt_states_free(((StatesStream *)base)->states);
	g_free(base);
}

static void add_number(LttSqlList *list, gboolean is_known, gint64 number)
{
	if (is_known)
		ltt_sql_list_add_int(list, number);
	else
		ltt_sql_list_add_null(list);
}

/* Returns: the letters of Linux; "R+": was preempted */
static const char *name_state(LttThreadState state, const LttWait *wait)
{
	switch (state) {
	case LTT_THREAD_RUNNING:
		return "Running";
	case LTT_THREAD_RUNNABLE:
		return "R";
	case LTT_THREAD_PREEMPTED:
		return "R+";
	case LTT_THREAD_WAITING:
		if (wait->kind == LTT_WAIT_STOPPED)
			return "T";
		return wait->is_uninterruptible ? "D" : "S";
	default:
		return "Unknown";
	}
}

static const char *name_end(const LttStretch *stretch)
{
	if (stretch->has_exited)
		return "X";
	if (!stretch->has_ended || stretch->next == LTT_THREAD_UNKNOWN)
		return NULL;
	return name_state(stretch->next, &stretch->wait);
}

/* Adds the columns of both tables from time to tid. */
static void add_place(LttSqlList *list, const LttStretch *stretch)
{
	const gboolean has_cpu = stretch->cpu != NULL && stretch->state == LTT_THREAD_RUNNING;

	ltt_sql_list_add_int(list, (gint64)stretch->begin_ns);
	ltt_sql_list_add_int(list, (gint64)(stretch->end_ns - stretch->begin_ns));
	add_number(list, has_cpu, has_cpu ? ltt_tracefile_get_cpu(stretch->cpu) : 0);
	add_number(list, stretch->has_pid, stretch->pid);
	ltt_sql_list_add_int(list, stretch->tid);
}

static void add_waker(LttSqlList *list, const LttWaker *waker)
{
	static const char *const kinds[] = {
		[LTT_WAKER_UNKNOWN] = NULL,
		[LTT_WAKER_THREAD] = "thread",
		[LTT_WAKER_IRQ] = "irq",
		[LTT_WAKER_SOFTIRQ] = "softirq",
	};

	ltt_sql_list_add_text(list, kinds[waker->kind]);
	add_number(list, waker->kind == LTT_WAKER_THREAD, waker->tid);
}

static void add_state(LttSqlList *list, const LttStretch *stretch)
{
	const gboolean is_running = stretch->state == LTT_THREAD_RUNNING;
	g_autofree char *reason = NULL;

	if (stretch->state == LTT_THREAD_WAITING)
		reason = ltt_wait_to_text(&stretch->wait);
	add_place(list, stretch);
	ltt_sql_list_add_text(list, name_state(stretch->state, &stretch->wait));
	ltt_sql_list_add_text(list, reason);
	add_waker(list, &stretch->waker);
	add_number(list, is_running, stretch->n_syscalls);
	add_number(list, is_running, stretch->n_faults);
}

static LttStep add_next(LttSqlWalk *walk, LttSqlList *list, gsize *n_bytes, GError **error)
{
	StatesStream *stream = (StatesStream *)walk;
	const LttStretch *stretch;
	LttStep step;

	(void)n_bytes;
	do
		step = ltt_states_next(stream->states, &stretch, error);
	while (step == LTT_STEP_EVENT &&
	       (stretch->subject != LTT_STRETCH_OF_THREAD ||
		(stream->is_sched && stretch->state != LTT_THREAD_RUNNING)));
	if (step != LTT_STEP_EVENT)
		return step;
	if (stretch->cpu != NULL)
		ltt_sql_walk_add_origin_of(walk, list, stretch->cpu);
	else
		ltt_sql_list_add_origin(
			list, ltt_stretch_find_member(walk->base.source->env->trace, stretch),
			stretch->machine);
	if (stream->is_sched) {
		add_place(list, stretch);
		ltt_sql_list_add_text(list, name_end(stretch));
	} else {
		add_state(list, stretch);
	}
	return step;
}

static void skip_block(LttSqlWalk *walk)
{
	ltt_states_skip_block(((StatesStream *)walk)->states);
}

static LttSqlStream *open_stream(LttSqlSource *source, gboolean is_sched)
{
	StatesStream *stream = g_new0(StatesStream, 1);

	stream->walk = (LttSqlWalk){.base.source = source,
				    .columns = is_sched ? sched_columns : state_columns,
				    .n_columns = is_sched ? N_SCHED_COLUMNS : N_STATE_COLUMNS,
				    .add = add_next,
				    .skip_block = skip_block};
	stream->is_sched = is_sched;
	stream->states = ltt_states_new(source->env->trace, 0, G_MAXUINT64);
	ltt_states_set_callbacks(
		stream->states,
		&(LttJobCallbacks){ltt_sql_env_report, ltt_sql_env_progress, source->env});
	return &stream->walk.base;
}

static LttSqlStream *open_sched(LttSqlSource *source, const LttSqlScan *scan, GError **error)
{
	(void)scan;
	(void)error;
	return open_stream(source, TRUE);
}

static LttSqlStream *open_thread_state(LttSqlSource *source, const LttSqlScan *scan, GError **error)
{
	(void)scan;
	(void)error;
	return open_stream(source, FALSE);
}

static const LttSqlSourceClass sched_class = {open_sched, ltt_sql_walk_next, close_stream,
					      ltt_sql_walk_free_source};
static const LttSqlSourceClass thread_state_class = {open_thread_state, ltt_sql_walk_next,
						     close_stream, ltt_sql_walk_free_source};

LttSqlTable *ltt_sql_sched_table(LttSqlEnv *env)
{
	return ltt_sql_walk_make_table(
		env, &sched_class, "sched",
		"stretches of time in which a thread runs on a CPU (ltt-states.h)", sched_columns,
		N_SCHED_COLUMNS, FALSE);
}

LttSqlTable *ltt_sql_thread_state_table(LttSqlEnv *env)
{
	return ltt_sql_walk_make_table(
		env, &thread_state_class, "thread_state",
		"stretches of time in which a thread is in one state: Running, R: runnable, R+: "
		"preempted, S or D: waiting, T: stopped, Unknown",
		state_columns, N_STATE_COLUMNS, FALSE);
}
