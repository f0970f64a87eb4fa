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
 * writes a tracefile for each CPU.
 */
#ifndef LTT_KERNEL_H
#define LTT_KERNEL_H

#include <ltt/ltt-recording.h>

G_BEGIN_DECLS

typedef struct LttKernel LttKernel;

/* The tracepoints that are recorded by default. */
#define LTT_KERNEL_DEFAULT "sched,irq,syscalls"

/* Options of ltt_kernel_new(); 0 for the defaults. */
typedef struct LttKernelOptions {
	const char
		*selection;   /* (nullable): sets (sched, irq, syscalls, faults, block, net), SYSTEM
				  or SYSTEM:NAME, with globs, separated by commas; NULL:
				  LTT_KERNEL_DEFAULT */
	const char *filter;   /* (nullable): a filter of the kernel, for each tracepoint that has
				  the fields */
	guint64 buffer_bytes; /* of the ring buffer of each CPU; 0: 4 MiB */
	guint32 pid;          /* only this process and its children; 0: all */
} LttKernelOptions;

/**
 * ltt_kernel_new:
 * @recording: must outlive the kernel
 * @options: (nullable): NULL for the defaults
 *
 * Starts recording.
 *
 * Returns: (transfer full) (nullable): free it with ltt_kernel_free(). NULL with
 *   LTT_ERROR_UNSUPPORTED  there is no tracefs, this user may not use it, or its clock or page
 *                          layout is unknown; the message says what would help
 *   LTT_ERROR_INVALID      a part of the selection matches no tracepoint, or no tracepoint has the
 *                          fields of the filter
 *   LTT_ERROR_IO           a file could not be read or written
 */
LttKernel *ltt_kernel_new(LttRecording *recording, const LttKernelOptions *options, GError **error);

/* Totals of ltt_kernel_stop(). */
typedef struct LttKernelTotals {
	guint64 n_events; /* written */
	guint64 n_lost;   /* events that the ring buffers or the disk had no room for */
	guint64 bytes;    /* of the tracefiles */
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
