/* answer-align.c - the n-th event of a name in each trace, to move the traces so that these coincide. */
#include "view/request-priv.h"

#include <ltt/ltt-error.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-span.h>

#define MAX_NUMBER (1000 * 1000 * 1000)

typedef struct Counted {
	guint64 n;
	guint64 time_ns; /* of event `number` */
} Counted;

typedef struct Search {
	const char *name;
	guint64 number;
	GHashTable *types; /* by LttEventType: whether it is one of the name */
	Counted *members;  /* by member of a joined trace */
	guint n_members;
	guint n_missing; /* members whose event was not found so far */
} Search;

/* Returns: whether events of a type have the name, or begin the spans that have it */
static gboolean has_name(const LttEventType *type, const char *name)
{
	g_autofree char *span = NULL;

	if (g_str_equal(type->full_name, name))
		return TRUE;
	return (ltt_span_role_find(type, NULL, &span) & LTT_SPAN_BEGIN) != 0 &&
	       g_strcmp0(span, name) == 0;
}

static gboolean is_of_name(Search *search, const LttEventType *type)
{
	gpointer is_known;

	if (!g_hash_table_lookup_extended(search->types, type, NULL, &is_known)) {
		is_known = GINT_TO_POINTER(has_name(type, search->name));
		g_hash_table_insert(search->types, (gpointer)type, is_known);
	}
	return GPOINTER_TO_INT(is_known);
}

static void take_event(Search *search, const LttTrace *trace, const LttEvent *event)
{
	Counted *member;

	if (!is_of_name(search, event->type))
		return;
	member = &search->members[ltt_trace_find_member(trace, event->tracefile)];
	if (++member->n != search->number)
		return;
	member->time_ns = event->time_ns;
	search->n_missing--;
}

static gboolean run(LttViewCall *call, Search *search, GError **error)
{
	g_autoptr(LttSelect) select = ltt_view_map_select(call->map);
	g_autoptr(LttMerge) merge = ltt_merge_new(call->map->trace, select);
	const LttEvent *event;
	LttStep step = LTT_STEP_EVENT;

	ltt_merge_set_callbacks(merge, &(LttJobCallbacks){.on_progress = ltt_view_call_is_wanted,
							  .user_data = call});
	while (search->n_missing > 0 &&
	       (step = ltt_view_next(merge, &event, error)) == LTT_STEP_EVENT)
		take_event(search, call->map->trace, event);
	return step != LTT_STEP_ERROR;
}

static void append_times(const LttViewCall *call, const Search *search)
{
	g_string_append(call->answer, "{\"times\":[");
	for (guint i = 0; i < search->n_members; i++) {
		const Counted *member = &search->members[i];

		if (i > 0)
			g_string_append_c(call->answer, ',');
		if (member->n >= search->number)
			g_string_append_printf(call->answer, "%" G_GUINT64_FORMAT,
					       member->time_ns - call->map->axis.start_ns);
		else
			g_string_append(call->answer, "null");
	}
	g_string_append(call->answer, "],\"counts\":[");
	for (guint i = 0; i < search->n_members; i++)
		g_string_append_printf(call->answer,
				       i > 0 ? ",%" G_GUINT64_FORMAT : "%" G_GUINT64_FORMAT,
				       MIN(search->members[i].n, search->number));
	g_string_append(call->answer, "]}");
}

gboolean ltt_view_answer_align(LttViewCall *call, GError **error)
{
	const guint n_members = ltt_trace_get_n_members(call->map->trace);
	g_autoptr(GHashTable) types = g_hash_table_new(NULL, NULL);
	g_autofree Counted *members = g_new0(Counted, n_members);
	Search search = {
		.number = 1,
		.types = types,
		.members = members,
		.n_members = n_members,
		.n_missing = n_members,
	};

	if (!ltt_view_call_get_text(call, "event", &search.name, error))
		return FALSE;
	if (search.name == NULL || *search.name == '\0') {
		g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID,
			    "event: expected the name of an event or of a span");
		return FALSE;
	}
	if (!ltt_view_call_get_number(call, "number", 1, MAX_NUMBER, &search.number, error) ||
	    !run(call, &search, error))
		return FALSE;
	append_times(call, &search);
	return TRUE;
}
