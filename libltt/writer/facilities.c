/* facilities.c - assign event ids in the order of loading, without gaps: an id is an index. */
#include "writer/facilities-priv.h"

#include "base/error-priv.h"
#include "model/ondisk-priv.h"

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
	loads->events = g_array_new(FALSE, FALSE, sizeof(LttLoadedEvent));
}

void ltt_loads_clear(LttLoads *loads)
{
	g_ptr_array_unref(loads->loaded);
	g_array_unref(loads->events);
}

static gboolean has_same_name(const LttLoaded *loaded, const LttFacility *facility)
{
	return g_str_equal(ltt_facility_get_name(loaded->facility),
			   ltt_facility_get_name(facility));
}

static gboolean has_same_checksum(const LttLoaded *loaded, const LttFacility *facility)
{
	return ltt_facility_get_checksum(loaded->facility) == ltt_facility_get_checksum(facility);
}

const LttLoaded *ltt_loads_find(const LttLoads *loads, const LttFacility *facility)
{
	for (guint i = 0; i < loads->loaded->len; i++) {
		const LttLoaded *loaded = loads->loaded->pdata[i];

		if (has_same_checksum(loaded, facility) &&
		    g_str_equal(ltt_facility_get_canonical(loaded->facility),
				ltt_facility_get_canonical(facility)))
			return loaded;
	}
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
	for (guint i = 0; i < loads->loaded->len; i++) {
		const LttLoaded *loaded = loads->loaded->pdata[i];

		if (has_same_name(loaded, facility) && has_same_checksum(loaded, facility))
			return ltt_fail(error, LTT_ERROR_INVALID,
					"facility %s: another one of that name in this trace has "
					"the same checksum 0x%08x: readers cannot distinguish them",
					name, ltt_facility_get_checksum(facility));
	}
	return TRUE;
}

char *ltt_loads_get_file_name(const LttLoads *loads, const LttFacility *facility)
{
	const char *name = ltt_facility_get_name(facility);

	for (guint i = 0; i < loads->loaded->len; i++)
		if (has_same_name(loads->loaded->pdata[i], facility))
			return g_strdup_printf("%s-%08x.xml", name,
					       ltt_facility_get_checksum(facility));
	return g_strconcat(name, ".xml", NULL);
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
	return loaded;
}

const LttLoadedEvent *ltt_loads_get_event(const LttLoads *loads, guint16 id)
{
	const guint index = (guint)id - LTT_ID_FIRST_ORDINARY;

	return index < loads->events->len ? &g_array_index(loads->events, LttLoadedEvent, index)
					  : NULL;
}
