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

/* Pages that a pass reads from one CPU. */
#define LTT_DRAIN_PAGES 64

/* The ring buffer of one CPU and its tracefile. */
typedef struct LttDrainCpu {
	LttCpuFile file;
	guint number; /* of the CPU */
	int ring_fd;
	guint8 *pages; /* LTT_DRAIN_PAGES pages */
	gsize sizes[LTT_DRAIN_PAGES];
	guint n_pages;    /* read by this pass */
	guint64 n_missed; /* events that the pages reported as overwritten */
	gboolean has_cut; /* all events before drain->cut_cycles were read */
} LttDrainCpu;

typedef struct LttDrain {
	const LttKernelEvents *events; /* borrowed */
	LttKernelThreads *threads;     /* borrowed */
	LttRingLayout layout;
	LttPast past;
	LttDrainCpu *cpus;
	guint n_cpus;
	LttCoreState core;
	LttPayload payload;
	guint64 cut_cycles; /* the announced cut of a snapshot; 0: none */
	GError *error;      /* of the first failure; draining continues */
} LttDrain;

/* Reads what the ring buffers contain at present, up to LTT_DRAIN_PAGES of each CPU, and writes it to
 * disk. A thread may have events on other CPUs than the event of its creation, so a pass looks for
 * creations in the pages of all CPUs before it converts events.
 *
 * Stores the ends of the files for the cut of a snapshot (session/kernel-cut.h).
 *
 * Returns: the number of pages */
guint64 ltt_drain_pass(LttDrain *drain, struct lttp_session *session);

/* Stores the ends of the files for a cut: @done_cycles, LTTP_KERNEL_ENDED, or 0: before the first. */
void ltt_drain_store_places(LttDrain *drain, struct lttp_session *session, guint64 done_cycles);

#endif
