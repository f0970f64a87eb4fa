/* earlier.c - see earlier-priv.h.
 *
 * An entry of the attribute names the first CPU of a trace, but not the last one. Conversions are in
 * the order of the merges, and within a merge in that of the CPUs, so the trace ends before the next
 * higher CPU that a later entry names. Numbers of lanes and names of control files do not show their
 * trace: all conversions count for these.
 */
#include "sync/earlier-priv.h"

#include <ltt/ltt-conversions.h>
#include <ltt/ltt-time.h>

/* A later conversion changes a bound by the difference of the rates of two clocks, which is less than
 * this part of it. */
#define RATE_PART 256

static const LttConversion *get_conversion(const GPtrArray *conversions, guint index)
{
	return conversions->pdata[index];
}

/* Returns: the number of the CPU after those of an entry */
static guint find_end(const GPtrArray *conversions, guint index)
{
	const guint first_cpu = get_conversion(conversions, index)->first_cpu;
	guint end = G_MAXUINT;

	for (guint i = index + 1; i < conversions->len; i++) {
		const guint other = get_conversion(conversions, i)->first_cpu;

		if (other > first_cpu)
			end = MIN(end, other);
	}
	return end;
}

static gboolean may_convert(const GPtrArray *conversions, guint index,
			    const LttTracefile *tracefile)
{
	const gint cpu = ltt_tracefile_get_cpu(tracefile);

	return cpu < 0 || ((guint)cpu >= get_conversion(conversions, index)->first_cpu &&
			   (guint)cpu < find_end(conversions, index));
}

/* Conversions without a bound, such as those by maps of the user, are taken as exact. */
static guint64 get_error(const GPtrArray *conversions, const LttTracefile *tracefile)
{
	guint64 error_ns = 0;

	for (guint i = 0; i < conversions->len; i++) {
		const guint64 bound_ns =
			ltt_clock_map_get_bound(get_conversion(conversions, i)->map);

		if (bound_ns == LTT_CLOCK_NO_BOUND || !may_convert(conversions, i, tracefile))
			continue;
		error_ns = MIN(error_ns + bound_ns + bound_ns / RATE_PART, LTT_MAX_TIME_NS);
	}
	return error_ns;
}

guint64 *ltt_sync_list_errors(const LttTrace *trace)
{
	g_autoptr(GPtrArray) conversions = ltt_trace_read_conversions(trace);
	const guint n_tracefiles = ltt_trace_get_n_tracefiles(trace);
	guint64 *errors_ns;

	if (conversions->len == 0)
		return NULL;
	errors_ns = g_new(guint64, n_tracefiles);
	for (guint i = 0; i < n_tracefiles; i++)
		errors_ns[i] = get_error(conversions, ltt_trace_get_tracefile(trace, i));
	return errors_ns;
}

guint64 ltt_sync_get_greatest_error(const LttTrace *trace)
{
	g_autofree guint64 *errors_ns = ltt_sync_list_errors(trace);
	guint64 greatest_ns = 0;

	for (guint i = 0; errors_ns != NULL && i < ltt_trace_get_n_tracefiles(trace); i++)
		greatest_ns = MAX(greatest_ns, errors_ns[i]);
	return greatest_ns;
}
