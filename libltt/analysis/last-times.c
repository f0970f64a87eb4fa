/* last-times.c - see last-times-priv.h. */
#include "analysis/last-times-priv.h"

#include "reader/trace-priv.h"

typedef struct Member {
	const LttTrace *trace;
	guint64 last_ns;
} Member;

struct LttLastTimes {
	GHashTable *members; /* Member by trace */
	Member *last; /* of the last call, as most events have the trace of the one before; NULL:
			      * none */
};

LttLastTimes *ltt_last_times_new(void)
{
	LttLastTimes *times = g_new0(LttLastTimes, 1);

	times->members = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return times;
}

void ltt_last_times_free(LttLastTimes *times)
{
	if (times == NULL)
		return;
	g_hash_table_unref(times->members);
	g_free(times);
}

static Member *find_member(LttLastTimes *times, const LttEvent *event)
{
	const LttTrace *trace = event->tracefile->trace;

	if (times->last != NULL && times->last->trace == trace)
		return times->last;
	times->last = g_hash_table_lookup(times->members, trace);
	if (times->last == NULL) {
		times->last = g_new0(Member, 1);
		times->last->trace = trace;
		g_hash_table_insert(times->members, (gpointer)trace, times->last);
	}
	return times->last;
}

void ltt_last_times_take(LttLastTimes *times, const LttEvent *event)
{
	Member *member = find_member(times, event);

	member->last_ns = MAX(member->last_ns, event->time_ns);
}

guint64 ltt_last_times_find(LttLastTimes *times, const LttEvent *event)
{
	return find_member(times, event)->last_ns;
}
