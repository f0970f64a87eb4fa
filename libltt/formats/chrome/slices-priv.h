/* slices-priv.h - events in pairs: one begins what another, of the same thread, ends. */
#ifndef LTT_FORMATS_CHROME_SLICES_PRIV_H
#define LTT_FORMATS_CHROME_SLICES_PRIV_H

#ifndef LTT_BUILDING
#error "formats/chrome/slices-priv.h is private to libltt"
#endif

#include <ltt/ltt-facility.h>

typedef enum LttSliceRole {
	LTT_SLICE_NONE,
	LTT_SLICE_BEGIN,
	LTT_SLICE_END,
} LttSliceRole;

/**
 * ltt_slice_find:
 * @begin: (out): the type that begins: @type itself, or the one that it ends; NULL: none
 * @name: (out) (transfer full): what both are about, without the word that tells them apart; NULL
 * if
 *   @type is neither
 *
 * Two events of a facility are a pair if their names differ in one word only, which is "entry" or
 * "enter" and "exit", "begin" and "end", "start" and "end" or "stop".
 */
LttSliceRole ltt_slice_find(const LttEventType *type, const LttEventType **begin, char **name);

/* What is under way in each thread. */
typedef struct LttSlices LttSlices;

LttSlices *ltt_slices_new(void);
void ltt_slices_free(LttSlices *slices); /* NULL is allowed and ignored */

/* Returns: FALSE if too much is under way in that thread to keep it in mind */
gboolean ltt_slices_begin(LttSlices *slices, guint64 thread, const LttEventType *begin);

/* Returns: how many end with the one that @begin began: those that began later have been left some
 * other way. 0: none of that type is under way */
guint ltt_slices_end(LttSlices *slices, guint64 thread, const LttEventType *begin);

#endif
