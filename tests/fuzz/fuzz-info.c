/* fuzz-info.c - system.xml and bookmarks.xml: a parsed file is written, and parses to the same
 * contents. The first byte selects the file. */
#include "fuzz.h"
#include "mutate-text.h"

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

#ifdef FUZZER
FUZZ_TEXT(1, "<system", "/>", "<", ">", "</", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
	  "endian=\"big\"", "endian=\"little\"", "arch_size=\"LP32\"", "arch_size=\"ILP32\"",
	  "arch_size=\"LP64\"", "arch_size=\"ILP64\"", "ltt_block_size=\"96\"",
	  "ltt_block_size=\"2147483648\"", "ltt_block_size=\"4096\"", "ltt_major_version=\"2\"",
	  "ltt_minor_version=\"2\"", "ltt_minor_version=\"3\"", "cpu=\"4\"", "lanes=\"2\"",
	  "cycle_frequency=\"3e9\"", "cycle_frequency=\"0\"", "cycle_frequency=\"2400000000\"",
	  "kernel=\"x\"", "node_name=\"n\"", "boot_id=\"1\"", "domainname=\"\"", "machine=\"m\"",
	  "tracer=\"t\"", "<bookmarks>", "</bookmarks>",
	  "<bookmark time=\"1.5\" name=\"n\">text</bookmark>", "<bookmark cpu=\"0\" cycles=\"7\"/>",
	  "<location start_time=\"1\" end_time=\"2.000000001\" name=\"n\" cpu=\"1\"/>",
	  "time=\"1050000000.123456789\"", "start_time=\"3\"", "end_time=\"9\"", "cycles=\"1\"",
	  "version=\"0.1\"", "encoding=\"ISO-8859-1\"", "&amp;", "&#0;", "&#10;", "<![CDATA[x]]>",
	  "<!-- x -->", "<!DOCTYPE x [<!ENTITY y \"z\">]>", "&y;", "system", "bookmark", "location")
#endif
