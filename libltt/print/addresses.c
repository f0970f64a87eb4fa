/* addresses.c - see addresses-priv.h. */
#include "print/addresses-priv.h"

#include "base/escape-priv.h"

LttPrintAddresses *ltt_print_addresses_new(LttSymbols *symbols)
{
	LttPrintAddresses *addresses = g_new0(LttPrintAddresses, 1);

	addresses->symbols = symbols;
	return addresses;
}

void ltt_print_addresses_free(LttPrintAddresses *addresses)
{
	if (addresses == NULL)
		return;
	for (guint i = 0; i < LTT_ADDRESS_TEXTS; i++)
		g_free(addresses->texts[i].text);
	g_free(addresses);
}

LttPrintAddresses *ltt_print_addresses_dup(const LttPrintAddresses *addresses)
{
	return addresses != NULL ? ltt_print_addresses_new(addresses->symbols) : NULL;
}

static gboolean holds(const LttAddressText *text, const LttEvent *event, guint64 address)
{
	return text->text != NULL && text->address == address && text->pid == event->pid &&
	       text->tracefile == event->tracefile && event->time_ns >= text->from_ns &&
	       event->time_ns < text->to_ns;
}

static void make(LttPrintAddresses *addresses, LttAddressText *text, guint64 address)
{
	const LttEvent *event = addresses->event;
	GString *made = g_string_new(NULL);
	LttSymbol symbol;

	if (ltt_symbols_find(addresses->symbols, event, address, &symbol))
		ltt_symbol_append(made, &symbol, LTT_SYMBOL_PLACE);
	g_free(text->text);
	*text = (LttAddressText){
		.address = address,
		.tracefile = event->tracefile,
		.pid = event->pid,
		.from_ns = symbol.from_ns,
		.to_ns = symbol.to_ns,
		.function_bytes = symbol.function != NULL ? strlen(symbol.function) : 0,
		.text = g_string_free(made, FALSE),
	};
}

const LttAddressText *ltt_print_addresses_find(LttPrintAddresses *addresses, guint64 address)
{
	const guint64 mixed = address * 0x9e3779b97f4a7c15;
	LttAddressText *text = &addresses->texts[(mixed >> 32) % LTT_ADDRESS_TEXTS];

	if (G_UNLIKELY(!holds(text, addresses->event, address)))
		make(addresses, text, address);
	return text;
}

void ltt_print_address(LttPrintAddresses *addresses, LttSink *sink, guint64 address)
{
	const LttAddressText *found = ltt_print_addresses_find(addresses, address);
	char digits[2 + 16];
	guint at = sizeof(digits);

	for (guint64 rest = address; rest != 0 || at == sizeof(digits); rest >>= 4)
		digits[--at] = "0123456789abcdef"[rest & 15];
	digits[--at] = 'x';
	digits[--at] = '0';
	ltt_sink_add(sink, digits + at, sizeof(digits) - at);
	if (found->text[0] == '\0')
		return;
	ltt_sink_add(sink, " (", 2);
	ltt_sink_add_escaped(sink, found->text, strlen(found->text), LTT_ESCAPE_LABEL);
	ltt_sink_add_char(sink, ')');
}
