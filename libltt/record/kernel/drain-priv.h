/* drain-priv.h - move events from the ring buffers to the tracefiles. */
#ifndef LTT_RECORD_KERNEL_DRAIN_PRIV_H
#define LTT_RECORD_KERNEL_DRAIN_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/drain-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "record/kernel/event-writer-priv.h"
#include "record/kernel/source-priv.h"
#include "tracepoint/ring-priv.h"

/* Pages that a pass reads from one CPU. */
#define LTT_DRAIN_PAGES 64

/* Room for the pages of a pass, and for those that it reads ahead for the next pass. */
#define LTT_DRAIN_SLOTS (2 * LTT_DRAIN_PAGES)

/* The ring buffer of one CPU and its tracefile. */
typedef struct LttDrainCpu {
	LttKernelFile *file; /* borrowed */
	int ring_fd;
	guint8 *pages; /* LTT_DRAIN_SLOTS pages */
	gsize sizes[LTT_DRAIN_SLOTS];
	guint n_pages;    /* of this pass */
	guint n_scanned;  /* of these, in which the pass before has noted creations of threads */
	guint n_ahead;    /* of the next pass, after these */
	guint64 n_missed; /* events that the pages reported as overwritten */
} LttDrainCpu;

typedef struct LttDrain {
	const LttKernelEvents *events; /* borrowed */
	const LttKernelSource *source; /* borrowed: the files and threads */
	LttRingLayout layout;
	LttDrainCpu *cpus; /* owned */
	guint n_cpus;
	gboolean is_ahead; /* this pass has read ahead */
	LttEventWriter writer;
} LttDrain;

/* The caller sets the layout and the CPUs. */
void ltt_drain_init(LttDrain *drain, const LttKernelEvents *events, const LttKernelSource *source);
void ltt_drain_clear(LttDrain *drain);

/* Reads what the ring buffers contain at present, up to LTT_DRAIN_PAGES of each CPU, and writes it to
 * disk. A thread may have events on other CPUs than the event of its creation, so a pass looks for
 * creations in the pages of all CPUs before it converts events. If the process of a thread is unknown
 * all the same, the creation came after the pages of its CPU were read: the pass reads ahead then.
 *
 * Returns: the number of pages */
guint64 ltt_drain_pass(LttDrain *drain);

#endif
