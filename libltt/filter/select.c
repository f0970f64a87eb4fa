/* select.c - select events by window, CPU, name and filter.
 *
 * Compares the name of each event type with the globs only once, and caches the result.
 */
#include "filter/select-priv.h"
#include "model/facility-priv.h"

#include "base/error-priv.h"
#include "filter/glob-priv.h"
#include "reader/selection-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-time.h>

#include <string.h>

struct LttSelect {
	LttSelection asked; /* the part that the reader uses */
	gboolean all;
	GHashTable *cpus;    /* of numbers; NULL: all, and control files too */
	char *cpu_list;      /* of which cpus was made */
	GPtrArray *globs;    /* of NamePattern; NULL: all */
	GHashTable *by_type; /* LttEventType -> whether a glob matches it, plus 1 */
	const LttEventType *last_type;
	gboolean last_matches;
	LttFilter *filter; /* NULL: none */
};

typedef struct NamePattern {
	char *text;
	LttGlob *glob;
} NamePattern;

static void free_pattern(gpointer data)
{
	NamePattern *pattern = data;

	g_free(pattern->text);
	ltt_glob_free(pattern->glob);
	g_free(pattern);
}

static gboolean is_like(const NamePattern *pattern, const char *full_name)
{
	return ltt_glob_matches(pattern->glob, full_name, strlen(full_name));
}

static LttSelectDepth get_depth(const LttSelect *select)
{
	if (select->asked.has_window || ltt_select_asks_events(select))
		return LTT_SELECT_BY_EVENT;
	return select->all ? LTT_SELECT_ALL : LTT_SELECT_ORDINARY;
}

LttSelect *ltt_select_new(void)
{
	LttSelect *select = g_new0(LttSelect, 1);

	select->asked.get_depth = get_depth;
	select->asked.wants_tracefile = ltt_select_wants_tracefile;
	select->asked.matches = ltt_select_matches;
	return select;
}

void ltt_select_free(LttSelect *select)
{
	if (select == NULL)
		return;
	g_clear_pointer(&select->cpus, g_hash_table_unref);
	g_free(select->cpu_list);
	g_clear_pointer(&select->globs, g_ptr_array_unref);
	g_clear_pointer(&select->by_type, g_hash_table_unref);
	ltt_filter_free(select->filter);
	g_free(select);
}

LttSelect *ltt_select_dup_without_names(const LttSelect *select)
{
	LttSelect *copy = ltt_select_new();

	copy->all = TRUE;
	if (select == NULL)
		return copy;
	copy->asked.has_window = select->asked.has_window;
	copy->asked.from_ns = select->asked.from_ns;
	copy->asked.to_ns = select->asked.to_ns;
	copy->cpus = select->cpus != NULL ? g_hash_table_ref(select->cpus) : NULL;
	ltt_select_set_filter(copy, select->filter);
	return copy;
}

void ltt_select_set_all(LttSelect *select, gboolean all)
{
	select->all = all;
}

void ltt_select_set_window(LttSelect *select, guint64 from_ns, guint64 to_ns)
{
	select->asked.has_window = TRUE;
	select->asked.from_ns = from_ns;
	select->asked.to_ns = to_ns;
}

gboolean ltt_select_get_window(const LttSelect *select, guint64 *from_ns, guint64 *to_ns)
{
	if (!select->asked.has_window)
		return FALSE;
	*from_ns = select->asked.from_ns;
	*to_ns = select->asked.to_ns;
	return TRUE;
}

gboolean ltt_select_parse_cpus(const char *text, guint64 *first, guint64 *last)
{
	const char *dash = strchr(text, '-');
	g_autofree char *first_text =
		dash != NULL ? g_strndup(text, (gsize)(dash - text)) : g_strdup(text);

	if (!g_ascii_string_to_unsigned(first_text, 10, 0, LTT_MAX_CPUS - 1, first, NULL))
		return FALSE;
	*last = *first;
	return dash == NULL ||
	       g_ascii_string_to_unsigned(dash + 1, 10, *first, LTT_MAX_CPUS - 1, last, NULL);
}

static gboolean add_cpu_range(GHashTable *cpus, const char *text)
{
	guint64 first;
	guint64 last;

	if (!ltt_select_parse_cpus(text, &first, &last))
		return FALSE;
	for (guint64 cpu = first; cpu <= last; cpu++)
		g_hash_table_add(cpus, GUINT_TO_POINTER((guint)cpu));
	return TRUE;
}

gboolean ltt_select_set_cpus(LttSelect *select, const char *list, GError **error)
{
	g_autoptr(GHashTable) cpus = g_hash_table_new(NULL, NULL);
	g_auto(GStrv) ranges = g_strsplit(list, ",", 0);

	for (guint i = 0; i == 0 || ranges[i] != NULL; i++) {
		if (ranges[i] == NULL || !add_cpu_range(cpus, ranges[i]))
			return ltt_fail(
				error, LTT_ERROR_INVALID,
				"\"%s\" is not a list of CPUs: expected numbers and ranges, such "
				"as 0,2-5",
				list);
	}
	g_clear_pointer(&select->cpus, g_hash_table_unref);
	select->cpus = g_steal_pointer(&cpus);
	g_free(select->cpu_list);
	select->cpu_list = g_strdup(list);
	return TRUE;
}

