/* slices-priv.h - pair events that begin and end a slice of a thread. */
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
 * @begin: (out): the type that begins the slice: @type itself or its counterpart; NULL: none
 * @name: (out) (transfer full): the common part of the names of both types; NULL: none
 *
 * Two event types of a facility are a pair if their names differ only in one word. The word is
 * "entry" or "enter" in one name and "exit" in the other, or "begin" and "end", or "start" and
 * "end" or "stop".
 *
 * Returns: whether @type begins a slice, ends a slice, or is not part of a pair
 */
LttSliceRole ltt_slice_find(const LttEventType *type, const LttEventType **begin, char **name);

/* The open slices of each thread. */
typedef struct LttSlices LttSlices;

LttSlices *ltt_slices_new(void);
void ltt_slices_free(LttSlices *slices); /* NULL is allowed and ignored */

/* Opens a slice. Returns: FALSE if the thread has too many open slices */
gboolean ltt_slices_begin(LttSlices *slices, guint64 thread, const LttEventType *begin);

/* Closes the latest slice that @begin opened. Also closes all slices that were opened after it,
 * because their end events are missing. Returns: the number of closed slices; 0 if no slice of this
 * type is open */
guint ltt_slices_end(LttSlices *slices, guint64 thread, const LttEventType *begin);

#endif
