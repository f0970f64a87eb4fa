/* async-priv.h - rows for asynchronous spans, which may overlap.
 *
 *	row 0  [== 7 ==]   [==== 10 ====]
 *	row 1     [=== 8 ===]
 *	row 2        [= 9 =]
 *
 * A span is put in the first row that is free when it begins. Spans that find all rows taken share the
 * last one.
 */
#ifndef LTT_VIEW_ASYNC_PRIV_H
#define LTT_VIEW_ASYNC_PRIV_H

#ifndef LTT_BUILDING
#error "view/async-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/window-priv.h"

/* Sets the depths of the rectangles of asynchronous spans. The lock of the map is held. */
void ltt_view_stack_async(const LttViewMap *map, LttViewPicture *picture);

#endif
