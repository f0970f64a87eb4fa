/* line-priv.h - the straight line from cycle counts to wall time, exactly (doc/format.md, 6). */
#ifndef LTT_LINE_PRIV_H
#define LTT_LINE_PRIV_H

#ifndef LTT_BUILDING
#error "line-priv.h is private to libltt; use <ltt/ltt-writer.h>"
#endif

#include <ltt/ltt-writer.h>

/* Returns: line.time_ns + floor((cycles - line.cycles) * dt / dc). @cycles is within the range. */
guint64 ltt_line_time_at(const LttLine *line, guint64 cycles);

/* The range of cycle counts whose times are not below 0 and not above LTT_MAX_WRITTEN_NS.
 * line.time_ns must not be either, so the range has line.cycles in it. */
void ltt_line_get_range(const LttLine *line, guint64 *least_cycles, guint64 *most_cycles);

/* Returns: the least number of cycles that take @duration_ns or more; G_MAXUINT64 if there is no
 * such number of 64 bits, or time stands still */
guint64 ltt_line_cycles_in(const LttLine *line, guint64 duration_ns);

#endif
