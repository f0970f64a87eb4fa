/* files-priv.h - the tracefiles of the kernel, one for each CPU and one for the threads of the machine,
 * and their ends at the cut of a snapshot.
 *
 * A source of events (source-priv.h) reads and writes in passes:
 *
 *	ready = ltt_kernel_files_begin(files)
 *	reads the events that its ring buffers contain now
 *	ltt_kernel_files_take_cut(files)
 *	writes these events, and sets is_drained of each file
 *	ltt_kernel_files_end(files, ready)
 *
 * session/kernel-cut.h explains the order.
 */
#ifndef LTT_RECORD_KERNEL_FILES_PRIV_H
#define LTT_RECORD_KERNEL_FILES_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/files-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "record/kernel/cpu-file-priv.h"

#include <ltt/ltt-kernel.h>

typedef struct LttKernelFile {
	LttCpuFile file;
	guint cpu;
	gboolean is_drained; /* the last pass has read all events of the ring buffer */
	gboolean has_cut;    /* all events before cut_cycles are in the file */
} LttKernelFile;

typedef struct LttKernelFiles {
	struct lttp_session *session; /* borrowed */
	LttPast past;
	LttKernelFile *files; /* of CPUs, and LTTP_KERNEL_THREADS as the first one */
	guint n_files;
	guint64 begin_cycles; /* when the present pass began */
	guint64 cut_cycles;   /* the announced cut of a snapshot; 0: none */
	GError *error;        /* of the first failure; recording continues */
} LttKernelFiles;

/* Creates the file of the threads. Returns: FALSE, with nothing to clear, with LTT_ERROR_IO, or
 * LTT_ERROR_CORRUPT if the clock map of the session is damaged */
gboolean ltt_kernel_files_init(LttKernelFiles *files, struct lttp_session *session, GError **error);
void ltt_kernel_files_clear(LttKernelFiles *files);

/* Returns: (transfer none): the file of the threads */
LttCpuFile *ltt_kernel_files_get_threads(LttKernelFiles *files);

/* Creates the tracefile of a CPU. Returns: (nullable): NULL with LTT_ERROR_IO */
LttKernelFile *ltt_kernel_files_add(LttKernelFiles *files, guint cpu, GError **error);

/* Begins to take part in snapshots. */
void ltt_kernel_files_start(LttKernelFiles *files);

/* Steps of a pass. */
guint64 ltt_kernel_files_begin(LttKernelFiles *files);
void ltt_kernel_files_take_cut(LttKernelFiles *files);
void ltt_kernel_files_end(LttKernelFiles *files, guint64 ready_cycles);

/* Returns: the time up to which all files have all their events, when those of a pass are written */
guint64 ltt_kernel_files_get_horizon(const LttKernelFiles *files);

/* Keeps the first error. @error: (transfer full) */
void ltt_kernel_files_note(LttKernelFiles *files, GError *error);

/* Completes the files, if that was not done before. @totals: to which theirs are added */
void ltt_kernel_files_close(LttKernelFiles *files, LttKernelTotals *totals);

#endif
