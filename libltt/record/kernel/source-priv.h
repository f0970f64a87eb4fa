/* source-priv.h - where events of the kernel come from: tracefs, or perf_event_open(2). */
#ifndef LTT_RECORD_KERNEL_SOURCE_PRIV_H
#define LTT_RECORD_KERNEL_SOURCE_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/source-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "record/kernel/files-priv.h"
#include "record/kernel/raw-clock-priv.h"
#include "record/kernel/threads-priv.h"

#include <poll.h>

typedef struct LttKernelSource LttKernelSource;

typedef struct LttKernelSourceType {
	/* Begins to record. Returns: FALSE with LTT_ERROR_IO */
	gboolean (*start)(LttKernelSource *source, GError **error);
	/* Writes the events that the ring buffers contain now. Returns: their size in any unit; 0:
	 * there are none */
	guint64 (*pass)(LttKernelSource *source);
	/* Stops recording. Returns: FALSE: later events may be recorded; the error is noted */
	gboolean (*stop)(LttKernelSource *source);
	/* Counts losses that no pass has seen. Called once, after the last pass. */
	void (*count)(LttKernelSource *source);
	void (*free)(LttKernelSource *source);
} LttKernelSourceType;

/* The first member of each source. */
struct LttKernelSource {
	const LttKernelSourceType *type;
	LttKernelFiles *files;     /* borrowed */
	LttKernelThreads *threads; /* borrowed */
	LttRawClock *clock;   /* (nullable): converts the times of events; owned by the source */
	struct pollfd *polls; /* owned: become readable when much is there */
	guint n_polls;
};

/* @files and @threads outlive the source. Return: (nullable): NULL with an error of ltt_kernel_new() */
LttKernelSource *ltt_tracefs_source_new(LttKernelFiles *files, LttKernelThreads *threads,
					const LttKernelOptions *options, GError **error);
LttKernelSource *ltt_software_source_new(LttKernelFiles *files, LttKernelThreads *threads,
					 const LttKernelOptions *options, GError **error);

/* Returns: (transfer none): what a source of ltt_software_source_new() records, in a sentence */
const char *ltt_software_source_describe(LttKernelSource *base);

#endif
