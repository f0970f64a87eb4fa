/* drain-priv.h - move events from the ring buffers to the tracefiles. */
#ifndef LTT_RECORD_KERNEL_DRAIN_PRIV_H
#define LTT_RECORD_KERNEL_DRAIN_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/drain-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "record/kernel/events-priv.h"
#include "record/kernel/source-priv.h"
#include "tracepoint/ring-priv.h"

/* Pages that a pass reads from one CPU. */
#define LTT_DRAIN_PAGES 64

/* The ring buffer of one CPU and its tracefile. */
typedef struct LttDrainCpu {
	LttKernelFile *file; /* borrowed */
	int ring_fd;
	guint8 *pages; /* LTT_DRAIN_PAGES pages */
	gsize sizes[LTT_DRAIN_PAGES];
	guint n_pages;    /* read by this pass */
	guint64 n_missed; /* events that the pages reported as overwritten */
} LttDrainCpu;

typedef struct LttDrain {
	const LttKernelEvents *events; /* borrowed */
	const LttKernelSource *source; /* borrowed: the files and threads */
	LttRingLayout layout;
	LttDrainCpu *cpus; /* owned */
	guint n_cpus;
	LttCoreState core;
	LttPayload payload;
} LttDrain;

/* The caller sets the layout and the CPUs. */
void ltt_drain_init(LttDrain *drain, const LttKernelEvents *events, const LttKernelSource *source);
void ltt_drain_clear(LttDrain *drain);

/* Reads what the ring buffers contain at present, up to LTT_DRAIN_PAGES of each CPU, and writes it to
 * disk. A thread may have events on other CPUs than the event of its creation, so a pass looks for
 * creations in the pages of all CPUs before it converts events.
 *
 * Returns: the number of pages */
guint64 ltt_drain_pass(LttDrain *drain);

#endif
