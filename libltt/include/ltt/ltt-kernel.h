/* ltt-kernel.h - record events of the Linux kernel beside those of programs.
 *
 *	recording = ltt_recording_new("trace", &options, &error);
 *	kernel = ltt_kernel_new(recording, &kernel_options, &error);
 *	... start the program, feed the recording ...
 *	ltt_kernel_stop(kernel, &totals);
 *	ltt_recording_finish(recording, ...);
 *	ltt_kernel_free(kernel);
 *
 * The kernel writes its tracepoints to ring buffers of its own, in an instance of tracefs and with
 * the counter of the recording as its clock. A thread of the recorder reads the ring buffers and
 * writes a tracefile for each CPU. Where tracefs cannot be used, perf_event_open(2) provides
 * switches, forks, names and page faults, of all processes or only of the program, as the kernel
 * allows.
 */
#ifndef LTT_KERNEL_H
#define LTT_KERNEL_H

#include <ltt/ltt-recording.h>

G_BEGIN_DECLS

typedef struct LttKernel LttKernel;

/* The tracepoints that are recorded by default. */
#define LTT_DEFAULT_KERNEL_TRACEPOINTS "sched,irq,syscalls"

/* Options of ltt_kernel_new(); 0 for the defaults. */
typedef struct LttKernelOptions {
	const char
		*selection;   /* (nullable): sets (sched, irq, syscalls, faults, block, net), SYSTEM
				  or SYSTEM:NAME, with globs, separated by commas; NULL:
				  LTT_DEFAULT_KERNEL_TRACEPOINTS */
	const char *filter;   /* (nullable): a filter of the kernel, for each tracepoint that has
				  the fields */
	guint64 buffer_bytes; /* of the ring buffer of each CPU; 0: 4 MiB, or 512 KiB without
				  tracefs */
	guint32 pid;          /* the program that is recorded; 0: none */
	gboolean only_program;   /* only this program and its children; threads of others are not
				    named */
	gboolean converts_clock; /* let the kernel use CLOCK_MONOTONIC_RAW and convert its times,
				    even if it has the counter of the recording */
} LttKernelOptions;

/**
 * ltt_kernel_new:
 * @recording: must outlive the kernel
 * @options: (nullable): NULL for the defaults
 *
 * Starts recording.
 *
 * Returns: (transfer full) (nullable): free it with ltt_kernel_free(). NULL with
 *   LTT_ERROR_UNSUPPORTED  this user may use neither tracefs nor perf_event_open(2) for the
 *                          selection, or the layout of pages is unknown; the message says what
 *                          would help
 *   LTT_ERROR_INVALID      a part of the selection matches no tracepoint, or no tracepoint has the
 *                          fields of the filter
 *   LTT_ERROR_IO           a file could not be read or written
 */
LttKernel *ltt_kernel_new(LttRecording *recording, const LttKernelOptions *options, GError **error);

/* Returns: (nullable): why tracefs could not be used, and what is recorded; NULL: it is used, and the
 *   whole selection is recorded */
const char *ltt_kernel_get_limits(const LttKernel *kernel);

/* Totals of ltt_kernel_stop(). */
typedef struct LttKernelTotals {
	guint64 n_events;       /* written */
	guint64 n_lost;         /* events that the ring buffers or the disk had no room for */
	guint64 bytes;          /* of the tracefiles */
	guint64 clock_error_ns; /* largest error of a converted time; 0: the clock of the kernel was
				   the counter of the recording */
} LttKernelTotals;

/**
 * ltt_kernel_stop:
 * @totals: (out)
 *
 * Stops recording, writes what is left in the ring buffers, and removes the instance of tracefs.
 *
 * Returns: FALSE with LTT_ERROR_IO if some events could not be written; @totals counts them
 */
gboolean ltt_kernel_stop(LttKernel *kernel, LttKernelTotals *totals, GError **error);

/* Stops recording if it runs, and frees the kernel. NULL is allowed and ignored. */
void ltt_kernel_free(LttKernel *kernel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttKernel, ltt_kernel_free)

G_END_DECLS

#endif /* LTT_KERNEL_H */
