/* facility.c - build and query a facility. seal.c seals it. */
#include "base/error-priv.h"
#include "model/facility-priv.h"
#include "model/mistakes-priv.h"

static void free_event(gpointer data)
{
	LttEventType *event = data;

	g_free(event->name);
	g_free(event->full_name);
	g_free(event->description);
	g_free(event->print);
	g_free(event->ends);
	g_free(event->state);
	g_free(event->key);
	ltt_type_unref(event->type);
	g_free(event);
}

static void free_named_type(gpointer data)
{
	LttNamedType *named = data;

	g_free(named->name);
	g_free(named->description);
	ltt_type_unref(named->type);
	g_free(named);
}

LttFacility *ltt_facility_new(const char *name)
{
	LttFacility *facility = g_new0(LttFacility, 1);

	g_atomic_ref_count_init(&facility->refs);
	facility->name = g_strdup(name);
	facility->events = g_ptr_array_new_with_free_func(free_event);
	facility->types = g_ptr_array_new_with_free_func(free_named_type);
	return facility;
}

void ltt_facility_add_event(LttFacility *facility, const char *name, const char *description,
			    LttType *type)
{
	LttEventType *event = g_new0(LttEventType, 1);

	g_assert(facility->canonical == NULL);
	event->facility = facility;
	event->index = facility->events->len;
	event->name = g_strdup(name);
	event->full_name = g_strdup_printf("%s.%s", facility->name, name);
	event->description = g_strdup(description);
	event->type = type;
	g_ptr_array_add(facility->events, event);
}

void ltt_facility_add_type(LttFacility *facility, const char *name, const char *description,
			   LttType *type)
{
	LttNamedType *named = g_new0(LttNamedType, 1);

	g_assert(facility->canonical == NULL);
	named->name = g_strdup(name);
	named->description = g_strdup(description);
	named->type = type;
	g_ptr_array_add(facility->types, named);
}

static LttEventType *last_event(LttFacility *facility)
{
	g_assert(facility->events->len > 0);
	return facility->events->pdata[facility->events->len - 1];
}

void ltt_facility_set_print(LttFacility *facility, const char *print)
{
	LttEventType *event = last_event(facility);

	g_free(event->print);
	event->print = g_strdup(print);
}

void ltt_facility_set_hidden(LttFacility *facility, gboolean is_hidden)
{
	last_event(facility)->is_hidden = is_hidden;
}

void ltt_facility_set_ends(LttFacility *facility, const char *ends, const char *key)
{
	LttEventType *event = last_event(facility);

	g_free(event->ends);
	g_free(event->key);
	event->ends = g_strdup(ends);
	event->key = g_strdup(key);
}

void ltt_facility_set_state(LttFacility *facility, const char *state)
{
	LttEventType *event = last_event(facility);

	g_free(event->state);
	event->state = g_strdup(state);
}

void ltt_facility_set_description(LttFacility *facility, const char *description)
{
	g_free(facility->description);
	facility->description = g_strdup(description);
}

void ltt_facility_set_bookkeeping(LttFacility *facility, gboolean is_bookkeeping)
{
	facility->is_bookkeeping = is_bookkeeping;
}

void ltt_facility_set_line(LttFacility *facility, guint line)
{
	facility->line = line;
}

void ltt_facility_set_event_line(LttFacility *facility, guint line)
{
	last_event(facility)->line = line;
}

void ltt_facility_set_type_line(LttFacility *facility, guint line)
{
	((LttNamedType *)facility->types->pdata[facility->types->len - 1])->line = line;
}

static gboolean fail_with(const GPtrArray *mistakes, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < mistakes->len; i++) {
		const LttMistake *mistake = mistakes->pdata[i];

		if (i > 0)
			g_string_append_c(text, '\n');
		if (mistake->line > 0)
			g_string_append_printf(text, "line %u: ", mistake->line);
		g_string_append(text, mistake->message);
	}
	return ltt_fail(error, LTT_ERROR_DESCRIPTION, "%s", text->str);
}

gboolean ltt_facility_seal(LttFacility *facility, GError **error)
{
	g_autoptr(GPtrArray) mistakes = ltt_mistakes_new();

	return (ltt_facility_seal_telling(facility, mistakes) && mistakes->len == 0) ||
	       fail_with(mistakes, error);
}

gboolean ltt_facility_seal_foreign(LttFacility *facility, GError **error)
{
	g_autoptr(GPtrArray) mistakes = ltt_mistakes_new();

	return ltt_facility_seal_telling(facility, mistakes) || fail_with(mistakes, error);
}

LttFacility *ltt_facility_ref(LttFacility *facility)
{
	g_atomic_ref_count_inc(&facility->refs);
	return facility;
}

void ltt_facility_unref(LttFacility *facility)
{
	if (facility == NULL || !g_atomic_ref_count_dec(&facility->refs))
		return;
	g_clear_pointer(&facility->by_name, g_hash_table_unref);
	g_ptr_array_unref(facility->events);
	g_ptr_array_unref(facility->types);
	g_free(facility->canonical);
	g_free(facility->description);
	g_free(facility->name);
	g_free(facility);
}

const char *ltt_facility_get_name(const LttFacility *facility)
{
	return facility->name;
}

const char *ltt_facility_get_description(const LttFacility *facility)
{
	return facility->description;
}

gboolean ltt_facility_is_bookkeeping(const LttFacility *facility)
{
	return facility->is_bookkeeping;
}

guint32 ltt_facility_get_checksum(const LttFacility *facility)
{
	return facility->checksum;
}

const char *ltt_facility_get_canonical(const LttFacility *facility)
{
	return facility->canonical;
}

guint ltt_facility_get_n_events(const LttFacility *facility)
{
	return facility->events->len;
}

const LttEventType *ltt_facility_get_event(const LttFacility *facility, guint index)
{
	g_return_val_if_fail(index < facility->events->len, NULL);
	return facility->events->pdata[index];
}

const LttEventType *ltt_facility_find_event(const LttFacility *facility, const char *name)
{
	return facility->by_name != NULL ? g_hash_table_lookup(facility->by_name, name) : NULL;
}

guint ltt_facility_get_n_types(const LttFacility *facility)
{
	return facility->types->len;
}

const LttNamedType *ltt_facility_get_type(const LttFacility *facility, guint index)
{
	g_return_val_if_fail(index < facility->types->len, NULL);
	return facility->types->pdata[index];
}

gboolean ltt_event_type_is_same(const LttEventType *a, const LttEventType *b)
{
	return a == b ||
	       (a->index == b->index && g_str_equal(ltt_facility_get_canonical(a->facility),
						    ltt_facility_get_canonical(b->facility)));
}
