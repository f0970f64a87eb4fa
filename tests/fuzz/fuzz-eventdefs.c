/* fuzz-eventdefs.c - event descriptions: each facility read is written, read again, and compiled to
 * a header. */
#include "fuzz.h"

#include <ltt/ltt-codegen.h>
#include <ltt/ltt-eventdefs.h>

#include <string.h>

static GPtrArray *new_remarks(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
}

static void try_facility(const LttFacility *facility)
{
	g_autofree char *text = ltt_eventdefs_print(facility);
	g_autoptr(GPtrArray) remarks = new_remarks();
	g_autoptr(GPtrArray) again = ltt_eventdefs_parse(text, strlen(text), remarks);
	g_autofree char *header = ltt_codegen_header(facility, NULL);

	(void)header;
	FUZZ_ASSERT(again->len == 1);
	FUZZ_ASSERT(ltt_facility_get_checksum(again->pdata[0]) ==
		    ltt_facility_get_checksum(facility));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GPtrArray) remarks = new_remarks();
	g_autoptr(GPtrArray) facilities = ltt_eventdefs_parse((const char *)data, size, remarks);

	for (guint i = 0; i < facilities->len; i++)
		try_facility(facilities->pdata[i]);
	return 0;
}
