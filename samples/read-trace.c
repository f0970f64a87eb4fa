/* read-trace.c - read a trace from C: print its events in order of time, with one field.
 *
 *	cc -o read-trace read-trace.c $(pkg-config --cflags --libs ltt)
 *	./read-trace TRACE FIELD
 */
#include <ltt/ltt.h>
#include <stdio.h>

/* Prints the time and name of an event, and FIELD if the event has a numeric field of that name. */
static void print(const LttEvent *event, const char *field)
{
	char time[LTT_TIME_TEXT_BYTES];
	LttValue payload;
	LttValue value;

	ltt_time_format(event->time_ns, time);
	printf("%s %s", time, event->type->full_name);
	if (ltt_event_get_value(event, &payload) && ltt_value_find(&payload, field, &value) &&
	    (value.layout->kind == LTT_INT || value.layout->kind == LTT_UINT))
		printf(" %s=%" G_GINT64_FORMAT, field, ltt_value_get_int(&value));
	printf("\n");
}

static void read_trace(const char *path, const char *field, GError **error)
{
	g_autoptr(LttTrace) trace = ltt_trace_open(path, error);
	g_autoptr(LttSelect) select = ltt_select_new(); /* all but the builtin events */
	g_autoptr(LttMerge) merge = NULL;
	const LttEvent *event;

	if (trace == NULL)
		return;
	merge = ltt_merge_new(trace, select);
	while (ltt_merge_next(merge, &event, error) == LTT_STEP_EVENT)
		print(event, field);
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;

	if (argc != 3) {
		fprintf(stderr, "usage: read-trace TRACE FIELD\n");
		return 2;
	}
	read_trace(argv[1], argv[2], &error);
	if (error != NULL)
		fprintf(stderr, "read-trace: %s\n", error->message);
	return error != NULL;
}
