/* shipped.c - the descriptions that are compiled into the library.
 *
 * A description is parsed at its first use and never freed, so callers need no reference. A test
 * checks that all of them are free of mistakes.
 */
#include "xml/shipped-priv.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-hash.h>

static LttFacility *read_shipped(const LttShipped *shipped)
{
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities =
		ltt_eventdefs_parse(shipped->text, shipped->length, remarks);

	g_assert(remarks->len == 0 && facilities->len == 1);
	return ltt_facility_ref(facilities->pdata[0]);
}

static const LttShipped *find_shipped(const char *name)
{
	for (const LttShipped *shipped = ltt_shipped; shipped->name != NULL; shipped++) {
		if (g_str_equal(shipped->name, name))
			return shipped;
	}
	return NULL;
}

const LttFacility *ltt_eventdefs_get_shipped(const char *name)
{
	static GMutex mutex;
	static GHashTable *read; /* name -> LttFacility, never freed; under the mutex */
	const LttShipped *shipped = find_shipped(name);
	LttFacility *facility;

	if (shipped == NULL)
		return NULL;
	g_mutex_lock(&mutex);
	if (read == NULL)
		read = g_hash_table_new(ltt_hash_text, g_str_equal);
	facility = g_hash_table_lookup(read, name);
	if (facility == NULL) {
		facility = read_shipped(shipped);
		g_hash_table_insert(read, (gpointer)shipped->name, facility);
	}
	g_mutex_unlock(&mutex);
	return facility;
}

const LttFacility *ltt_shipped_find(const char *text, gsize length)
{
	for (const LttShipped *shipped = ltt_shipped; shipped->name != NULL; shipped++) {
		if (shipped->length == length && memcmp(shipped->text, text, length) == 0)
			return ltt_eventdefs_get_shipped(shipped->name);
	}
	return NULL;
}

gboolean ltt_is_shipped(const LttFacility *facility, const char *name)
{
	const LttFacility *shipped;

	/* Most facilities have other names. Then no description is parsed. */
	if (!g_str_equal(ltt_facility_get_name(facility), name))
		return FALSE;
	shipped = ltt_eventdefs_get_shipped(name);
	return shipped != NULL &&
	       ltt_facility_get_checksum(facility) == ltt_facility_get_checksum(shipped);
}
