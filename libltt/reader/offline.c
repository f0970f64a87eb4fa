/* offline.c - read events of a trace as the structs of generated code. */
#include "base/error-priv.h"
#include "reader/offline-priv.h"

#include <ltt/ltt-trace.h>

/* An event type of the trace. */
typedef struct Entry {
	guint index;             /* in the generated code, or LTT_OFFLINE_UNKNOWN */
	const LttLayout *layout; /* the facility of plan; NULL: none yet */
	LttPlan *plan;           /* NULL: the payload is of another kind of type */
} Entry;

/* A facility of the trace. */
typedef struct Version {
	Entry *entries; /* by the index of the event type in the trace */
	guint n_entries;
} Version;

struct LttOfflineReader {
	const LttOfflineFacility *facility;
	GHashTable *versions; /* LttFacility -> Version, owned */
	const LttFacility *last_facility;
	Version *last_version; /* of last_facility */
	LttPlans plans;
	GPtrArray *memory; /* of elements of sequences, owned */
};

static guint find_index(const LttOfflineFacility *facility, const char *name)
{
	for (guint i = 0; i < facility->n_events; i++) {
		if (g_str_equal(facility->events[i].name, name))
			return i;
	}
	return LTT_OFFLINE_UNKNOWN;
}

static Version *new_version(const LttOfflineReader *reader, const LttFacility *facility)
{
	const gboolean is_ours =
		g_str_equal(ltt_facility_get_name(facility), reader->facility->name);
	Version *version = g_new0(Version, 1);

	version->n_entries = ltt_facility_get_n_events(facility);
	version->entries = g_new0(Entry, version->n_entries);
	for (guint i = 0; i < version->n_entries; i++)
		version->entries[i].index =
			is_ours ? find_index(reader->facility,
					     ltt_facility_get_event(facility, i)->name)
				: LTT_OFFLINE_UNKNOWN;
	return version;
}

static void free_version(gpointer data)
{
	Version *version = data;

	g_free(version->entries);
	g_free(version);
}

static Entry *find_entry(LttOfflineReader *reader, const LttEvent *event)
{
	const LttFacility *facility = event->type->facility;

	if (facility != reader->last_facility) {
		Version *version = g_hash_table_lookup(reader->versions, facility);

		if (version == NULL) {
			version = new_version(reader, facility);
			g_hash_table_insert(reader->versions, (gpointer)facility, version);
		}
		reader->last_facility = facility;
		reader->last_version = version;
	}
	return &reader->last_version->entries[event->type->index];
}

guint ltt_offline_reader_find(LttOfflineReader *reader, const LttEvent *event)
{
	return find_entry(reader, event)->index;
}

/* ---- events ---- */

static gboolean fail(const LttEvent *event, LttError code, GError **error, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

/* Sets an error whose message begins with the place and the name of the event. */
static gboolean fail(const LttEvent *event, LttError code, GError **error, const char *format, ...)
{
	g_autofree char *why = NULL;
	va_list arguments;

	va_start(arguments, format);
	why = g_strdup_vprintf(format, arguments);
	va_end(arguments);

	return ltt_fail_at(error, code, ltt_tracefile_get_name(event->tracefile),
			   (gint64)event->block, event->offset_bytes, "event %s: %s",
			   event->type->full_name, why);
}

static gboolean fail_missing(const LttEvent *event, const char *name, GError **error)
{
	return fail(event, LTT_ERROR_UNSUPPORTED, error,
		    "its description has no field %s of the expected type", name);
}

static gboolean check(const LttDecode *decode, const LttPlan *plan, const LttEvent *event,
		      GError **error)
{
	switch (decode->unfit) {
	case LTT_UNFIT_MEMORY:
		return fail(event, LTT_ERROR_LIMIT, error, "no memory for the field %s",
			    decode->name);
	case LTT_UNFIT_UNION:
		return fail(event, LTT_ERROR_UNSUPPORTED, error, "unknown member in the field %s",
			    decode->name);
	case LTT_UNFIT_NUMBER:
		return fail(event, LTT_ERROR_INVALID, error, "number too large in the field %s",
			    decode->name);
	case LTT_UNFIT_FIELD:
		return fail_missing(event, decode->name, error);
	default:
		return plan->missing == NULL || fail_missing(event, plan->missing, error);
	}
}

gboolean ltt_offline_reader_read(LttOfflineReader *reader, const LttEvent *event, guint index,
				 gpointer out, GError **error)
{
	Entry *entry = find_entry(reader, event);
	const LttOfflineEvent *expected = &reader->facility->events[index];
	const LttOfflineNode *node = &reader->facility->nodes[expected->node];
	LttDecode decode = {.byte_order = event->byte_order,
			    .end = event->payload + event->payload_bytes,
			    .memory = reader->memory};

	memset(out, 0, node->size_bytes);
	g_ptr_array_set_size(reader->memory, 0);
	if (entry->index != index)
		return fail(event, LTT_ERROR_INVALID, error, "expected an event called %s",
			    expected->name);
	if (entry->layout != event->layout) {
		entry->plan = ltt_plans_get(&reader->plans, event->layout, node);
		entry->layout = event->layout;
	}
	if (entry->plan == NULL)
		return fail_missing(event, "value", error);
	ltt_decode_struct(&decode, entry->plan, event->payload, out);
	return check(&decode, entry->plan, event, error);
}

LttOfflineReader *ltt_offline_reader_new(const LttOfflineFacility *facility)
{
	LttOfflineReader *reader = g_new0(LttOfflineReader, 1);

	reader->facility = facility;
	reader->versions = g_hash_table_new_full(NULL, NULL, NULL, free_version);
	ltt_plans_init(&reader->plans, facility->nodes);
	reader->memory = g_ptr_array_new_with_free_func(g_free);
	return reader;
}

void ltt_offline_reader_free(LttOfflineReader *reader)
{
	if (reader == NULL)
		return;
	g_hash_table_unref(reader->versions);
	ltt_plans_clear(&reader->plans);
	g_ptr_array_unref(reader->memory);
	g_free(reader);
}
