/* ltt-conversions.h - how the times of a merged trace were converted from the clocks of its machines.
 *
 * A trace that was joined by maps of clocks (ltt-join.h, ltt-sync.h), on the fly or by writing it, keeps
 * these maps and the bounds of their errors in the attribute clock_conversions of its system
 * (doc/format.md, 9.1).
 *
 *	g_autoptr(GPtrArray) conversions = ltt_trace_read_conversions(trace);
 *
 * If a merged trace is merged again, the conversions of both merges are listed. The error of a time that was
 * converted several times is at most the sum of the bounds.
 */
#ifndef LTT_CONVERSIONS_H
#define LTT_CONVERSIONS_H

#include <ltt/ltt-clock-map.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

/* The conversion of the times of one trace. */
typedef struct LttConversion {
	guint first_cpu; /* number of its first cpu file in the merged trace */
	char *host;      /* node_name of its machine; "": unknown */
	LttClockMap
		*map; /* from its clock to that of the merged trace, with the bound of the error */
} LttConversion;

/* Returns: (transfer full) (element-type LttConversion): the conversions in the order in which they were
 *   applied; invalid ones are left out */
GPtrArray *ltt_trace_read_conversions(const LttTrace *trace);

/* Returns: what is added to times at the first point of the map */
gint64 ltt_conversion_get_offset_ns(const LttConversion *conversion);

G_END_DECLS

#endif /* LTT_CONVERSIONS_H */
