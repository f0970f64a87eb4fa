/* mistakes-priv.h - collect all mistakes of a description, to report them at once. */
#ifndef LTT_MISTAKES_PRIV_H
#define LTT_MISTAKES_PRIV_H

#ifndef LTT_BUILDING
#error "mistakes-priv.h is private to libltt"
#endif

#include <ltt/ltt-facility.h>

typedef struct LttMistake {
	guint line;           /* 0: unknown */
	gboolean is_harmless; /* affects how values are shown, not the layout */
	char *message;
} LttMistake;

/* Returns: (transfer full) (element-type LttMistake): frees its elements */
GPtrArray *ltt_mistakes_new(void);

void ltt_mistakes_add(GPtrArray *mistakes, guint line, const char *format, ...) G_GNUC_PRINTF(3, 4);

void ltt_mistakes_add_harmless(GPtrArray *mistakes, guint line, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* Returns: whether all mistakes are harmless */
gboolean ltt_mistakes_are_harmless(const GPtrArray *mistakes);

/* Like ltt_facility_seal(), but appends each mistake to @mistakes. Returns: whether the facility
 * can be used to read a trace: all mistakes were harmless, and were corrected */
gboolean ltt_facility_seal_telling(LttFacility *facility, GPtrArray *mistakes);

/* Removes declarations of ends, keys and counters that contradict the types, as harmless mistakes
 * (doc/format.md, 8.9). @facility: its typerefs must be resolved */
void ltt_seal_declarations(LttFacility *facility, GPtrArray *mistakes);

#endif
