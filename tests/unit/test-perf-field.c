/* Bodies of perf records to packed fields and back, byte for byte; and errors with their offsets. */
#include "unit.h"

#include "base/bytes-priv.h"
#include "formats/perf/file/field-priv.h"
#include "formats/perf/file/perf-priv.h"
#include "formats/perf/file/records-priv.h"
#include "formats/perf/file/steps-priv.h"

#include <string.h>

#define HEADER_BYTES 8

static const LttPerfField octets[] = {{.name = "octet", .kind = LTT_PERF_HEX, .width = 1}};
static const LttPerfField shorts[] = {{.name = "short", .kind = LTT_PERF_UINT, .width = 2}};

/* The same by compiled steps, if the field has any. */
static void check_steps_of(const LttPerfField *field, LttByteOrder order, const guint8 *body,
			   gsize body_bytes, const guint8 *packed, gsize packed_bytes)
{
	g_autoptr(GPtrArray) arena = ltt_perf_arena_new();
	g_autofree LttPerfMemo *memo = g_new0(LttPerfMemo, 1);
	g_autofree LttPerfMemo *back = g_new0(LttPerfMemo, 1);
	g_autofree guint8 *out = g_malloc(2 * body_bytes + LTT_PERF_STEPS_SPARE);
	g_autofree guint8 *again = g_malloc(body_bytes);
	const LttPerfSteps *steps = ltt_perf_steps_new(arena, field, 1);
	gsize taken_bytes;

	if (steps == NULL)
		return;
	CU_ASSERT_PTR_EQUAL_FATAL(ltt_perf_steps_pack(steps, memo, order, body, body_bytes, out),
				  out + packed_bytes);
	CU_ASSERT_EQUAL(memcmp(out, packed, packed_bytes), 0);
	CU_ASSERT_PTR_EQUAL(ltt_perf_steps_unpack(steps, back, order, packed, packed_bytes, again,
						  body_bytes, &taken_bytes),
			    again + body_bytes);
	CU_ASSERT_EQUAL(memcmp(again, body, body_bytes), 0);
	for (gsize cut = 0; cut < packed_bytes; cut++) {
		g_autofree guint8 *less = g_malloc(MAX(cut, 1));

		memcpy(less, packed, cut);
		CU_ASSERT_PTR_NULL(ltt_perf_steps_unpack(steps, back, order, less, cut, again,
							 body_bytes, &taken_bytes));
	}
	for (gsize cut = 0; cut < body_bytes; cut++) {
		g_autofree guint8 *less = g_malloc(MAX(cut, 1));

		memcpy(less, body, cut);
		CU_ASSERT_PTR_NULL(ltt_perf_steps_unpack(steps, back, order, packed, packed_bytes,
							 again, cut, &taken_bytes));
		CU_ASSERT_PTR_NULL(ltt_perf_steps_pack(steps, memo, order, less, cut, out));
	}
}

/* Packs @body and compares; unpacks that and compares. */
static void check(const LttPerfField *field, LttByteOrder order, const char *body, gsize body_bytes,
		  const char *packed, gsize packed_bytes)
{
	const LttPerfContext context = {.order = order, .size_bytes = HEADER_BYTES};
	g_autoptr(GByteArray) out = g_byte_array_new();
	LttPerfFault fault;
	gsize taken_bytes = 0;

	CU_ASSERT_TRUE_FATAL(ltt_perf_pack(field, 1, &context, (const guint8 *)body, body_bytes,
					   out, &taken_bytes, &fault));
	CU_ASSERT_EQUAL(taken_bytes, body_bytes);
	CU_ASSERT_EQUAL_FATAL(out->len, packed_bytes);
	CU_ASSERT_EQUAL(memcmp(out->data, packed, packed_bytes), 0);
	g_byte_array_set_size(out, 0);
	CU_ASSERT_TRUE_FATAL(ltt_perf_unpack(field, 1, &context, (const guint8 *)packed,
					     packed_bytes, out, &taken_bytes));
	CU_ASSERT_EQUAL(taken_bytes, packed_bytes);
	CU_ASSERT_EQUAL_FATAL(out->len, body_bytes);
	CU_ASSERT_EQUAL(memcmp(out->data, body, body_bytes), 0);
	check_steps_of(field, order, (const guint8 *)body, body_bytes, (const guint8 *)packed,
		       packed_bytes);
	/* A truncated body is rejected. */
	for (gsize cut = 0; cut < packed_bytes; cut++) {
		g_autofree guint8 *less = g_memdup2(packed, cut);

		g_byte_array_set_size(out, 0);
		CU_ASSERT_FALSE(ltt_perf_unpack(field, 1, &context, less, cut, out, &taken_bytes));
	}
}

