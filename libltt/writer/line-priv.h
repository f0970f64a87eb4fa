/* line-priv.h - exact conversion of cycle counts to wall time (doc/format.md, 6). */
#ifndef LTT_LINE_PRIV_H
#define LTT_LINE_PRIV_H

#ifndef LTT_BUILDING
#error "line-priv.h is private to libltt; use <ltt/ltt-writer.h>"
#endif

#include <ltt/ltt-writer.h>

/* Returns: line.time_ns + floor((cycles - line.cycles) * dt / dc). @cycles is within the range. */
guint64 ltt_line_time_at(const LttLine *line, guint64 cycles);

/* Gets the range of cycle counts whose times are within 0 ... LTT_MAX_WRITTEN_NS. line.time_ns must
 * be, so the range contains line.cycles. */
void ltt_line_get_range(const LttLine *line, guint64 *least_cycles, guint64 *most_cycles);

/* Returns: the minimum number of cycles that take @duration_ns or more; G_MAXUINT64 if that exceeds
 *   64 bits, or if dt_ns is 0 */
guint64 ltt_line_cycles_in(const LttLine *line, guint64 duration_ns);

#endif
