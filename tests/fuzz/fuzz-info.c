/* fuzz-info.c - system.xml and bookmarks.xml: a parsed file is written, and parses to the same
 * contents. The first byte selects the file. */
#include "fuzz.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-eventdefs.h>

#include <string.h>

static void try_system(const char *text, gsize length)
{
	g_autoptr(LttSystem) system = ltt_system_parse(text, length, NULL);
	g_autofree char *printed = NULL;
	g_autofree char *printed_again = NULL;
	g_autoptr(LttSystem) again = NULL;

	if (system == NULL)
		return;
	printed = ltt_system_print(system);
	again = ltt_system_parse(printed, strlen(printed), NULL);
	FUZZ_ASSERT(again != NULL);
	printed_again = ltt_system_print(again);
	FUZZ_ASSERT(g_str_equal(printed, printed_again));
}

static void try_bookmarks(const char *text, gsize length)
{
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) bookmarks = ltt_bookmarks_parse(text, length, remarks);
	g_autofree char *printed = ltt_bookmarks_print(bookmarks);
	g_autoptr(GPtrArray) again = ltt_bookmarks_parse(printed, strlen(printed), remarks);
	g_autofree char *printed_again = ltt_bookmarks_print(again);

	FUZZ_ASSERT(g_str_equal(printed, printed_again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0 && data[0] % 2 == 0)
		try_system((const char *)data + 1, size - 1);
	else if (size > 0)
		try_bookmarks((const char *)data + 1, size - 1);
	return 0;
}
