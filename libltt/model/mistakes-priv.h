/* mistakes-priv.h - all that is wrong with a description, collected in one go. */
#ifndef LTT_MISTAKES_PRIV_H
#define LTT_MISTAKES_PRIV_H

#ifndef LTT_BUILDING
#error "mistakes-priv.h is private to libltt"
#endif

#include <ltt/ltt-facility.h>

typedef struct LttMistake {
	guint line; /* 0: none known */
	char *message;
} LttMistake;

/* Returns: (transfer full) (element-type LttMistake): frees its elements */
GPtrArray *ltt_mistakes_new(void);

void ltt_mistakes_add(GPtrArray *mistakes, guint line, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* ltt_facility_seal() with the mistakes one by one. Returns: whether there were none */
gboolean ltt_facility_seal_telling(LttFacility *facility, GPtrArray *mistakes);

#endif
