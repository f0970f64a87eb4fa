/* addresses-priv.h - the text of addresses in code, with the names of functions.
 *
 * A printer has one. Most events of a trace have one of few addresses, whose texts are cached.
 */
#ifndef LTT_PRINT_ADDRESSES_PRIV_H
#define LTT_PRINT_ADDRESSES_PRIV_H

#ifndef LTT_BUILDING
#error "print/addresses-priv.h is private to libltt"
#endif

#include "base/sink-priv.h"

#include <ltt/ltt-symbols.h>

#define LTT_ADDRESS_TEXTS 1024

/* The text of an address, and the events for which it is valid. */
typedef struct LttAddressText {
	guint64 address;
	const LttTracefile *tracefile;
	guint32 pid;
	guint64 from_ns;
	guint64 to_ns;        /* exclusive */
	gsize function_bytes; /* of the name of the function; 0: it is not known */
	char *text; /* "main+0x1b", "libc.so.6+0x2724a"; "": unknown; NULL: not made yet */
} LttAddressText;

typedef struct LttPrintAddresses {
	LttSymbols *symbols;
	const LttEvent *event;                   /* that is printed */
	LttAddressText texts[LTT_ADDRESS_TEXTS]; /* a direct-mapped cache */
} LttPrintAddresses;

/* @symbols: (transfer none): must outlive it. Returns: (transfer full) */
LttPrintAddresses *ltt_print_addresses_new(LttSymbols *symbols);
void ltt_print_addresses_free(LttPrintAddresses *addresses); /* NULL is allowed and ignored */

/* Returns: (transfer full) (nullable): for another thread; NULL if @addresses is NULL */
LttPrintAddresses *ltt_print_addresses_dup(const LttPrintAddresses *addresses);

/* Sets the event whose addresses follow. */
static inline void ltt_print_addresses_set_event(LttPrintAddresses *addresses,
						 const LttEvent *event)
{
	addresses->event = event;
}

/* Returns: (transfer none): the text of an address in the event; valid until the next call */
const LttAddressText *ltt_print_addresses_find(LttPrintAddresses *addresses, guint64 address);

/* Writes "0x55f0c1a0115b (main+0x1b)". */
void ltt_print_address(LttPrintAddresses *addresses, LttSink *sink, guint64 address);

#endif
