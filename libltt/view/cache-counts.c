/* cache-counts.c - the counts of a map as bytes (cache-priv.h). Types and reasons of losses are left out: no
 * answer needs them. */
#include "view/cache-priv.h"

/* ---- packing ---- */

static void pack_count(GByteArray *out, const LttStatCount *count)
{
	ltt_serial_put_u64(out, count->n_events);
	ltt_serial_put_u64(out, count->n_bytes);
	ltt_serial_put_u64(out, count->first_ns);
	ltt_serial_put_u64(out, count->last_ns);
}

void ltt_view_stat_pack(const LttStatSummary *stat, GByteArray *out)
{
	pack_count(out, &stat->total);
	pack_count(out, &stat->no_process);
	ltt_serial_put_u64(out, stat->n_lost);
	ltt_serial_put_u32(out, stat->n_tracefiles);
	for (guint i = 0; i < stat->n_tracefiles; i++) {
		pack_count(out, &stat->tracefiles[i].count);
		ltt_serial_put_u64(out, stat->tracefiles[i].n_lost);
	}
	ltt_serial_put_u32(out, stat->n_processes);
	for (guint i = 0; i < stat->n_processes; i++) {
		pack_count(out, &stat->processes[i].count);
		ltt_serial_put_text(out, stat->processes[i].count.name);
		ltt_serial_put_u32(out, stat->processes[i].host);
		ltt_serial_put_u32(out, stat->processes[i].pid);
	}
	ltt_serial_put_u32(out, stat->n_threads);
	for (guint i = 0; i < stat->n_threads; i++) {
		pack_count(out, &stat->threads[i].count);
		ltt_serial_put_text(out, stat->threads[i].count.name);
		ltt_serial_put_u32(out, stat->threads[i].host);
		ltt_serial_put_u32(out, stat->threads[i].pid);
		ltt_serial_put_u32(out, stat->threads[i].tid);
	}
	ltt_serial_put_u32(out, stat->n_windows);
	for (guint i = 0; i < stat->n_windows; i++) {
		ltt_serial_put_u64(out, stat->windows[i].start_ns);
		pack_count(out, &stat->windows[i].count);
	}
}

/* ---- unpacking ---- */

static void take_count(LttSerial *in, LttStatCount *count)
{
	count->n_events = ltt_serial_take_u64(in);
	count->n_bytes = ltt_serial_take_u64(in);
	count->first_ns = ltt_serial_take_u64(in);
	count->last_ns = ltt_serial_take_u64(in);
}

#define COUNT_BYTES 32

static void take_tracefiles(LttSerial *in, LttTrace *trace, LttStatSummary *stat)
{
	const guint n = ltt_serial_take_n(in, COUNT_BYTES);

	ltt_serial_expect(in, n == ltt_trace_get_n_tracefiles(trace));
	if (in->is_bad)
		return;
	stat->n_tracefiles = n;
	stat->tracefiles = g_new0(LttStatTracefile, n);
	for (guint i = 0; i < n; i++) {
		const LttTracefile *file = ltt_trace_get_tracefile(trace, i);
		LttStatTracefile *result = &stat->tracefiles[i];

		take_count(in, &result->count);
		result->count.name = ltt_tracefile_get_name(file);
		result->label = ltt_tracefile_get_label(file);
		result->host = ltt_tracefile_get_host(file);
		result->n_lost = ltt_serial_take_u64(in);
	}
}

static void take_threads(LttSerial *in, LttTrace *trace, LttStatSummary *stat)
{
	const guint n_hosts = ltt_trace_get_n_hosts(trace);

	stat->n_processes = ltt_serial_take_n(in, COUNT_BYTES);
	stat->processes = g_new0(LttStatProcess, stat->n_processes);
	for (guint i = 0; i < stat->n_processes; i++) {
		take_count(in, &stat->processes[i].count);
		stat->processes[i].count.name = ltt_serial_take_text(in);
		stat->processes[i].host = ltt_serial_take_below(in, n_hosts);
		stat->processes[i].pid = ltt_serial_take_u32(in);
	}
	stat->n_threads = ltt_serial_take_n(in, COUNT_BYTES);
	stat->threads = g_new0(LttStatThread, stat->n_threads);
	for (guint i = 0; i < stat->n_threads; i++) {
		take_count(in, &stat->threads[i].count);
		stat->threads[i].count.name = ltt_serial_take_text(in);
		stat->threads[i].host = ltt_serial_take_below(in, n_hosts);
		stat->threads[i].pid = ltt_serial_take_u32(in);
		stat->threads[i].tid = ltt_serial_take_u32(in);
	}
}

void ltt_view_stat_unpack(LttStatSummary *stat, LttTrace *trace, LttSerial *in)
{
	take_count(in, &stat->total);
	take_count(in, &stat->no_process);
	stat->n_lost = ltt_serial_take_u64(in);
	take_tracefiles(in, trace, stat);
	take_threads(in, trace, stat);
	stat->n_windows = ltt_serial_take_n(in, COUNT_BYTES);
	stat->windows = g_new0(LttStatWindow, stat->n_windows);
	for (guint i = 0; i < stat->n_windows; i++) {
		stat->windows[i].start_ns = ltt_serial_take_u64(in);
		take_count(in, &stat->windows[i].count);
		ltt_serial_expect(in, i == 0 || stat->windows[i - 1].start_ns <
							stat->windows[i].start_ns);
	}
}
