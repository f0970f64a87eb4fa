/* fuzz-print.c - print expressions of descriptions: the text up to a NUL, then a payload. */
#include "fuzz.h"
#include "mutate-text.h"

#include "../unit/print-expr-cases.h"
#include "print/expr-priv.h"

#include <string.h>

static gboolean count(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)bytes;
	(void)error;
	*(gsize *)user_data += length;
	return TRUE;
}

static void try_payload(const LttPrintExpr *expr, const LttLayout *layout, const uint8_t *payload,
			size_t size, LttByteOrder order)
{
	LttSink sink;
	gsize n_written = 0;
	gsize payload_bytes;
	gsize room;

	if (!ltt_layout_measure(layout, payload, size, order, &payload_bytes, NULL))
		return;
	ltt_sink_init(&sink, count, &n_written);
	ltt_print_expr_fill(expr, &sink, payload, payload_bytes, order);
	ltt_sink_hand_on(&sink);
	/* A byte may be escaped. */
	room = ltt_print_expr_get_room(payload_bytes);
	FUZZ_ASSERT(n_written <= 6 * room + strlen(LTT_EXPR_CUT));
	for (guint i = 0; i < layout->n_members; i++)
		if (ltt_print_expr_has_field(expr, i))
			ltt_print_expr_fill_field(expr, &sink, i, payload, payload_bytes, order,
						  &room);
	ltt_sink_clear(&sink);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(LttFacility) facility = print_expr_facility();
	const uint8_t *end = size > 0 ? memchr(data, '\0', size) : NULL;
	const LttArch arch = {LTT_LITTLE_ENDIAN, LTT_LP64};
	LttLayouts *layouts;
	LttPrintExpr *expr;

	if (end == NULL)
		return 0;
	FUZZ_ASSERT(ltt_facility_seal(facility, NULL));
	layouts = ltt_layouts_new(facility, &arch);
	expr = ltt_print_expr_new((const char *)data, ltt_layouts_get(layouts, 0), 8);
	end++;
	for (int order = 0; expr != NULL && order < 2; order++)
		try_payload(expr, ltt_layouts_get(layouts, 0), end, (size_t)(data + size - end),
			    order == 0 ? LTT_LITTLE_ENDIAN : LTT_BIG_ENDIAN);
	ltt_print_expr_free(expr);
	ltt_layouts_free(layouts);
	return 0;
}

#ifdef FUZZER
FUZZ_TEXT(0, "REC->", "REC->u8", "REC->s16", "REC->s32", "REC->u32", "REC->u64", "REC->ip4",
	  "REC->comm", "REC->items", "REC->last", "&REC->u32", "comm", "items", "__builtin_expect(",
	  "__get_bitmask(", "__get_cpumask(", "__get_dynamic_array(", "__get_dynamic_array_len(",
	  "__get_rel_bitmask(", "__get_rel_cpumask(", "__get_rel_dynamic_array(",
	  "__get_rel_sockaddr(", "__get_rel_str(", "__get_sockaddr(", "__get_str(",
	  "__print_array(", "__print_flags(", "__print_flags_u64(", "__print_hex(",
	  "__print_hex_str(", "__print_symbolic(", "__print_symbolic_u64(", "sizeof(", "(u8)",
	  "(s16)", "(u64)", "(int)", "(char)", "(void", "*)", "(unsigned", "long)", "(u16", "*)",
	  "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<<", ">>", "<", "<=", ">",
	  ">=", "==", "!=", "&&", "||", "?", ":", ",", "(", ")", "{", "}", "[", "]", "'a'", "4ul",
	  "0x1full", "\"|\"", "\"\"", "\"A\"", "%d", "%u", "%x", "%#x", "%08llx", "%-5s", "%.*s",
	  "%*d", "%c", "%o", "%p", "%pS", "%ps", "%pB", "%pF", "%pI4", "%pi4", "%pI6", "%pI6c",
	  "%pISpc", "%pISpfsc", "%pM", "%pm", "%pMF", "%pMR", "%pU", "%pUb", "%pUL", "%*ph",
	  "%*phC", "%*phD", "%*phN", "%*pbl", "%*pb", "%ph", "%pK", "%px", "%pd", "%pD", "%pV",
	  "%%", "%llu", "%zu", "%hhd", "%lu", "{ 1, \"A\" }", "{ 1 << 2, \"B\" }, { 4, \"C\" }")
#endif
