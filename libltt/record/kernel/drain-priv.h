/* drain-priv.h - move events from the ring buffers to the tracefiles. */
#ifndef LTT_RECORD_KERNEL_DRAIN_PRIV_H
#define LTT_RECORD_KERNEL_DRAIN_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/drain-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "record/kernel/cpu-file-priv.h"
#include "record/kernel/events-priv.h"
#include "record/kernel/threads-priv.h"
#include "tracepoint/ring-priv.h"

/* The ring buffer of one CPU and its tracefile. */
typedef struct LttDrainCpu {
	LttCpuFile file;
	int ring_fd;
	guint64 n_missed; /* events that the pages reported as overwritten */
} LttDrainCpu;

typedef struct LttDrain {
	const LttKernelEvents *events; /* borrowed */
	LttKernelThreads *threads;     /* borrowed */
	LttRingLayout layout;
	LttPast past;
	LttDrainCpu *cpus;
	guint n_cpus;
	guint8 *page;
	LttCoreState core;
	LttPayload payload;
	GError *error; /* of the first failure; draining continues */
} LttDrain;

/* Reads all that the ring buffers contain at present, and writes it to disk.
 * Returns: the number of pages */
guint64 ltt_drain_pass(LttDrain *drain);

#endif
