/* event-symbols.c - the names of functions for the addresses in an event (doc/symbols.md), for the tooltip.
 *
 *	"symbols":{"ip":"main+0x1a","callchain":["main+0x1a",null,"libc.so.6+0x2724a"]}
 */
#include "view/request-priv.h"

#include <ltt/ltt-print.h>
#include <ltt/ltt-value.h>

/* Frames of a call chain: more do not fit into a tooltip. */
#define MAX_FRAMES 32

static void append_name(GString *out, LttSymbols *symbols, const LttEvent *event,
			const LttValue *address)
{
	g_autoptr(GString) text = g_string_new(NULL);
	LttSymbol symbol;

	if (!ltt_symbols_find(symbols, event, ltt_value_get_uint(address), &symbol)) {
		g_string_append(out, "null");
		return;
	}
	ltt_symbol_append(text, &symbol, LTT_SYMBOL_PLACE);
	ltt_json_append_string(out, text->str, (gssize)text->len);
}

static void append_names(GString *out, LttSymbols *symbols, const LttEvent *event,
			 const LttValue *addresses)
{
	const char *separator = "";
	LttValueIter iter;
	LttValue address;

	g_string_append_c(out, '[');
	ltt_value_iter_init(&iter, addresses);
	for (guint i = 0; i < MAX_FRAMES && ltt_value_iter_next(&iter, &address, NULL); i++) {
		g_string_append(out, separator);
		append_name(out, symbols, event, &address);
		separator = ",";
	}
	g_string_append_c(out, ']');
}

static gboolean is_code(const LttField *field)
{
	return field->role == LTT_FIELD_FUNCTION || field->role == LTT_FIELD_CODE;
}

void ltt_view_append_symbols(GString *out, LttSymbols *symbols, const LttEvent *event)
{
	const LttType *type =
		event->type->type != NULL ? ltt_type_resolve(event->type->type) : NULL;
	const char *separator = ",\"symbols\":{";
	LttValueIter iter;
	LttValue payload;
	LttValue value;

	if (type == NULL || ltt_type_get_kind(type) != LTT_STRUCT ||
	    !ltt_event_get_value(event, &payload))
		return;
	ltt_value_iter_init(&iter, &payload);
	for (guint i = 0; ltt_value_iter_next(&iter, &value, NULL); i++) {
		const LttField *field = ltt_type_get_field(type, i);
		const LttType *kind = ltt_type_resolve(field->type);

		if (!is_code(field) || kind == NULL)
			continue;
		g_string_append(out, separator);
		ltt_json_append_string(out, field->name, -1);
		g_string_append_c(out, ':');
		if (ltt_type_get_kind(kind) == LTT_UINT)
			append_name(out, symbols, event, &value);
		else
			append_names(out, symbols, event, &value);
		separator = ",";
	}
	if (separator[1] == '\0')
		g_string_append_c(out, '}');
}
