/* needed.c - unselected events that a cut keeps.
 *
 * Without the events of bookkeeping facilities (doc/format.md, 8.8) the part of an imported recording
 * could not be exported again; all of them are kept. Without those that two attributes of system.xml
 * name (9.1) its events would have no names: naming_events, to which later events refer and which are
 * kept up to the end of the window, and lasting_events, which concern the whole recording and are
 * always kept.
 */
#include "edit/edit-priv.h"
#include "xml/shipped-priv.h"

#include <ltt/ltt-eventdefs.h>

#include <string.h>

enum {
	NEEDED_BEFORE = 1,
	NEEDED_ALWAYS,
};

/* Returns: (transfer full): the set of @names, which it borrows. There may be as many as fit in a
 * trace, chosen so that all of them would collide in a hash table */
static GTree *set_of(char **names)
{
	GTree *set = g_tree_new((GCompareFunc)strcmp);

	for (guint i = 0; names[i] != NULL; i++)
		g_tree_insert(set, names[i], names[i]);
	return set;
}

static void note_types(GHashTable *needed, const LttFacility *facility, GTree *full_names,
		       guint need)
{
	for (guint i = 0; i < ltt_facility_get_n_events(facility); i++) {
		const LttEventType *type = ltt_facility_get_event(facility, i);

		if (g_tree_lookup(full_names, type->full_name) != NULL)
			g_hash_table_insert(needed, (gpointer)type, GUINT_TO_POINTER(need));
	}
}

static void note(GHashTable *needed, LttTrace *trace, const char *attribute, guint need)
{
	const char *value = ltt_system_get(trace->system, attribute);
	g_auto(GStrv) names = NULL;
	g_autoptr(GTree) full_names = NULL;

	if (value == NULL)
		return;
	names = g_strsplit(value, " ", -1);
	full_names = set_of(names);
	for (guint i = 0; i < ltt_trace_get_n_loads(trace); i++)
		note_types(needed, ltt_trace_get_load(trace, i)->facility, full_names, need);
}

/* Importers of earlier versions wrote the same facilities without saying what they are about. */
static gboolean is_bookkeeping(const LttFacility *facility)
{
	const char *name = ltt_facility_get_name(facility);

	return ltt_facility_is_bookkeeping(facility) ||
	       (ltt_is_shipped(facility, name) &&
		ltt_facility_is_bookkeeping(ltt_eventdefs_get_shipped(name)));
}

static void note_bookkeeping(GHashTable *needed, LttTrace *trace)
{
	for (guint i = 0; i < ltt_trace_get_n_loads(trace); i++) {
		const LttFacility *facility = ltt_trace_get_load(trace, i)->facility;

		for (guint j = 0;
		     is_bookkeeping(facility) && j < ltt_facility_get_n_events(facility); j++)
			g_hash_table_insert(needed, (gpointer)ltt_facility_get_event(facility, j),
					    GUINT_TO_POINTER(NEEDED_ALWAYS));
	}
}

void ltt_edit_find_needed(LttEdit *edit, gboolean with_named)
{
	g_autoptr(GHashTable) needed = g_hash_table_new(NULL, NULL);
	guint n_bookkeeping;

	note_bookkeeping(needed, edit->trace);
	n_bookkeeping = g_hash_table_size(needed);
	if (with_named) {
		note(needed, edit->trace, LTT_SYSTEM_NAMING_EVENTS, NEEDED_BEFORE);
		note(needed, edit->trace, LTT_SYSTEM_LASTING_EVENTS, NEEDED_ALWAYS);
	}
	edit->has_bookkeeping = n_bookkeeping > 0;
	edit->has_named = g_hash_table_size(needed) > n_bookkeeping;
	if (g_hash_table_size(needed) > 0)
		edit->needed = g_steal_pointer(&needed);
}

gboolean ltt_edit_needs(const LttEdit *edit, const LttEvent *event)
{
	const guint need =
		edit->needed == NULL
			? 0
			: GPOINTER_TO_UINT(g_hash_table_lookup(edit->needed, event->type));

	return need == NEEDED_ALWAYS || (need == NEEDED_BEFORE && event->time_ns < edit->to_ns);
}
