/* offline-priv.h - the parts of a header for offline programs. */
#ifndef LTT_OFFLINE_PRIV_H
#define LTT_OFFLINE_PRIV_H

#ifndef LTT_BUILDING
#error "offline-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include "codegen/ctype-priv.h"
#include "codegen/text-priv.h"

/* Writes write_FACILITY_EVENT(), of an event with a payload. */
void ltt_write_offline_writer(LttText *text, const LttCFunction *function);

/* Writes the tables of <ltt/ltt-offline.h> that describe all structs of the facility. */
void ltt_write_offline_tables(LttText *text, const LttCTypes *types);

#endif
