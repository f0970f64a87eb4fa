/* support-loads.c - see support-loads.h */
#include "support-loads.h"

#include "unit.h"

#include <ltt/ltt-eventdefs.h>

#include <string.h>

const char *const load_descriptions[3] = {
	"<facility name=\"f\"><event name=\"one\"/></facility>",
	"<facility name=\"f\"><event name=\"one\"/><event name=\"two\"/></facility>",
	"<facility name=\"g\"><event name=\"one\"/><event name=\"two\"/></facility>",
};

guint32 load_checksum(const char *description)
{
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities =
		ltt_eventdefs_parse(description, strlen(description), remarks);

	CU_ASSERT_EQUAL_FATAL(facilities->len, 1);
	return ltt_facility_get_checksum(facilities->pdata[0]);
}

void load_add(const HandTrace *hand, const char *file, const char *name, guint32 checksum,
	      guint32 base_code, const char *more)
{
	g_autoptr(GString) words = g_string_new("@0 X10:0:");

	for (const char *c = name; *c != '\0'; c++)
		g_string_append_printf(words, "%02x", (guint)*c);
	g_string_append_printf(words, "00%08x%08x%s", GUINT32_SWAP_LE_BE(checksum),
			       GUINT32_SWAP_LE_BE(base_code), more);
	hand_add(hand, file, words->str);
}

HandTrace load_new_trace(guint n)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, LOADS_BLOCK_BYTES, NULL);

	for (guint i = 0; i < n; i++) {
		g_autofree char *name = g_strdup_printf("eventdefs/x%u.xml", i);

		hand_append(&hand, name, load_descriptions[i], strlen(load_descriptions[i]));
	}
	return hand;
}
