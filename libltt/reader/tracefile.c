/* tracefile.c - a tracefile as bytes. */
#include "reader/tracefile-priv.h"

#include "base/error-priv.h"
#include "reader/trace-priv.h"

#include <errno.h>
#include <string.h>

/* Finds out whether a cpu file is a lane or contains events of the kernel (ltt-system.h). */
static void classify(LttTracefile *tracefile, const LttSystem *system)
{
	const gint n_cpus = (gint)ltt_system_get_n_cpus(system);
	const gint first_kernel = n_cpus - (gint)ltt_system_get_n_kernel_files(system);
	const gint first_lane = first_kernel - (gint)ltt_system_get_n_lanes(system);
	const gint cpu = tracefile->cpu;

	tracefile->is_lane = cpu >= first_lane && cpu < first_kernel;
	tracefile->kernel_cpu = cpu >= first_kernel && cpu < n_cpus ? cpu - first_kernel : -1;
	if (tracefile->is_lane)
		tracefile->label = g_strdup_printf("lane/%d", cpu - first_lane);
	else if (tracefile->kernel_cpu >= 0)
		tracefile->label = g_strdup_printf("kernel/%d", tracefile->kernel_cpu);
	else
		tracefile->label = g_strdup(tracefile->name);
}

LttTracefile *ltt_tracefile_new(LttTrace *trace, const char *name, gint cpu, gboolean keep_open,
				GError **error)
{
	LttTracefile *tracefile = g_new0(LttTracefile, 1);
	g_autoptr(GError) reason = NULL;

	tracefile->trace = trace;
	tracefile->name = g_strdup(name);
	tracefile->stored_name = g_strdup(name);
	tracefile->cpu = cpu;
	classify(tracefile, trace->system);
	tracefile->block_bytes = ltt_system_get_block_bytes(trace->system);
	g_rec_mutex_init(&tracefile->lock);
	if (!ltt_store_open(trace->store, name, &tracefile->file, &reason)) {
		ltt_fail_at(error, LTT_ERROR_IO, name, LTT_NOWHERE, LTT_NOWHERE, "%s",
			    reason->message);
		ltt_tracefile_free(tracefile);
		return NULL;
	}
	tracefile->size_bytes = tracefile->file.size_bytes;
	tracefile->n_blocks = tracefile->size_bytes / tracefile->block_bytes;
	if (!keep_open)
		ltt_stored_file_close(&tracefile->file);
	return tracefile;
}

void ltt_tracefile_free(LttTracefile *tracefile)
{
	if (tracefile == NULL)
		return;
	ltt_stored_file_close(&tracefile->file);
	g_clear_pointer(&tracefile->order.places, g_array_unref);
	g_clear_pointer(&tracefile->order.open, g_array_unref);
	g_clear_pointer(&tracefile->local_loads, g_array_unref);
	ltt_slots_free(tracefile->local_slots);
	g_rec_mutex_clear(&tracefile->lock);
	g_free(tracefile->name);
	g_free(tracefile->label);
	g_free(tracefile->stored_name);
	g_free(tracefile);
}

static void forget_order(LttTracefile *tracefile)
{
	g_clear_pointer(&tracefile->order.places, g_array_unref);
	g_clear_pointer(&tracefile->order.open, g_array_unref);
	tracefile->order = (LttOrder){.depth = LTT_ORDER_UNKNOWN};
	tracefile->rate_position = 0;
}

void ltt_tracefile_forget(LttTracefile *tracefile)
{
	forget_order(tracefile);
	tracefile->summary = (LttTracefileSummary){0};
	tracefile->has_summary = FALSE;
}

static void set_size(LttTracefile *tracefile, guint64 size_bytes)
{
	tracefile->size_bytes = size_bytes;
	tracefile->n_blocks = size_bytes / tracefile->block_bytes;
	if (tracefile->file.fd >= 0)
		tracefile->file.size_bytes = size_bytes;
}

