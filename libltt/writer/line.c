/* line.c - exact conversion of cycle counts to wall time.
 *
 * The product of a 64-bit count and a 64-bit rate needs 128 bits; with these, one division rounds
 * once. Counts below that of the line are handled as unsigned distances, because the product leaves
 * no bit for a sign.
 */
#include "writer/line-priv.h"

#include "writer/block-writer-priv.h"

typedef unsigned __int128 Wide;

static guint64 saturate(Wide value)
{
	return value > G_MAXUINT64 ? G_MAXUINT64 : (guint64)value;
}

static Wide divide_up(Wide dividend, guint64 divisor)
{
	return dividend / divisor + (dividend % divisor != 0);
}

guint64 ltt_line_time_at(const LttLine *line, guint64 cycles)
{
	if (cycles >= line->cycles)
		return line->time_ns +
		       (guint64)((Wide)(cycles - line->cycles) * line->dt_ns / line->dc_cycles);
	/* The floor of a negative number rounds away from zero. */
	return line->time_ns -
	       (guint64)divide_up((Wide)(line->cycles - cycles) * line->dt_ns, line->dc_cycles);
}

void ltt_line_get_range(const LttLine *line, guint64 *least_cycles, guint64 *most_cycles)
{
	guint64 below = G_MAXUINT64;
	guint64 above = G_MAXUINT64;

	g_assert(line->time_ns <= LTT_MAX_WRITTEN_NS && line->dc_cycles > 0);
	if (line->dt_ns > 0) {
		const guint64 left_ns = LTT_MAX_WRITTEN_NS + 1 - line->time_ns;

		/* above: the largest n with n * dt < left * dc, so that the floor is in range */
		below = saturate((Wide)line->time_ns * line->dc_cycles / line->dt_ns);
		above = saturate(((Wide)left_ns * line->dc_cycles - 1) / line->dt_ns);
	}
	*least_cycles = line->cycles - MIN(below, line->cycles);
	*most_cycles = line->cycles + MIN(above, G_MAXUINT64 - line->cycles);
}

guint64 ltt_line_cycles_in(const LttLine *line, guint64 duration_ns)
{
	if (line->dt_ns == 0)
		return G_MAXUINT64;
	return saturate(divide_up((Wide)duration_ns * line->dc_cycles, line->dt_ns));
}