#define CHECK(field, order, body, packed)                                                          \
	check(field, order, body, sizeof(body) - 1, packed, sizeof(packed) - 1)

static void test_texts(void)
{
	static const LttPerfField name = {.name = "name", .kind = LTT_PERF_NAME};
	static const LttPerfField text = {.name = "text", .kind = LTT_PERF_TEXT, .n = 6};

	CHECK(&name, LTT_LITTLE_ENDIAN, "bash\0\0\0\0", "bash\0");
	CHECK(&name, LTT_LITTLE_ENDIAN, "sixteen letters\0", "sixteen letters\0");
	CHECK(&text, LTT_LITTLE_ENDIAN, "ab\0\0\0\0", "ab\0");
	CHECK(&text, LTT_LITTLE_ENDIAN, "abcdef", "abcdef\0");
}

static void test_many(void)
{
	static const LttPerfField tail = {
		.name = "tail", .kind = LTT_PERF_TAIL, .n_members = 1, .members = shorts};
	static const LttPerfField sequence = {.name = "sequence",
					      .kind = LTT_PERF_SEQUENCE,
					      .width = 2,
					      .n_members = 1,
					      .members = shorts};
	static const LttPerfField members[] = {{.name = "front", .kind = LTT_PERF_UINT, .width = 2},
					       {.name = "item", .kind = LTT_PERF_UINT, .width = 1}};
	static const LttPerfField behind = {.name = "behind",
					    .kind = LTT_PERF_BEHIND,
					    .n = 1,
					    .n_members = 2,
					    .members = members};

	CHECK(&tail, LTT_LITTLE_ENDIAN, "\1\0\2\0", "\2\0\0\0\1\0\2\0");
	CHECK(&tail, LTT_BIG_ENDIAN, "\0\1\0\2", "\0\0\0\2\0\1\0\2");
	CHECK(&sequence, LTT_BIG_ENDIAN, "\0\1\7\7", "\0\1\7\7");
	CHECK(&behind, LTT_LITTLE_ENDIAN, "\2\0\0\0\0\0\0\0\7\0\5\6", "\7\0\2\0\0\0\0\0\0\0\5\6");
}

static void test_one_of_several(void)
{
	static const LttPerfField abis[] = {
		{.name = "none", .kind = LTT_PERF_STRUCT},
		{.name = "some", .kind = LTT_PERF_STRUCT, .n_members = 1, .members = shorts}};
	static const LttPerfField either = {.name = "either",
					    .kind = LTT_PERF_UNION,
					    .width = 8,
					    .n_members = 2,
					    .members = abis};
	const LttPerfContext context = {.order = LTT_LITTLE_ENDIAN};
	g_autoptr(GByteArray) out = g_byte_array_new();
	LttPerfFault fault;
	gsize taken_bytes;

	CHECK(&either, LTT_LITTLE_ENDIAN, "\0\0\0\0\0\0\0\0", "\0\0\0\0\0\0\0\0");
	CHECK(&either, LTT_LITTLE_ENDIAN, "\1\0\0\0\0\0\0\0\3\4", "\1\0\0\0\0\0\0\0\3\4");
	CU_ASSERT_FALSE(ltt_perf_pack(&either, 1, &context, (const guint8 *)"\2\0\0\0\0\0\0\0", 8,
				      out, &taken_bytes, &fault));
	UNIT_ASSERT_TEXT(fault.field, "either");
	UNIT_ASSERT_TEXT(fault.why, "an unknown code");
	CU_ASSERT_EQUAL(fault.byte, 0);
	CU_ASSERT_EQUAL(out->len, 0);
}