/* Returns: FALSE if the file cannot be opened */
static gboolean find_size(const LttTracefile *tracefile, guint64 *size_bytes)
{
	LttStoredFile file = tracefile->file;

	if (file.fd < 0 &&
	    !ltt_store_open(tracefile->trace->store, tracefile->stored_name, &file, NULL))
		return FALSE;
	ltt_stored_file_measure(&file);
	*size_bytes = file.size_bytes;
	if (file.fd != tracefile->file.fd)
		ltt_stored_file_close(&file);
	return TRUE;
}

void ltt_tracefile_measure(LttTracefile *tracefile)
{
	guint64 size_bytes;

	if (!find_size(tracefile, &size_bytes))
		return;
	set_size(tracefile, size_bytes);
	ltt_tracefile_forget(tracefile);
}

gboolean ltt_tracefile_measure_trimmed(LttTracefile *tracefile)
{
	const LttTrace *trace = tracefile->trace;
	guint64 size_bytes = 0;

	if (!trace->is_live ||
	    (!find_size(tracefile, &size_bytes) &&
	     ltt_store_look(trace->store, tracefile->stored_name) != LTT_STORED_NOTHING))
		return FALSE;
	if (size_bytes / tracefile->block_bytes >= tracefile->n_blocks ||
	    size_bytes % tracefile->block_bytes != 0)
		return FALSE;
	set_size(tracefile, size_bytes);
	return TRUE;
}

void ltt_tracefile_set_order(LttTracefile *tracefile, guint64 n_blocks, guint64 rotation)
{
	forget_order(tracefile);
	tracefile->order = (LttOrder){
		.depth = LTT_ORDER_THOROUGH, .n_blocks = MAX(n_blocks, 1), .rotation = rotation};
}

const char *ltt_tracefile_get_name(const LttTracefile *tracefile)
{
	return tracefile->name;
}

guint ltt_tracefile_get_index(const LttTracefile *tracefile)
{
	return tracefile->index;
}

gint ltt_tracefile_get_cpu(const LttTracefile *tracefile)
{
	if (tracefile->kernel_cpu >= 0)
		return tracefile->kernel_cpu;
	return tracefile->is_lane ? -1 : tracefile->cpu;
}

gboolean ltt_tracefile_is_lane(const LttTracefile *tracefile)
{
	return tracefile->is_lane;
}

gboolean ltt_tracefile_is_kernel(const LttTracefile *tracefile)
{
	return tracefile->kernel_cpu >= 0;
}

const char *ltt_tracefile_get_label(const LttTracefile *tracefile)
{
	return tracefile->label;
}

gboolean ltt_tracefile_lists_processes(const LttTracefile *tracefile)
{
	static const char name[] = "control/processes";
	const char *rest = tracefile->name + strlen(name);

	return g_str_has_prefix(tracefile->name, name) && (*rest == '\0' || *rest == '.');
}

guint64 ltt_tracefile_get_n_blocks(const LttTracefile *tracefile)
{
	return tracefile->n_blocks;
}

static gboolean read_bytes(const LttTracefile *tracefile, guint64 offset, gpointer bytes,
			   gsize length, GError **error)
{
	LttStoredFile file = tracefile->file;
	int errnum;

	if (file.fd < 0 &&
	    !ltt_store_open(tracefile->trace->store, tracefile->stored_name, &file, error))
		return FALSE;
	errnum = ltt_stored_file_read(&file, offset, bytes, length);
	if (file.fd != tracefile->file.fd)
		ltt_stored_file_close(&file);
	if (errnum == 0)
		return TRUE;
	return ltt_fail(error, LTT_ERROR_IO, "could not read: %s",
			errnum == ENODATA ? "the file has become shorter since it was opened"
					  : g_strerror(errnum));
}

gboolean ltt_tracefile_read(const LttTracefile *tracefile, guint64 offset, gpointer bytes,
			    gsize length, GError **error)
{
	g_autoptr(GError) reason = NULL;

	if (read_bytes(tracefile, offset, bytes, length, &reason))
		return TRUE;
	return ltt_fail_at(error, LTT_ERROR_IO, tracefile->name,
			   (gint64)(offset / tracefile->block_bytes),
			   (gint64)(offset % tracefile->block_bytes), "%s", reason->message);
}