const char *ltt_select_get_cpu_list(const LttSelect *select)
{
	return select->cpu_list;
}

gboolean ltt_select_set_events(LttSelect *select, const char *globs, GError **error)
{
	g_autoptr(GPtrArray) patterns = g_ptr_array_new_with_free_func(free_pattern);
	g_auto(GStrv) names = g_strsplit(globs, ",", 0);

	for (guint i = 0; i == 0 || names[i] != NULL; i++) {
		NamePattern *pattern;

		if (names[i] == NULL || names[i][0] == '\0')
			return ltt_fail(
				error, LTT_ERROR_INVALID,
				"\"%s\" is not a list of event names: expected globs, such as "
				"core.irq_*,net.rx",
				globs);
		pattern = g_new(NamePattern, 1);
		*pattern =
			(NamePattern){g_strdup(names[i]), ltt_glob_new(names[i], strlen(names[i]))};
		g_ptr_array_add(patterns, pattern);
	}
	g_clear_pointer(&select->globs, g_ptr_array_unref);
	g_clear_pointer(&select->by_type, g_hash_table_unref);
	select->globs = g_steal_pointer(&patterns);
	select->by_type = g_hash_table_new(NULL, NULL);
	select->last_type = NULL;
	return TRUE;
}

void ltt_select_set_filter(LttSelect *select, const LttFilter *filter)
{
	ltt_filter_free(select->filter);
	select->filter = filter != NULL ? ltt_filter_dup(filter) : NULL;
}

const LttFilter *ltt_select_get_filter(const LttSelect *select)
{
	return select->filter;
}

gboolean ltt_select_wants_all(const LttSelect *select)
{
	return !select->asked.has_window && select->cpus == NULL && !ltt_select_asks_events(select);
}

gboolean ltt_select_wants_tracefile(const LttSelect *select, const LttTracefile *tracefile)
{
	const gint cpu = ltt_tracefile_get_cpu(tracefile);

	return select->cpus == NULL ||
	       (cpu >= 0 && g_hash_table_contains(select->cpus, GINT_TO_POINTER(cpu)));
}

static gboolean matches_globs(const LttSelect *select, const char *full_name)
{
	for (guint i = 0; i < select->globs->len; i++) {
		if (is_like(select->globs->pdata[i], full_name))
			return TRUE;
	}
	return FALSE;
}

gboolean ltt_select_wants_type(const LttSelect *select, const LttEventType *type, LttEventRole role)
{
	if (select->globs != NULL)
		return matches_globs(select, type->full_name);
	return select->all || role == LTT_ROLE_ORDINARY;
}

/* Returns: whether a glob matches the name of the type; the result is cached */
static gboolean is_named(LttSelect *select, const LttEventType *type)
{
	gpointer known;

	if (type == select->last_type)
		return select->last_matches;
	known = g_hash_table_lookup(select->by_type, type);
	if (known == NULL) {
		known = GINT_TO_POINTER(1 + matches_globs(select, type->full_name));
		g_hash_table_insert(select->by_type, (gpointer)type, known);
	}
	select->last_type = type;
	select->last_matches = GPOINTER_TO_INT(known) - 1;
	return select->last_matches;
}

const LttEventType *ltt_select_get_only_type(LttSelect *select, const LttTrace *trace)
{
	const LttEventType *only = NULL;

	for (guint i = 0; select->globs != NULL && i < ltt_trace_get_n_loads(trace); i++) {
		const LttFacility *facility = ltt_trace_get_load(trace, i)->facility;

		for (guint j = 0; j < ltt_facility_get_n_events(facility); j++) {
			const LttEventType *type = ltt_facility_get_event(facility, j);

			if (!is_named(select, type) ||
			    (only != NULL && ltt_event_type_is_same(only, type)))
				continue;
			if (only != NULL)
				return NULL;
			only = type;
		}
	}
	return only;
}

gboolean ltt_select_is_named(const LttSelect *select)
{
	return select->globs != NULL;
}

GStrv ltt_select_dup_globs(const LttSelect *select)
{
	const guint n_globs = select->globs != NULL ? select->globs->len : 0;
	GStrv globs = g_new0(char *, n_globs + 1);

	for (guint i = 0; i < n_globs; i++)
		globs[i] = g_strdup(((const NamePattern *)select->globs->pdata[i])->text);
	return globs;
}

gboolean ltt_select_matches(LttSelect *select, const LttEvent *event)
{
	if (select->asked.has_window &&
	    (event->time_ns < select->asked.from_ns || event->time_ns >= select->asked.to_ns))
		return FALSE;
	if (select->globs != NULL ? !is_named(select, event->type)
				  : !select->all && ltt_event_is_hidden(event))
		return FALSE;
	return select->filter == NULL || ltt_filter_matches(select->filter, event);
}

gboolean ltt_select_asks_events(const LttSelect *select)
{
	return select->globs != NULL || select->filter != NULL;
}
