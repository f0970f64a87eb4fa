/* Tracepoints: format files, raw events as payloads, and the pages of the kernel's ring buffer. */
#include "unit.h"

#include "base/bytes-priv.h"
#include "tracepoint/raw-priv.h"
#include "tracepoint/ring-priv.h"

#include <string.h>

/* ---- formats and raw events ---- */

static const char format[] =
	"name: open file\n"
	"ID: 782\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] name;\toffset:16;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc u16[] ports;\toffset:20;\tsize:4;\tsigned:0;\n"
	"\tfield:const char * ptr;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:int dfd;\toffset:32;\tsize:4;\tsigned:1;\n"
	"\tfield:u8 key[3];\toffset:36;\tsize:3;\tsigned:0;\n"
	"\tfield:struct odd thing;\toffset:39;\tsize:5;\tsigned:0;\n"
	"\tfield:int beyond;\toffset:65533;\tsize:4;\tsigned:1;\n"
	"\n"
	"print fmt: \"%s\", REC->comm\n";

static void test_format(void)
{
	g_autoptr(LttTracepoint) tracepoint = ltt_tracepoint_parse(format, sizeof(format) - 1, 8);
	const LttTracepointField *field;

	CU_ASSERT_PTR_NOT_NULL_FATAL(tracepoint);
	UNIT_ASSERT_TEXT(tracepoint->name, "open file");
	CU_ASSERT_EQUAL(tracepoint->id, 782);
	UNIT_ASSERT_TEXT(tracepoint->print, "\"%s\", REC->comm");
	CU_ASSERT_EQUAL(tracepoint->fields->len, 11); /* without the one beyond 64 KiB */
	field = ltt_tracepoint_find(tracepoint, "ports");
	CU_ASSERT_EQUAL(field->kind, LTT_TRACEPOINT_LOC_ARRAY);
	CU_ASSERT_EQUAL(field->width, 2);
	CU_ASSERT_EQUAL(field->base, 24);
	field = ltt_tracepoint_find(tracepoint, "thing");
	CU_ASSERT_EQUAL(field->kind, LTT_TRACEPOINT_ARRAY);
	CU_ASSERT_EQUAL(field->count, 5);
	CU_ASSERT_TRUE(field->is_hex);
	CU_ASSERT_PTR_NULL(ltt_tracepoint_find(tracepoint, "beyond"));
}

static void test_format_without_id(void)
{
	CU_ASSERT_PTR_NULL(ltt_tracepoint_parse("name: x\n", 8, 8));
	CU_ASSERT_PTR_NULL(ltt_tracepoint_parse("ID: 3\n", 6, 8));
}

static void test_type(void)
{
	g_autoptr(LttTracepoint) tracepoint = ltt_tracepoint_parse(format, sizeof(format) - 1, 8);
	g_autoptr(LttType) type = ltt_tracepoint_make_type(tracepoint);
	static const char *const names[] = {"common_flags", "common_preempt_count",
					    "comm",         "name",
					    "ports",        "ptr",
					    "dfd",          "key",
					    "thing"};

	CU_ASSERT_EQUAL_FATAL(ltt_type_get_n_fields(type), G_N_ELEMENTS(names));
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		UNIT_ASSERT_TEXT(ltt_type_get_field(type, i)->name, names[i]);
}

/* The result of a system call, but not a field of that name elsewhere. */
static void test_role_of_results(void)
{
	static const struct {
		const char *text;
		LttFieldRole role;
	} cases[] = {
		{"name: sys_exit_openat\nID: 1\nformat:\n\tfield:long "
		 "ret;\toffset:8;\tsize:8;\tsigned:1;\n",
		 LTT_FIELD_ERRNO},
		{"name: sys_exit\nID: 1\nformat:\n\tfield:long "
		 "ret;\toffset:8;\tsize:8;\tsigned:1;\n",
		 LTT_FIELD_ERRNO},
		{"name: sys_enter_x\nID: 1\nformat:\n\tfield:long "
		 "ret;\toffset:8;\tsize:8;\tsigned:1;\n",
		 LTT_FIELD_PLAIN},
		{"name: sys_exit_x\nID: 1\nformat:\n\tfield:long "
		 "nr;\toffset:8;\tsize:8;\tsigned:1;\n",
		 LTT_FIELD_PLAIN},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(LttTracepoint) tracepoint =
			ltt_tracepoint_parse(cases[i].text, strlen(cases[i].text), 8);
		g_autoptr(LttType) type = ltt_tracepoint_make_type(tracepoint);

		CU_ASSERT_EQUAL(ltt_type_get_field(type, 0)->role, cases[i].role);
	}
}

