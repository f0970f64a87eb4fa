/* counters.c - write the counters of events as counter tracks. */
#include "formats/chrome/marks-priv.h"

#include "print/template-priv.h"

#include <ltt/ltt-value.h>

/* A counter of an event type. */
typedef struct Counter {
	guint index;   /* index of the member */
	char *naming;  /* name and category as JSON; owned */
	char *opening; /* JSON text before the value; owned */
	LttTemplate *value;
} Counter;

struct LttChromeCounters {
	GHashTable *by_type; /* LttEventType -> GArray of Counter */
};

static void clear_counter(gpointer data)
{
	Counter *counter = data;

	g_free(counter->naming);
	g_free(counter->opening);
	ltt_template_free(counter->value);
}

static void free_list(gpointer list)
{
	g_array_unref(list);
}

LttChromeCounters *ltt_chrome_counters_new(void)
{
	LttChromeCounters *counters = g_new(LttChromeCounters, 1);

	counters->by_type = g_hash_table_new_full(NULL, NULL, NULL, free_list);
	return counters;
}

void ltt_chrome_counters_free(LttChromeCounters *counters)
{
	g_hash_table_unref(counters->by_type);
	g_free(counters);
}

static GArray *find_counters(const LttEvent *event)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(Counter));
	const LttLayout *layout = event->layout;

	g_array_set_clear_func(list, clear_counter);
	for (guint i = 0; layout != NULL && layout->kind == LTT_STRUCT && i < layout->n_members;
	     i++) {
		const LttField *field = ltt_type_get_field(layout->type, i);
		g_autofree char *name =
			g_strdup_printf("%s.%s", event->type->full_name, field->name);
		const Counter counter = {
			.index = i,
			.naming = ltt_chrome_describe(name,
						      ltt_facility_get_name(event->type->facility)),
			.opening = g_strdup_printf(",\"args\":{\"%s\":", field->name),
			.value = ltt_template_new(layout->members[i].layout, &ltt_style_json, FALSE,
						  NULL),
		};

		if (field->role == LTT_FIELD_COUNTER)
			g_array_append_val(list, counter);
		else
			clear_counter((gpointer)&counter);
	}
	return list;
}

void ltt_chrome_counters_add(LttChromeCounters *counters, LttChromeEntries *entries,
			     const LttEvent *event, guint32 pid, guint32 tid)
{
	GArray *list = g_hash_table_lookup(counters->by_type, event->type);
	LttValue payload;
	LttValue value;

	if (list == NULL) {
		list = find_counters(event);
		g_hash_table_insert(counters->by_type, (gpointer)event->type, list);
	}
	if (list->len == 0 || !ltt_event_get_value(event, &payload))
		return;
	for (guint i = 0; i < list->len; i++) {
		const Counter *counter = &g_array_index(list, Counter, i);

		if (!ltt_value_get_item(&payload, counter->index, &value))
			continue;
		ltt_chrome_begin(entries, counter->naming, "C", event->time_ns, pid, tid);
		ltt_chrome_add_text(entries, counter->opening);
		ltt_template_fill(counter->value, &entries->sink, value.bytes, value.byte_order);
		ltt_chrome_add_text(entries, "}}");
	}
}
