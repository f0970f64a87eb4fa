/* descriptions.c - read the event descriptions in eventdefs/ of a trace. During a recording, each
 * program that joins may add files.
 */
#include "reader/trace-priv.h"
#include "xml/shipped-priv.h"

#include <ltt/ltt-eventdefs.h>

#include <string.h>
#include <sys/stat.h>

/* File systems keep times of changes in steps of some milliseconds. */
#define SETTLED_NS ((gint64)LTT_NS_PER_S)

/* ---- the index ---- */

/* The descriptions with one name. Both levels are trees: those who write a trace choose names and
 * checksums, which in a hash table could all collide. */
typedef struct Named {
	LttFacility *first; /* all are borrowed from the array of descriptions */
	GTree *checksums;   /* the first facility with each checksum */
} Named;

static void free_named(gpointer data)
{
	Named *named = data;

	g_tree_unref(named->checksums);
	g_free(named);
}

static gint compare_names(gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
	return strcmp(a, b);
}

static gint compare_checksums(gconstpointer a, gconstpointer b)
{
	const guint left = GPOINTER_TO_UINT(a);
	const guint right = GPOINTER_TO_UINT(b);

	return left < right ? -1 : left > right;
}

GTree *ltt_trace_new_described_names(void)
{
	return g_tree_new_full(compare_names, NULL, NULL, free_named);
}

static void lock_described(const LttTrace *trace)
{
	g_mutex_lock((GMutex *)&trace->described_lock);
}

static void unlock_described(const LttTrace *trace)
{
	g_mutex_unlock((GMutex *)&trace->described_lock);
}

static void add_described(LttTrace *trace, LttFacility *facility)
{
	const char *name = ltt_facility_get_name(facility);
	gpointer checksum = GUINT_TO_POINTER(ltt_facility_get_checksum(facility));
	Named *named;

	lock_described(trace);
	named = g_tree_lookup(trace->described_names, name);
	g_ptr_array_add(trace->described, ltt_facility_ref(facility));
	if (named == NULL) {
		named = g_new(Named, 1);
		*named = (Named){facility, g_tree_new(compare_checksums)};
		g_tree_insert(trace->described_names, (gpointer)name, named);
	}
	if (g_tree_lookup(named->checksums, checksum) == NULL)
		g_tree_insert(named->checksums, checksum, facility);
	unlock_described(trace);
}

LttMatch ltt_trace_find_described(const LttTrace *trace, const char *name, guint32 checksum)
{
	const Named *named;
	LttMatch match = {0};

	lock_described(trace);
	named = g_tree_lookup(trace->described_names, name);
	if (named != NULL)
		match = (LttMatch){
			.exact = g_tree_lookup(named->checksums, GUINT_TO_POINTER(checksum)),
			.named = named->first,
			.is_ambiguous = g_tree_nnodes(named->checksums) > 1,
		};
	unlock_described(trace);
	return match;
}

/* ---- the files ---- */

static void read_description(LttTrace *trace, const char *name)
{
	g_autofree char *file = g_build_filename("eventdefs", name, NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) text = ltt_store_read(trace->store, file, LTT_MAX_XML_BYTES, &error);
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities = NULL;
	const LttFacility *shipped;

	if (text == NULL) {
		if (!g_error_matches(error, LTT_ERROR, LTT_ERROR_UNSUPPORTED))
			ltt_trace_add_problem_printf(trace, file, "%s", error->message);
		return;
	}
	shipped = ltt_shipped_find(text->str, text->len);
	if (shipped != NULL) {
		add_described(trace, (LttFacility *)shipped);
		return;
	}
	facilities = ltt_eventdefs_parse(text->str, text->len, remarks);
	for (guint i = 0; i < remarks->len; i++) {
		const LttRemark *remark = remarks->pdata[i];

		ltt_trace_add_problem_printf(trace, file, "line %u: %s", remark->line,
					     remark->message);
	}
	for (guint i = 0; i < facilities->len; i++)
		add_described(trace, facilities->pdata[i]);
}

/* Whether eventdefs/ may have files that it did not have before, for a trace with many loads that are not
 * described. The time of the change tells, unless it was so recently that a further change can have the same. */
static gboolean has_new_files(LttTrace *trace)
{
	g_autofree char *folder =
		g_build_filename(ltt_store_get_path(trace->store), "eventdefs", NULL);
	const gint64 former_ns = trace->eventdefs_ns;
	const gint64 listed_ns = trace->listed_ns;
	struct stat status;

	trace->listed_ns = g_get_real_time() * 1000;
	trace->eventdefs_ns = -1;
	if (stat(folder, &status) == 0)
		trace->eventdefs_ns =
			status.st_mtim.tv_sec * (gint64)LTT_NS_PER_S + status.st_mtim.tv_nsec;
	return listed_ns == 0 || trace->eventdefs_ns != former_ns ||
	       ABS(listed_ns - former_ns) < SETTLED_NS;
}

void ltt_trace_find_descriptions(LttTrace *trace)
{
	g_autoptr(GPtrArray) names = NULL;

	if (!has_new_files(trace))
		return;
	names = ltt_trace_list_folder(trace, "eventdefs");
	for (guint i = 0; i < names->len; i++) {
		if (g_str_has_suffix(names->pdata[i], ".xml") &&
		    ltt_trace_meets(trace, "eventdefs", names->pdata[i]))
			read_description(trace, names->pdata[i]);
	}
}

static void add_facilities(const LttTrace *trace, GPtrArray *facilities)
{
	for (guint i = 0; i < trace->slots->loads->len; i++) {
		const LttLoad *load = trace->slots->loads->pdata[i];

		g_ptr_array_add(facilities, (gpointer)load->facility);
	}
	lock_described(trace);
	for (guint i = 0; i < trace->described->len; i++)
		g_ptr_array_add(facilities, trace->described->pdata[i]);
	unlock_described(trace);
	for (guint i = 0; trace->members != NULL && i < trace->members->len; i++)
		add_facilities(trace->members->pdata[i], facilities);
}

GPtrArray *ltt_trace_list_facilities(const LttTrace *trace)
{
	GPtrArray *facilities = g_ptr_array_new();

	add_facilities(trace, facilities);
	return facilities;
}
