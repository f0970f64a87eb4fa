/* facilities.c - assign event ids in the order of loading, without gaps: an id is an index. */
#include "writer/facilities-priv.h"

#include "base/error-priv.h"
#include "model/ondisk-priv.h"

#include <ltt/ltt-hash.h>

static void free_loaded(gpointer data)
{
	LttLoaded *loaded = data;

	ltt_layouts_free(loaded->layouts);
	ltt_facility_unref(loaded->facility);
	g_free(loaded);
}

void ltt_loads_init(LttLoads *loads, const LttArch *arch)
{
	loads->arch = *arch;
	loads->loaded = g_ptr_array_new_with_free_func(free_loaded);
	loads->by_name = g_hash_table_new_full(ltt_hash_text, g_str_equal, NULL,
					       (GDestroyNotify)g_ptr_array_unref);
	loads->events = g_array_new(FALSE, FALSE, sizeof(LttLoadedEvent));
}

void ltt_loads_clear(LttLoads *loads)
{
	g_hash_table_unref(loads->by_name);
	g_ptr_array_unref(loads->loaded);
	g_array_unref(loads->events);
}

static gboolean has_same_checksum(const LttLoaded *loaded, const LttFacility *facility)
{
	return ltt_facility_get_checksum(loaded->facility) == ltt_facility_get_checksum(facility);
}

/* Returns: (nullable): the loaded facilities with the name of @facility */
static GPtrArray *find_versions(const LttLoads *loads, const LttFacility *facility)
{
	return g_hash_table_lookup(loads->by_name, ltt_facility_get_name(facility));
}

/* Returns: (nullable): the one with the name and the checksum of @facility */
static const LttLoaded *find_version(const LttLoads *loads, const LttFacility *facility)
{
	const GPtrArray *versions = find_versions(loads, facility);

	for (guint i = 0; versions != NULL && i < versions->len; i++)
		if (has_same_checksum(versions->pdata[i], facility))
			return versions->pdata[i];
	return NULL;
}

const LttLoaded *ltt_loads_find(const LttLoads *loads, const LttFacility *facility)
{
	const LttLoaded *loaded = find_version(loads, facility);

	if (loaded != NULL && g_str_equal(ltt_facility_get_canonical(loaded->facility),
					  ltt_facility_get_canonical(facility)))
		return loaded;
	return NULL;
}

gboolean ltt_loads_check(const LttLoads *loads, const LttFacility *facility, GError **error)
{
	const char *name = ltt_facility_get_name(facility);
	const guint n_events = ltt_facility_get_n_events(facility);
	const guint n_left = LTT_N_IDS - LTT_ID_FIRST_ORDINARY - loads->events->len;

	if (g_str_equal(name, "builtin"))
		return ltt_fail(error, LTT_ERROR_INVALID,
				"facility builtin: is part of every trace and cannot be loaded");
	if (n_events > n_left)
		return ltt_fail(error, LTT_ERROR_LIMIT,
				"facility %s: has %u events, but only %u of %u event ids are left",
				name, n_events, n_left, LTT_N_IDS);
	if (find_version(loads, facility) != NULL)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"facility %s: another one of that name in this trace has the same "
				"checksum 0x%08x: readers cannot distinguish them",
				name, ltt_facility_get_checksum(facility));
	return TRUE;
}

char *ltt_loads_get_file_name(const LttLoads *loads, const LttFacility *facility)
{
	const char *name = ltt_facility_get_name(facility);

	if (find_versions(loads, facility) != NULL)
		return g_strdup_printf("%s-%08x.xml", name, ltt_facility_get_checksum(facility));
	return g_strconcat(name, ".xml", NULL);
}

static void add_version(LttLoads *loads, LttLoaded *loaded)
{
	GPtrArray *versions = find_versions(loads, loaded->facility);

	if (versions == NULL) {
		versions = g_ptr_array_new();
		g_hash_table_insert(loads->by_name,
				    (gpointer)ltt_facility_get_name(loaded->facility), versions);
	}
	g_ptr_array_add(versions, loaded);
}

const LttLoaded *ltt_loads_add(LttLoads *loads, const LttFacility *facility)
{
	LttLoaded *loaded = g_new(LttLoaded, 1);

	/* The facility is sealed, so only its reference count changes. */
	loaded->facility = ltt_facility_ref((LttFacility *)facility);
	loaded->layouts = ltt_layouts_new(facility, &loads->arch);
	loaded->base_code = LTT_ID_FIRST_ORDINARY + loads->events->len;
	for (guint i = 0; i < ltt_facility_get_n_events(facility); i++) {
		const LttLoadedEvent event = {.type = ltt_facility_get_event(facility, i),
					      .layout = ltt_layouts_get(loaded->layouts, i)};

		g_array_append_val(loads->events, event);
	}
	g_ptr_array_add(loads->loaded, loaded);
	add_version(loads, loaded);
	return loaded;
}

const LttLoadedEvent *ltt_loads_get_event(const LttLoads *loads, guint16 id)
{
	const guint index = (guint)id - LTT_ID_FIRST_ORDINARY;

	return index < loads->events->len ? &g_array_index(loads->events, LttLoadedEvent, index)
					  : NULL;
}
