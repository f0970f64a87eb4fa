/* walk.c - see walk-priv.h. */
#include "sql/walk-priv.h"

#define RUN_ROWS 1024

/* Ends a run after this number of bytes of long values. */
#define RUN_BYTES (1024 * 1024)

LttStep ltt_sql_walk_next(LttSqlStream *stream, LttSqlRun **run, GError **error)
{
	LttSqlWalk *walk = (LttSqlWalk *)stream;
	LttSqlList *list = ltt_sql_list_new(walk->columns, walk->n_columns);
	LttStep step = LTT_STEP_EVENT;
	gsize n_bytes = 0;
	guint n = 0;

	while (n < RUN_ROWS && n_bytes < RUN_BYTES) {
		GError *failure = NULL;

		step = walk->add(walk, list, &n_bytes, &failure);
		if (step == LTT_STEP_END ||
		    (step == LTT_STEP_ERROR &&
		     !ltt_sql_env_skip(stream->source->env, failure, error)))
			break;
		if (step == LTT_STEP_ERROR)
			walk->skip_block(walk);
		else
			n++;
	}
	if (step == LTT_STEP_ERROR || n == 0) {
		ltt_sql_list_free(list);
		return step;
	}
	*run = ltt_sql_list_finish(list);
	(*run)->first_id = walk->next_id;
	walk->next_id += n;
	return LTT_STEP_EVENT;
}
