/* fingerprint.c - see ltt-fingerprint.h. */
#include "base/serial-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-fingerprint.h>
#include <ltt/ltt-partition.h>

#include <sys/stat.h>
#include <time.h>

/* Numbers and texts on their way to a checksum. */
typedef struct Sum {
	GChecksum *sum;
	GByteArray *bytes;
	guint64 now_ns;
} Sum;

static void hand_on(Sum *sum)
{
	g_checksum_update(sum->sum, sum->bytes->data, (gssize)sum->bytes->len);
	g_byte_array_set_size(sum->bytes, 0);
}

/* ---- files ---- */

static guint64 to_ns(const struct timespec *time)
{
	return (guint64)time->tv_sec * 1000 * 1000 * 1000 + (guint64)time->tv_nsec;
}

/* Returns: FALSE if the file changed just now, or is no regular file */
static gboolean add_file(Sum *sum, const char *name, const struct stat *status)
{
	const guint64 changed_ns = to_ns(&status->st_ctim);

	ltt_serial_put_text(sum->bytes, name);
	ltt_serial_put_u64(sum->bytes, status->st_dev);
	ltt_serial_put_u64(sum->bytes, status->st_ino);
	ltt_serial_put_u64(sum->bytes, (guint64)status->st_size);
	ltt_serial_put_u64(sum->bytes, changed_ns);
	hand_on(sum);
	return S_ISREG(status->st_mode) && changed_ns + LTT_FINGERPRINT_QUIET_NS < sum->now_ns;
}

static gboolean add_folder(Sum *sum, const LttStore *store, const char *folder)
{
	g_autoptr(GPtrArray) names = ltt_store_list(store, folder, NULL);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *name = g_build_filename(folder, names->pdata[i], NULL);
		g_autofree char *path = g_build_filename(ltt_store_get_path(store), name, NULL);
		struct stat status;

		if (g_str_equal(name, "info/bookmarks.xml"))
			continue;
		if (stat(path, &status) < 0)
			return FALSE;
		if (S_ISDIR(status.st_mode))
			continue;
		if (!add_file(sum, name, &status))
			return FALSE;
	}
	return TRUE;
}

static gboolean add_files(Sum *sum, const LttStore *store)
{
	static const char *const folders[] = {"info", "eventdefs", "control", "cpu"};
	struct stat status;

	if (stat(ltt_store_get_path(store), &status) < 0)
		return FALSE;
	if (!S_ISDIR(status.st_mode))
		return add_file(sum, "", &status);
	for (guint i = 0; i < G_N_ELEMENTS(folders); i++)
		if (!add_folder(sum, store, folders[i]))
			return FALSE;
	return TRUE;
}

/* ---- contents ---- */

static void add_conversion(Sum *sum, const LttTrace *trace)
{
	const LttClockPoint *points = NULL;
	guint n_points = 0;

	if (trace->clock_map != NULL)
		points = ltt_clock_map_get_points(trace->clock_map, &n_points);
	ltt_serial_put_u64(sum->bytes, (guint64)trace->offset_ns);
	ltt_serial_put_u32(sum->bytes, trace->machine);
	ltt_serial_put_u32(sum->bytes, n_points);
	for (guint i = 0; i < n_points; i++) {
		ltt_serial_put_u64(sum->bytes, points[i].from_ns);
		ltt_serial_put_u64(sum->bytes, points[i].to_ns);
	}
	hand_on(sum);
}

static void add_loads(Sum *sum, const LttTrace *trace)
{
	for (guint i = 0; i < ltt_trace_get_n_loads(trace); i++) {
		const LttLoad *load = ltt_trace_get_load(trace, i);

		ltt_serial_put_text(sum->bytes, ltt_facility_get_name(load->facility));
		ltt_serial_put_u32(sum->bytes, load->checksum);
		ltt_serial_put_u32(sum->bytes, ltt_facility_get_checksum(load->facility));
		ltt_serial_put_u32(sum->bytes, load->base_code);
	}
	hand_on(sum);
}

static gboolean add_trace(Sum *sum, const LttTrace *trace)
{
	if (trace->is_live || !add_files(sum, trace->store))
		return FALSE;
	add_conversion(sum, trace);
	add_loads(sum, trace);
	return TRUE;
}

static void add_blocks(Sum *sum, LttTrace *trace)
{
	g_autoptr(GArray) blocks = ltt_partitions_new(trace, NULL, 1);

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(trace, i);

		ltt_serial_put_text(sum->bytes, ltt_tracefile_get_name(tracefile));
		ltt_serial_put_u32(sum->bytes, ltt_tracefile_get_host(tracefile));
		ltt_serial_put_u64(sum->bytes, ltt_tracefile_get_n_blocks(tracefile));
	}
	for (guint i = 0; i < blocks->len; i++) {
		const LttPartition *block = &g_array_index(blocks, LttPartition, i);

		ltt_serial_put_u32(sum->bytes, ltt_tracefile_get_index(block->tracefile));
		ltt_serial_put_u64(sum->bytes, block->first_block);
		ltt_serial_put_u64(sum->bytes, block->n_blocks);
		ltt_serial_put_u64(sum->bytes, block->first_ns);
		ltt_serial_put_u64(sum->bytes, block->last_ns);
		hand_on(sum);
	}
	hand_on(sum);
}

gboolean ltt_trace_fingerprint(LttTrace *trace, GChecksum *sum)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	struct timespec now;
	Sum adding = {.sum = sum, .bytes = bytes};

	clock_gettime(CLOCK_REALTIME, &now);
	adding.now_ns = to_ns(&now);
	if (trace->members == NULL && !add_trace(&adding, trace))
		return FALSE;
	for (guint i = 0; trace->members != NULL && i < trace->members->len; i++)
		if (!add_trace(&adding, trace->members->pdata[i]))
			return FALSE;
	add_blocks(&adding, trace);
	return TRUE;
}
