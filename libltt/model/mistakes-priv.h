/* mistakes-priv.h - all that is wrong with a description, collected in one go. */
#ifndef LTT_MISTAKES_PRIV_H
#define LTT_MISTAKES_PRIV_H

#ifndef LTT_BUILDING
#error "mistakes-priv.h is private to libltt"
#endif

#include <ltt/ltt-facility.h>

typedef struct LttMistake {
	guint line;           /* 0: none known */
	gboolean is_harmless; /* about how values are shown, not about what they are */
	char *message;
} LttMistake;

/* Returns: (transfer full) (element-type LttMistake): frees its elements */
GPtrArray *ltt_mistakes_new(void);

void ltt_mistakes_add(GPtrArray *mistakes, guint line, const char *format, ...) G_GNUC_PRINTF(3, 4);

void ltt_mistakes_add_harmless(GPtrArray *mistakes, guint line, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* Returns: whether there are none but harmless ones */
gboolean ltt_mistakes_are_harmless(const GPtrArray *mistakes);

/* ltt_facility_seal() with the mistakes one by one. Returns: whether the facility is good for
 * reading a trace: there were no mistakes but harmless ones, which have been put right */
gboolean ltt_facility_seal_telling(LttFacility *facility, GPtrArray *mistakes);

#endif
