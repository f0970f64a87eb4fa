/* The extensions of %p in print expressions: addresses, identifiers and bytes. */
#include "unit.h"

#include "print/expr-priv.h"

#include <string.h>

#define IP6 "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01"

/* The fields of the event, in this order, and their bytes. The family of a socket address has the
 * byte order of the machine, its port that of the network. */
static const struct {
	const char *name;
	guint n_bytes;
	const char *little, *big;
} fields[] = {
	{"ip4", 4, "\x7f\x00\x00\x01", "\x7f\x00\x00\x01"},
	{"ip6", 16, IP6, IP6},
	{"mac", 6, "\x00\x1b\x21\xaa\xbb\xcc", "\x00\x1b\x21\xaa\xbb\xcc"},
	{"in4", 8, "\x02\x00\x1f\x90\x0a\x01\x02\x03", "\x00\x02\x1f\x90\x0a\x01\x02\x03"},
	{"in6", 24, "\x0a\x00\x01\xbb\0\0\0\0" IP6, "\x00\x0a\x01\xbb\0\0\0\0" IP6},
	{"cut6", 8, "\x0a\x00\x01\xbb\0\0\0\0", "\x00\x0a\x01\xbb\0\0\0\0"},
	{"local", 8, "\x01\x00/dev/x", "\x00\x01/dev/x"},
	{"id", 16, "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff",
	 "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"},
};

static LttFacility *make_facility(void)
{
	LttFacility *facility = ltt_facility_new("f");
	LttType *type = ltt_type_new_struct();

	for (guint i = 0; i < G_N_ELEMENTS(fields); i++)
		ltt_type_add_field(
			type, fields[i].name, NULL,
			ltt_type_new_array(fields[i].n_bytes, ltt_type_new_uint(LTT_WIDTH_1)));
	ltt_facility_add_event(facility, "e", NULL, type);
	ltt_facility_seal(facility, NULL);
	return facility;
}

static gboolean gather(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)error;
	g_string_append_len(user_data, bytes, (gssize)length);
	return TRUE;
}

static void check_in(LttByteOrder order, const char *text, const char *expected)
{
	g_autoptr(LttFacility) facility = make_facility();
	g_autoptr(GByteArray) payload = g_byte_array_new();
	g_autoptr(GString) out = g_string_new(NULL);
	const LttArch arch = {order, LTT_LP64};
	LttLayouts *layouts = ltt_layouts_new(facility, &arch);
	LttPrintExpr *expr = ltt_print_expr_new(text, ltt_layouts_get(layouts, 0), 8);
	LttSink sink;

	CU_ASSERT_PTR_NOT_NULL_FATAL(expr);
	for (guint i = 0; i < G_N_ELEMENTS(fields); i++)
		g_byte_array_append(payload,
				    (const guint8 *)(order == LTT_LITTLE_ENDIAN ? fields[i].little
										: fields[i].big),
				    fields[i].n_bytes);
	ltt_sink_init(&sink, gather, out);
	ltt_print_expr_fill(expr, &sink, payload->data, payload->len, order);
	ltt_sink_hand_on(&sink);
	ltt_sink_clear(&sink);
	ltt_print_expr_free(expr);
	ltt_layouts_free(layouts);
	UNIT_ASSERT_TEXT(out->str, expected);
}

static void check(const char *text, const char *expected)
{
	check_in(LTT_LITTLE_ENDIAN, text, expected);
	check_in(LTT_BIG_ENDIAN, text, expected);
}

static void test_addresses(void)
{
	check("\"%pI4 %pi4\", REC->ip4, REC->ip4", "127.0.0.1 127.000.000.001");
	check("\"%pI6\", REC->ip6", "2001:0db8:0000:0000:0000:0000:0000:0001");
	check("\"%pi6\", REC->ip6", "20010db8000000000000000000000001");
	check("\"%pI6c\", REC->ip6", "2001:db8::1");
}

static void test_sockets(void)
{
	check("\"%pIS %pISp %piS\", REC->in4, REC->in4, REC->in4",
	      "10.1.2.3 10.1.2.3:8080 010.001.002.003");
	check("\"%pISc|%pISpc\", REC->in6, REC->in6", "2001:db8::1|[2001:db8::1]:443");
	check("\"%pISp\", REC->in6", "[2001:0db8:0000:0000:0000:0000:0000:0001]:443");
	check("\"[%pIS]\", REC->local", "[]");
}

static void test_bytes(void)
{
	check("\"%pM %pMF %pm\", REC->mac, REC->mac, REC->mac",
	      "00:1b:21:aa:bb:cc 00-1b-21-aa-bb-cc 001b21aabbcc");
	check("\"%3ph %3phC %3phD %3phN\", REC->mac, REC->mac, REC->mac, REC->mac",
	      "00 1b 21 00:1b:21 00-1b-21 001b21");
	check("\"%99ph\", REC->ip4", "7f 00 00 01");
	check("\"%pUb\", REC->id", "00112233-4455-6677-8899-aabbccddeeff");
	check("\"%pUL\", REC->id", "33221100-5544-7766-8899-AABBCCDDEEFF");
	check("\"%pUl %pUB\", REC->id, REC->id",
	      "33221100-5544-7766-8899-aabbccddeeff 00112233-4455-6677-8899-AABBCCDDEEFF");
}

/* The description asks for more bytes than the field has, or for bytes of a number. */
static void test_too_short(void)
{
	check("\"%pI6 %pI4 %pIS %pM %pUb\", REC->ip4, 1, REC->ip4, REC->ip4, REC->mac",
	      "? ? ? ? ?");
	check("\"%pISpc\", REC->cut6", "?");
}

UNIT_MAIN("print pointers", UNIT(test_addresses), UNIT(test_sockets), UNIT(test_bytes),
	  UNIT(test_too_short))
