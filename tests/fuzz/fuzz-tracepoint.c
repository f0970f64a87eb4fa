/* fuzz-tracepoint.c - a format of a tracepoint, and a page of the ring buffer with its events.
 *
 *	input   flags | format | NUL | page
 *
 * Bit 0 of flags: big endian. Bit 1: longs of 4 bytes.
 */
#include "fuzz.h"
#include "mutate-text.h"

#include "tracepoint/raw-priv.h"
#include "tracepoint/ring-priv.h"

#include <string.h>

#define PAGE_BYTES 65536

static void convert(const LttRawPlan *plan, const LttRingEvent *event)
{
	const gsize size = ltt_raw_plan_measure(plan, event->bytes, event->size);
	g_autofree guint8 *payload = NULL;

	if (size == G_MAXSIZE)
		return;
	payload = g_malloc(size);
	ltt_raw_plan_write(plan, event->bytes, event->size, payload);
}

static void read_page(const LttRawPlan *plan, const LttRingLayout *layout, const uint8_t *bytes,
		      size_t size)
{
	LttRingPage page;
	LttRingEvent event;

	if (!ltt_ring_page_open(&page, layout, bytes, size, NULL))
		return;
	while (ltt_ring_page_next(&page, &event, NULL) == LTT_RING_EVENT) {
		FUZZ_ASSERT(event.bytes >= bytes && event.size <= size &&
			    (size_t)(event.bytes - bytes) <= size - event.size);
		convert(plan, &event);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size > 0 ? memchr(data + 1, 0, size - 1) : NULL;
	LttRingLayout layout = {.commit_offset = 8, .page_bytes = PAGE_BYTES};
	g_autoptr(LttTracepoint) tracepoint = NULL;
	g_autofree uint8_t *page = NULL;
	LttRawPlan *plan;
	LttType *type;
	size_t page_bytes;

	if (end == NULL)
		return 0;
	layout.byte_order = data[0] & 1 ? LTT_BIG_ENDIAN : LTT_LITTLE_ENDIAN;
	layout.long_bytes = data[0] & 2 ? 4 : 8;
	layout.data_offset = 8 + layout.long_bytes;
	tracepoint = ltt_tracepoint_parse((const char *)data + 1, (size_t)(end - data - 1),
					  layout.long_bytes);
	if (tracepoint == NULL)
		return 0;
	type = ltt_tracepoint_make_type(tracepoint);
	ltt_type_unref(type);
	plan = ltt_raw_plan_new(tracepoint);
	/* A copy, so that a read beyond the page is found. */
	page_bytes = (size_t)(data + size - end - 1);
	page = g_memdup2(end + 1, page_bytes);
	if (page != NULL)
		read_page(plan, &layout, page, page_bytes);
	ltt_raw_plan_free(plan);
	return 0;
}

#ifdef FUZZER
FUZZ_TEXT(1, "field:", "offset:", "size:", "signed:", ";", ";\n",
	  "\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;\n",
	  "\tfield:char y[16];\toffset:12;\tsize:16;\tsigned:0;\n",
	  "\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n",
	  "\tfield:__rel_loc u16[] list;\toffset:12;\tsize:4;\tsigned:0;\n",
	  "\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n",
	  "\tfield:const char * text;\toffset:16;\tsize:8;\tsigned:0;\n", "format:\n", "name: n",
	  "ID: 77", "print fmt: \"%d\", REC->x", "__data_loc", "__rel_loc", "char", "unsigned",
	  "signed", "short", "long long", "u8", "s64", "__u32", "bool", "enum e", "struct s", "*",
	  "[]", "[16]", "[2][3]", "[NR_CPUS]", "common_type", "common_pid", "x", "name")
#endif
