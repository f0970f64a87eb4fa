/* files.c - the tracefiles of the kernel. See files-priv.h. */
#include "record/kernel/files-priv.h"

#include "base/error-priv.h"
#include "session/atomic.h"
#include "session/kernel-cut.h"

static LttKernelFile *add(LttKernelFiles *files, guint index, guint n_slots, GError **error)
{
	LttKernelFile *added = &files->files[files->n_files];
	const struct lttp_kernel_name name = lttp_kernel_cut_name(files->session->head, index);
	const int result =
		ltt_cpu_file_open(&added->file, files->session, name.text, n_slots, &files->past);

	if (result != 0) {
		ltt_fail_io(error, files->session->directory, "create a tracefile", -result);
		return NULL;
	}
	added->cpu = index;
	files->n_files++;
	return added;
}

gboolean ltt_kernel_files_init(LttKernelFiles *files, struct lttp_session *session, GError **error)
{
	LttKernelFile *threads;

	*files = (LttKernelFiles){.session = session};
	if (!ltt_past_init(&files->past, session->head))
		return ltt_fail(error, LTT_ERROR_CORRUPT,
				"the clock map of the session is damaged");
	files->files = g_new0(LttKernelFile, session->head->cpus + 1);
	threads = add(files, session->head->cpus, 0, error);
	if (threads == NULL) {
		ltt_kernel_files_clear(files);
		return FALSE;
	}
	threads->is_drained = TRUE;
	return TRUE;
}

void ltt_kernel_files_clear(LttKernelFiles *files)
{
	if (files->session == NULL)
		return;
	ltt_past_clear(&files->past);
	g_clear_pointer(&files->files, g_free);
	g_clear_error(&files->error);
	files->session = NULL;
}

LttCpuFile *ltt_kernel_files_get_threads(LttKernelFiles *files)
{
	return &files->files[0].file;
}

LttKernelFile *ltt_kernel_files_add(LttKernelFiles *files, guint cpu, GError **error)
{
	/* A flight recorder has two halves. */
	return add(files, cpu, (guint)(2 * files->session->head->flight_blocks), error);
}

void ltt_kernel_files_note(LttKernelFiles *files, GError *error)
{
	if (files->error == NULL)
		files->error = error;
	else
		g_error_free(error);
}

/* ---- cuts of snapshots ---- */

/* Stores the ends of the files for a cut, or of closed files, which are complete. */
static void store_places(LttKernelFiles *files, guint64 done_cycles)
{
	lttp_fence();
	for (guint i = 0; i < files->n_files; i++) {
		const LttCpuFile *file = &files->files[i].file;
		/* If no event has passed the cut, it is at the end. */
		const gboolean is_passed =
			files->cut_cycles != 0 && file->cut_cycles == G_MAXUINT64;
		const struct lttp_place place =
			is_passed ? file->cut_place : ltt_cpu_file_get_place(file);
		struct lttp_place *shared =
			&files->session->files[files->files[i].cpu].kernel_place;

		lttp_store(&shared->current, place.current);
		lttp_store(&shared->word, place.word);
	}
	lttp_store(&files->session->head->kernel_done_cycles, done_cycles);
}

void ltt_kernel_files_take_cut(LttKernelFiles *files)
{
	const guint64 cycles = lttp_load(&files->session->head->kernel_cut_cycles);

	if (cycles == files->cut_cycles)
		return;
	files->cut_cycles = cycles;
	for (guint i = 0; i < files->n_files; i++) {
		files->files[i].has_cut = FALSE;
		files->files[i].file.cut_cycles = cycles != 0 ? cycles : G_MAXUINT64;
	}
}

/* Called after a pass that began when all events before the cut were in the ring buffers. */
static void finish_cut(LttKernelFiles *files)
{
	gboolean is_complete = TRUE;

	for (guint i = 0; i < files->n_files; i++) {
		LttKernelFile *file = &files->files[i];

		if (file->is_drained || file->file.cut_cycles == G_MAXUINT64)
			file->has_cut = TRUE;
		is_complete = is_complete && file->has_cut;
	}
	if (is_complete)
		store_places(files, files->cut_cycles);
}

void ltt_kernel_files_start(LttKernelFiles *files)
{
	for (guint i = 0; i < lttp_kernel_cut_count(files->session->head); i++)
		files->session->files[i].kernel_place.current = LTTP_NO_BLOCK;
	lttp_store(&files->session->head->kernel_files, 1);
}

/* ---- passes ---- */

guint64 ltt_kernel_files_begin(LttKernelFiles *files)
{
	if (!ltt_past_update(&files->past) && files->error == NULL)
		ltt_fail(&files->error, LTT_ERROR_CORRUPT,
			 "the clock map of the session is damaged");
	files->begin_cycles = lttp_clock_read(files->session->head);
	return lttp_load(&files->session->head->kernel_ready_cycles);
}

guint64 ltt_kernel_files_get_horizon(const LttKernelFiles *files)
{
	guint64 cycles = files->begin_cycles;

	for (guint i = 0; i < files->n_files; i++)
		if (!files->files[i].is_drained)
			cycles = MIN(cycles, files->files[i].file.last_cycles);
	return cycles;
}

void ltt_kernel_files_end(LttKernelFiles *files, guint64 ready_cycles)
{
	for (guint i = 0; i < files->n_files; i++) {
		LttCpuFile *file = &files->files[i].file;
		int errnum = ltt_cpu_file_flush(file);

		if (errnum == 0)
			errnum = file->errnum;
		if (errnum != 0 && files->error == NULL)
			ltt_fail_io(&files->error, "events of the kernel", "write", errnum);
	}
	if (files->cut_cycles != 0 && files->cut_cycles == ready_cycles &&
	    lttp_load(&files->session->head->kernel_done_cycles) != ready_cycles)
		finish_cut(files);
}

/* ---- end ---- */

void ltt_kernel_files_close(LttKernelFiles *files, LttKernelTotals *totals)
{
	for (guint i = 0; i < files->n_files; i++) {
		LttCpuFile *file = &files->files[i].file;
		const int errnum = ltt_cpu_file_close(file);
		guint32 n_blocks = file->n_blocks;

		if (errnum != 0 && files->error == NULL)
			ltt_fail_io(&files->error, "events of the kernel", "write", errnum);
		if (file->n_slots > 0)
			n_blocks = MIN(n_blocks, file->n_slots);
		if (files->files[i].cpu < files->session->head->cpus)
			totals->n_events += file->n_written;
		totals->n_lost += file->n_lost;
		/* The last block had no room for the total, and the disk none for another block. */
		if (file->n_lost > file->n_reported)
			lttp_add(&files->session->head->lost, file->n_lost - file->n_reported);
		totals->bytes += (guint64)n_blocks * files->session->head->block_bytes;
	}
	if (files->n_files == 0)
		return;
	/* A snapshot that has copied the places of an earlier cut notices that they change. */
	lttp_store(&files->session->head->kernel_done_cycles, 0);
	store_places(files, LTTP_KERNEL_ENDED);
	files->n_files = 0;
}
