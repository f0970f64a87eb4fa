/* function-names.c - see function-names-priv.h.
 *
 * A program calls few functions often, so the names are cached by address.
 */
#include "analysis/function-names-priv.h"

#define N_PLACES 1024

/* The name of an address, and the events for which it is valid. */
typedef struct Place {
	guint64 address;
	guint32 pid;
	const LttTracefile *tracefile;
	guint64 from_ns;
	guint64 to_ns;    /* exclusive */
	const char *name; /* owned by the chunk; NULL: it is unknown */
} Place;

struct LttFunctionNames {
	LttSymbols *symbols; /* NULL: none */
	LttSymbolForm form;
	GStringChunk *texts;
	Place places[N_PLACES]; /* a direct-mapped cache */
};

LttFunctionNames *ltt_function_names_new(LttSymbolForm form)
{
	LttFunctionNames *names = g_new0(LttFunctionNames, 1);

	names->form = form;
	names->texts = g_string_chunk_new(4096);
	return names;
}

void ltt_function_names_free(LttFunctionNames *names)
{
	if (names == NULL)
		return;
	g_string_chunk_free(names->texts);
	g_free(names);
}

void ltt_function_names_set_symbols(LttFunctionNames *names, LttSymbols *symbols)
{
	names->symbols = symbols;
}

static gboolean holds(const Place *place, const LttEvent *event, guint64 address)
{
	return place->address == address && place->pid == event->pid &&
	       place->tracefile == event->tracefile && event->time_ns >= place->from_ns &&
	       event->time_ns < place->to_ns;
}

static void find(LttFunctionNames *names, Place *place, const LttEvent *event, guint64 address)
{
	g_autoptr(GString) text = g_string_new(NULL);
	LttSymbol symbol;

	*place = (Place){.address = address, .pid = event->pid, .tracefile = event->tracefile};
	if (ltt_symbols_find(names->symbols, event, address, &symbol)) {
		ltt_symbol_append(text, &symbol, names->form);
		place->name = g_string_chunk_insert_const(names->texts, text->str);
	}
	place->from_ns = symbol.from_ns;
	place->to_ns = symbol.to_ns;
}

const char *ltt_function_names_find(LttFunctionNames *names, const LttEvent *event, guint64 address)
{
	Place *place = &names->places[(address * 0x9e3779b97f4a7c15 >> 32) % N_PLACES];

	if (names->symbols == NULL)
		return NULL;
	if (!holds(place, event, address))
		find(names, place, event, address);
	return place->name;
}
