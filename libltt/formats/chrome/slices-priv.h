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
 * @begin: (out): type of the begin event: @type, or the type that it ends; NULL: none
 * @name: (out) (transfer full): common part of the names of both; NULL if @type is neither
 *
 * Two events of a facility are a pair if their names differ in one word only, which is "entry" or
 * "enter" and "exit", "begin" and "end", "start" and "end" or "stop".
 */
LttSliceRole ltt_slice_find(const LttEventType *type, const LttEventType **begin, char **name);

/* The open slices of each thread. */
typedef struct LttSlices LttSlices;

LttSlices *ltt_slices_new(void);
void ltt_slices_free(LttSlices *slices); /* NULL is allowed and ignored */

/* Opens a slice. Returns: FALSE if the thread has too many open slices */
gboolean ltt_slices_begin(LttSlices *slices, guint64 thread, const LttEventType *begin);

/* Closes the latest slice that @begin opened, and all slices that were opened after it: their end
 * events are missing. Returns: number of closed slices; 0 if no slice of this type is open */
guint ltt_slices_end(LttSlices *slices, guint64 thread, const LttEventType *begin);

#endif