static void test_stack(void)
{
	static const LttPerfField stack = {.name = "stack", .kind = LTT_PERF_STACK};

	CHECK(&stack, LTT_LITTLE_ENDIAN, "\0\0\0\0\0\0\0\0", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
	CHECK(&stack, LTT_LITTLE_ENDIAN, "\2\0\0\0\0\0\0\0ab\1\0\0\0\0\0\0\0",
	      "\2\0\0\0\0\0\0\0ab\1\0\0\0\0\0\0\0");
}

/* Fields have offsets, with gaps; texts and variable numbers of items follow. */
static void test_tracepoint(void)
{
	static const LttPerfField members[] = {
		{.name = "type", .kind = LTT_PERF_UINT, .width = 2, .place = 0},
		{.name = "comm", .kind = LTT_PERF_TEXT, .n = 4, .place = 4},
		{.name = "path", .kind = LTT_PERF_LOC_TEXT, .place = 8},
		{.name = "list",
		 .kind = LTT_PERF_LOC_ITEMS,
		 .place = 12,
		 .n_members = 1,
		 .members = shorts}};
	static const LttPerfField trace = {
		.name = "raw", .kind = LTT_PERF_TRACE, .n_members = 4, .members = members};

	CHECK(&trace, LTT_LITTLE_ENDIAN,
	      "\x1c\0\0\0\7\0\0\0ab\0\0\x10\0\3\0\x13\0\4\0xy\0\1\0\2\0\0\0\0\0\0",
	      "\7\0ab\0xy\0\2\0\0\0\1\0\2\0");
}

/* The offset of a text may be relative to the end of the field. */
static void test_tracepoint_relative(void)
{
	static const LttPerfField members[] = {
		{.name = "path", .kind = LTT_PERF_LOC_TEXT, .place = 4, .n = 8},
		{.name = "list",
		 .kind = LTT_PERF_LOC_ITEMS,
		 .place = 8,
		 .n = 12,
		 .n_members = 1,
		 .members = shorts}};
	static const LttPerfField trace = {
		.name = "raw", .kind = LTT_PERF_TRACE, .n_members = 2, .members = members};

	CHECK(&trace, LTT_BIG_ENDIAN, "\0\0\0\x14\0\0\0\0\0\3\0\4\0\4\0\3xy\0\0\1\0\2\0",
	      "xy\0\0\0\0\2\0\1\0\2");
}

static void test_more_than_there_is(void)
{
	static const LttPerfField sequence = {.name = "callchain",
					      .kind = LTT_PERF_SEQUENCE,
					      .width = 8,
					      .n_members = 1,
					      .members = octets};
	const LttPerfContext context = {.order = LTT_LITTLE_ENDIAN};
	g_autoptr(GByteArray) out = g_byte_array_new();
	LttPerfFault fault;
	gsize taken_bytes;

	CU_ASSERT_FALSE(ltt_perf_pack(&sequence, 1, &context,
				      (const guint8 *)"\xff\xff\xff\xff\xff\xff\xff\xff", 8, out,
				      &taken_bytes, &fault));
	UNIT_ASSERT_TEXT(fault.field, "callchain");
	UNIT_ASSERT_TEXT(fault.why, "more items than the record has room for");
	CU_ASSERT_EQUAL(fault.byte, 8);
}

/* Random bytes: the result of each record kind can be unpacked. */
static gboolean is_same(const GByteArray *bytes, const guint8 *body, gsize length)
{
	return bytes->len == length && memcmp(bytes->data, body, length) == 0;
}

/* Steps accept exactly the bodies that round-trip, with the same result. Returns: whether they
 * accept this one */
static gboolean check_steps(const LttPerfSteps *steps, LttPerfMemo *memo, LttByteOrder order,
			    const guint8 *body, gsize length, const GByteArray *packed,
			    const GByteArray *again)
{
	g_autofree LttPerfMemo *back = g_new0(LttPerfMemo, 1);
	guint8 out[4096 + LTT_PERF_STEPS_SPARE];
	guint8 unpacked[4096];
	const guint8 *end = ltt_perf_steps_pack(steps, memo, order, body, length, out);
	gsize taken_bytes;

	CU_ASSERT_EQUAL(end != NULL, is_same(again, body, length));
	CU_ASSERT(!ltt_perf_steps_fit(steps, order, body, length) || !steps->are_same ||
		  is_same(packed, body, length));
	if (end == NULL)
		return FALSE;
	CU_ASSERT_TRUE(is_same(packed, out, (gsize)(end - out)));
	end = ltt_perf_steps_unpack(steps, back, order, out, packed->len, unpacked,
				    sizeof(unpacked), &taken_bytes);
	CU_ASSERT_PTR_EQUAL(end, unpacked + length);
	CU_ASSERT_EQUAL(taken_bytes, packed->len);
	CU_ASSERT_TRUE(is_same(again, unpacked, length));
	return TRUE;
}

static void test_all_kinds_on_any_bytes(void)
{
	g_autoptr(GRand) chance = g_rand_new_with_seed(3);
	g_autoptr(GByteArray) packed = g_byte_array_new();
	g_autoptr(GByteArray) again = g_byte_array_new();
	guint n_kinds;
	const LttPerfRecordKind *kinds = ltt_perf_record_kinds(&n_kinds);
	g_autoptr(GPtrArray) arena = ltt_perf_arena_new();
	g_autofree const LttPerfSteps **steps = NULL;
	LttPerfMemo memos[2] = {0};
	guint n_packed = 0;
	guint n_stepped = 0;

	steps = g_new0(const LttPerfSteps *, n_kinds);
	for (guint i = 0; i < n_kinds; i++)
		steps[i] = ltt_perf_steps_new(arena, kinds[i].fields, kinds[i].n_fields);

	for (guint i = 0; i < 60000; i++) {
		const LttPerfRecordKind *kind = &kinds[i % n_kinds];
		const LttPerfContext context = {.order = i / n_kinds % 2,
						.size_bytes = HEADER_BYTES};
		const gsize length = (gsize)g_rand_int_range(chance, 0, 200);
		g_autofree guint8 *body = g_malloc(MAX(length, 1));
		LttPerfFault fault;
		gsize taken_bytes;
		gsize unpacked_bytes;

		for (gsize at = 0; at < length; at++)
			body[at] =
				g_rand_boolean(chance) ? 0 : (guint8)g_rand_int_range(chance, 0, 8);
		g_byte_array_set_size(packed, 0);
		g_byte_array_set_size(again, 0);
		if (!ltt_perf_pack(kind->fields, kind->n_fields, &context, body, length, packed,
				   &taken_bytes, &fault)) {
			CU_ASSERT_TRUE(fault.byte <= length);
			continue;
		}
		n_packed++;
		CU_ASSERT_TRUE(taken_bytes <= length);
		CU_ASSERT_TRUE_FATAL(ltt_perf_unpack(kind->fields, kind->n_fields, &context,
						     packed->data, packed->len, again,
						     &unpacked_bytes));
		CU_ASSERT_EQUAL(unpacked_bytes, packed->len);
		if (steps[i % n_kinds] != NULL)
			n_stepped += check_steps(steps[i % n_kinds], &memos[context.order],
						 context.order, body, length, packed, again);
	}
	CU_ASSERT_TRUE(n_packed > 20000);
	CU_ASSERT_TRUE(n_stepped > 20);
}

/* Formats 0 and 1 end with the message, format 2 with the machine pid. */
static void test_errors_of_aux_data(void)
{
	static const guint message_at[] = {32, 40, 40};
	static const guint sizes[] = {48, 56, 112};
	const LttPerfRecordKind *kind = ltt_perf_record_kind(LTT_PERF_AUXTRACE_ERROR, 0);
	const LttPerfContext context = {.order = LTT_LITTLE_ENDIAN,
					.size_bytes = LTT_PERF_RECORD_HEADER_BYTES};

	for (guint format = 0; format < 4; format++) {
		const guint of = MIN(format, 2);
		g_autoptr(GByteArray) packed = g_byte_array_new();
		g_autoptr(GByteArray) again = g_byte_array_new();
		guint8 body[112] = {1, 0, 0, 0, 5};
		LttPerfFault fault = {0};
		gsize taken_bytes;

		ltt_store_u32(body + 20, format, LTT_LITTLE_ENDIAN);
		memcpy(body + message_at[of], "lost sync", 9);
		ltt_store_u32(body + 108, 3, LTT_LITTLE_ENDIAN);
		CU_ASSERT_EQUAL_FATAL(ltt_perf_pack(kind->fields, kind->n_fields, &context, body,
						    sizes[of], packed, &taken_bytes, &fault),
				      format < 3);
		if (format == 3) {
			UNIT_ASSERT_TEXT(fault.field, "error");
			UNIT_ASSERT_TEXT(fault.why, "an unknown code");
			continue;
		}
		CU_ASSERT_EQUAL(taken_bytes, sizes[of]);
		CU_ASSERT_EQUAL(packed->len, message_at[of] + 10 + (format == 2 ? 8 : 0));
		UNIT_ASSERT_TEXT((const char *)packed->data + message_at[of], "lost sync");
		CU_ASSERT_TRUE(ltt_perf_unpack(kind->fields, kind->n_fields, &context, packed->data,
					       packed->len, again, &taken_bytes));
		CU_ASSERT_EQUAL_FATAL(again->len, sizes[of]);
		CU_ASSERT_EQUAL(memcmp(again->data, body, sizes[of]), 0);
	}
}

UNIT_MAIN("perf-field", UNIT(test_texts), UNIT(test_many), UNIT(test_one_of_several),
	  UNIT(test_stack), UNIT(test_tracepoint), UNIT(test_tracepoint_relative),
	  UNIT(test_more_than_there_is), UNIT(test_all_kinds_on_any_bytes),
	  UNIT(test_errors_of_aux_data))