/* A raw event of the format above, with room for its strings. */
typedef struct Raw {
	guint8 bytes[56];
} Raw;

static void put_u32(Raw *raw, gsize at, guint32 value)
{
	memcpy(raw->bytes + at, &value, sizeof(value));
}

static Raw make_raw(void)
{
	const guint16 ports[2] = {80, 443};
	Raw raw = {{0}};

	raw.bytes[2] = 1;
	memcpy(raw.bytes + 8, "sh", 3);
	put_u32(&raw, 16, 4 << 16 | 44); /* "/a\0" and a byte behind it */
	put_u32(&raw, 20, 4 << 16 | 24); /* relative to byte 24 */
	memcpy(raw.bytes + 44, "/a\0x", 4);
	memcpy(raw.bytes + 48, ports, sizeof(ports));
	memset(raw.bytes + 24, 0x11, 8);
	put_u32(&raw, 32, 7);
	memcpy(raw.bytes + 36, "keyabcde", 8);
	return raw;
}

static void test_payload(void)
{
	static const guint8 expected[] = "\x01\0"
					 "sh\0"
					 "/a\0"
					 "\2\0\0\0\x50\0\xbb\1"
					 "\x11\x11\x11\x11\x11\x11\x11\x11"
					 "\7\0\0\0"
					 "keyabcde";
	g_autoptr(LttTracepoint) tracepoint = ltt_tracepoint_parse(format, sizeof(format) - 1, 8);
	LttRawPlan *plan = ltt_raw_plan_new(tracepoint);
	const Raw raw = make_raw();
	guint8 payload[64];
	gsize size;

	if (LTT_NATIVE_ENDIAN == LTT_LITTLE_ENDIAN) {
		size = ltt_raw_plan_measure(plan, raw.bytes, sizeof(raw.bytes));
		CU_ASSERT_EQUAL_FATAL(size, sizeof(expected) - 1);
		ltt_raw_plan_write(plan, raw.bytes, sizeof(raw.bytes), payload);
		CU_ASSERT_EQUAL(memcmp(payload, expected, size), 0);
	}
	ltt_raw_plan_free(plan);
}

static void test_hostile_raw(void)
{
	g_autoptr(LttTracepoint) tracepoint = ltt_tracepoint_parse(format, sizeof(format) - 1, 8);
	LttRawPlan *plan = ltt_raw_plan_new(tracepoint);
	Raw raw = make_raw();

	CU_ASSERT_EQUAL(ltt_raw_plan_measure(plan, raw.bytes, 43), G_MAXSIZE);
	/* Locations outside the raw event are empty, and a full char array has no NUL. */
	put_u32(&raw, 16, 0xffffffff);
	put_u32(&raw, 20, 13 << 16 | 20);
	memset(raw.bytes + 8, 'c', 8);
	CU_ASSERT_EQUAL(ltt_raw_plan_measure(plan, raw.bytes, sizeof(raw.bytes)),
			2 + 9 + 1 + 4 + 8 + 4 + 8);
	ltt_raw_plan_free(plan);
}

/* ---- pages ---- */

static const char header[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			     "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
			     "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
			     "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:0;\n";

/* A page under construction. */
typedef struct Page {
	LttRingLayout layout;
	guint8 bytes[65536];
	gsize used; /* of the whole page */
} Page;

static void put_number(Page *page, gsize at, guint width, guint64 value)
{
	for (guint i = 0; i < width; i++) {
		const guint shift =
			page->layout.byte_order == LTT_LITTLE_ENDIAN ? 8 * i : 8 * (width - 1 - i);

		page->bytes[at + i] = (guint8)(value >> shift);
	}
}

static void add_word(Page *page, guint32 word)
{
	put_number(page, page->used, 4, word);
	page->used += 4;
}

static void add_head(Page *page, guint type_len, guint32 delta)
{
	add_word(page, page->layout.byte_order == LTT_LITTLE_ENDIAN ? delta << 5 | type_len
								    : type_len << 27 | delta);
}

/* Adds the words of a payload, the first of which has the id. */
static void add_payload(Page *page, guint16 id, guint n_words)
{
	put_number(page, page->used, 2, id);
	page->used += (gsize)4 * n_words;
}

static Page *begin_page(LttByteOrder order, guint long_bytes, guint page_bytes, guint64 time)
{
	Page *page = g_new0(Page, 1);
	g_autofree char *text =
		g_strdup_printf(header, long_bytes, 8 + long_bytes, page_bytes - 8 - long_bytes);
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(ltt_ring_layout_parse(&page->layout, text, strlen(text), order, &error),
		       error);
	page->used = page->layout.data_offset;
	put_number(page, 0, 8, time);
	return page;
}

static void end_page(Page *page, guint64 flags)
{
	put_number(page, 8, page->layout.long_bytes,
		   (page->used - page->layout.data_offset) | flags);
}

static void check_event(LttRingPage *cursor, guint16 id, guint64 time, gsize size)
{
	g_autoptr(GError) error = NULL;
	LttRingEvent event = {0};

	CU_ASSERT_EQUAL(ltt_ring_page_next(cursor, &event, &error), LTT_RING_EVENT);
	CU_ASSERT_EQUAL(event.id, id);
	CU_ASSERT_EQUAL(event.time, time);
	CU_ASSERT_EQUAL(event.size, size);
}

static void check_page(LttByteOrder order, guint long_bytes, guint page_bytes)
{
	Page *page = begin_page(order, long_bytes, page_bytes, 1000);
	g_autoptr(GError) error = NULL;
	LttRingPage cursor;
	LttRingEvent event;

	add_head(page, 2, 5); /* 8 bytes, 5 ticks after the page */
	add_payload(page, 300, 2);
	add_head(page, 30, 1); /* 3 * 2^27 + 1 ticks */
	add_word(page, 3);
	add_head(page, 29, 7); /* a discarded event of 4 bytes */
	add_word(page, 8);
	add_word(page, 0xffffffff);
	add_head(page, 0, 2); /* 120 bytes */
	add_word(page, 124);
	add_payload(page, 301, 30);
	add_head(page, 31, 9); /* absolute time */
	add_word(page, 0x1000);
	add_head(page, 1, 0);
	add_payload(page, 302, 1);
	add_head(page, 29, 0); /* the rest of the page is empty */
	add_word(page, 0xffffffff);
	end_page(page, 0);

	UNIT_ASSERT_OK(ltt_ring_page_open(&cursor, &page->layout, page->bytes, page_bytes, &error),
		       error);
	CU_ASSERT_FALSE(cursor.is_lossy);
	check_event(&cursor, 300, 1005, 8);
	check_event(&cursor, 301, 1005 + (3 << 27) + 1 + 7 + 2, 120);
	check_event(&cursor, 302, ((guint64)0x1000 << 27) + 9, 4);
	CU_ASSERT_EQUAL(ltt_ring_page_next(&cursor, &event, &error), LTT_RING_END);
	g_free(page);
}

static void test_pages(void)
{
	for (guint order = LTT_LITTLE_ENDIAN; order <= LTT_BIG_ENDIAN; order++) {
		check_page((LttByteOrder)order, 8, 4096);
		check_page((LttByteOrder)order, 4, 4096);
		check_page((LttByteOrder)order, 8, 65536);
	}
}

static void test_lost_events(void)
{
	Page *page = begin_page(LTT_NATIVE_ENDIAN, 8, 4096, 1);
	LttRingPage cursor;

	add_head(page, 1, 1);
	add_payload(page, 5, 1);
	put_number(page, page->used, 8, 77);
	/* The kernel adds the flag of bit 31 as a negative int. */
	end_page(page, 0xffffffff80000000 | 1 << 30);
	CU_ASSERT_TRUE(ltt_ring_page_open(&cursor, &page->layout, page->bytes, 4096, NULL));
	CU_ASSERT_TRUE(cursor.is_lossy);
	CU_ASSERT_EQUAL(cursor.n_lost, 77);
	check_event(&cursor, 5, 2, 4);

	end_page(page, 1u << 31);
	CU_ASSERT_TRUE(ltt_ring_page_open(&cursor, &page->layout, page->bytes, 4096, NULL));
	CU_ASSERT_TRUE(cursor.is_lossy);
	CU_ASSERT_EQUAL(cursor.n_lost, 0);
	g_free(page);
}

/* An absolute time has 59 bits; the upper ones come from the time before it. */
static void test_high_times(void)
{
	const guint64 high = (guint64)3 << 59;
	Page *page = begin_page(LTT_NATIVE_ENDIAN, 8, 4096, high | 0x8000000);
	LttRingPage cursor;

	add_head(page, 31, 5);
	add_word(page, 2);
	add_head(page, 1, 0);
	add_payload(page, 9, 1);
	add_head(page, 31, 4); /* below the time before it: the 59 bits overflowed */
	add_word(page, 1);
	add_head(page, 1, 0);
	add_payload(page, 9, 1);
	end_page(page, 0);
	CU_ASSERT_TRUE(ltt_ring_page_open(&cursor, &page->layout, page->bytes, 4096, NULL));
	check_event(&cursor, 9, high + (2u << 27) + 5, 4);
	check_event(&cursor, 9, high + ((guint64)1 << 59) + (1u << 27) + 4, 4);
	g_free(page);
}

static void check_error(Page *page, const char *message)
{
	g_autoptr(GError) error = NULL;
	LttRingPage cursor;
	LttRingEvent event;

	end_page(page, 0);
	CU_ASSERT_TRUE(ltt_ring_page_open(&cursor, &page->layout, page->bytes, 4096, NULL));
	CU_ASSERT_EQUAL_FATAL(ltt_ring_page_next(&cursor, &event, &error), LTT_RING_ERROR);
	UNIT_ASSERT_TEXT(error->message, message);
	g_free(page);
}

static void test_damaged_pages(void)
{
	Page *page = begin_page(LTT_NATIVE_ENDIAN, 8, 4096, 1);
	g_autoptr(GError) error = NULL;
	LttRingPage cursor;

	put_number(page, 8, 8, 4081);
	CU_ASSERT_FALSE(ltt_ring_page_open(&cursor, &page->layout, page->bytes, 4096, &error));
	UNIT_ASSERT_TEXT(error->message, "page has 4081 bytes of events: expected at most 4080");
	g_clear_error(&error);
	CU_ASSERT_FALSE(ltt_ring_page_open(&cursor, &page->layout, page->bytes, 15, &error));
	UNIT_ASSERT_TEXT(error->message, "page of 15 bytes: expected at least 16");
	add_head(page, 28, 0);
	check_error(page, "byte 16 of a page: an event extends beyond the page");

	page = begin_page(LTT_NATIVE_ENDIAN, 8, 4096, 1);
	add_head(page, 30, 0);
	check_error(page, "byte 16 of a page: a record extends beyond the page");

	page = begin_page(LTT_NATIVE_ENDIAN, 8, 4096, 1);
	add_head(page, 29, 1);
	add_word(page, 12);
	check_error(page, "byte 16 of a page: a discarded event extends beyond the page");

	page = begin_page(LTT_NATIVE_ENDIAN, 8, 4096, 1);
	add_head(page, 0, 1);
	add_word(page, 3);
	check_error(page, "byte 16 of a page: an event extends beyond the page");
}

static void test_unknown_header(void)
{
	LttRingLayout layout;
	g_autoptr(GError) error = NULL;
	g_autofree char *text = g_strdup_printf(header, 2u, 10u, 4086u);

	CU_ASSERT_FALSE(ltt_ring_layout_parse(&layout, "x", 1, LTT_LITTLE_ENDIAN, &error));
	CU_ASSERT_TRUE(g_error_matches(error, LTT_ERROR, LTT_ERROR_UNSUPPORTED));
	CU_ASSERT_FALSE(
		ltt_ring_layout_parse(&layout, text, strlen(text), LTT_LITTLE_ENDIAN, NULL));
}

UNIT_MAIN("tracepoint", UNIT(test_format), UNIT(test_format_without_id), UNIT(test_type),
	  UNIT(test_role_of_results), UNIT(test_payload), UNIT(test_hostile_raw), UNIT(test_pages),
	  UNIT(test_lost_events), UNIT(test_high_times), UNIT(test_damaged_pages),
	  UNIT(test_unknown_header))
