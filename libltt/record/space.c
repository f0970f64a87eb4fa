/* space.c - see space-priv.h.
 *
 * A flight recorder that does not fit loses events when the programs use all CPUs, maybe hours
 * later. So it is rejected at the start.
 */
#include "record/space-priv.h"

#include "base/error-priv.h"
#include "session/session.h"
#include "session/system.h"

#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Blocks of control files, and one of a CPU. */
#define FIRST_BLOCKS 6

/* A size as text, such as 1.5 MiB. */
typedef struct Size {
	char text[32];
} Size;

static Size print_size(guint64 bytes)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
	const guint64 tenths_from = 10;
	guint64 unit_bytes = 1;
	guint unit = 0;
	Size size;

	while (unit + 1 < G_N_ELEMENTS(units) && bytes / unit_bytes >= 1024) {
		unit_bytes *= 1024;
		unit++;
	}
	if (bytes % unit_bytes != 0 && bytes / unit_bytes < tenths_from)
		g_snprintf(size.text, sizeof(size.text), "%u.%u %s", (guint)(bytes / unit_bytes),
			   (guint)(bytes % unit_bytes / (unit_bytes / 10 + 1)), units[unit]);
	else
		g_snprintf(size.text, sizeof(size.text), "%u %s", (guint)(bytes / unit_bytes),
			   units[unit]);
	return size;
}

/* Returns: FALSE if the free space of the file system is unknown */
static gboolean get_free(const char *path, guint64 *free_bytes)
{
	g_autofree char *parent = g_path_get_dirname(path);
	struct statvfs status;

	if (statvfs(parent, &status) != 0 || status.f_blocks == 0)
		return FALSE;
	*free_bytes = (guint64)(geteuid() == 0 ? status.f_bfree : status.f_bavail);
	if (*free_bytes > G_MAXUINT64 / status.f_frsize)
		return FALSE;
	*free_bytes *= status.f_frsize;
	return TRUE;
}

static guint64 get_limit(__rlimit_resource_t resource)
{
	struct rlimit limit;

	return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur
										   : G_MAXUINT64;
}

/* Checks limits that the programs inherit. */
static gboolean check_limits(const char *path, guint64 flight, guint64 block, GError **error)
{
	const guint64 file_limit = get_limit(RLIMIT_FSIZE), memory_limit = get_limit(RLIMIT_AS);

	if (file_limit < MAX(flight, block))
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: a tracefile takes %s: expected no more than the limit of file "
				"size, %s (`ulimit -f`)",
				path, print_size(MAX(flight, block)).text,
				print_size(file_limit).text);
	/* Its tracefiles are mapped completely, with the second half during a snapshot. */
	if (memory_limit / 2 < flight)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: a flight recorder of %s maps %s, and the limit of address "
				"space is %s (`ulimit -v`): expected no more than %s",
				path, print_size(flight).text, print_size(2 * flight).text,
				print_size(memory_limit).text, print_size(memory_limit / 2).text);
	return TRUE;
}

static gboolean check_disk(const char *path, guint64 flight, guint64 block, GError **error)
{
	const guint64 n_cpus = g_get_num_processors();
	const guint64 state = lttp_session_bytes(lttp_system_cpus() + LTTP_LANES);
	const guint64 first = state + FIRST_BLOCKS * block;
	guint64 free_bytes;

	if (!get_free(path, &free_bytes))
		return TRUE;
	if (free_bytes < first)
		return ltt_fail(error, LTT_ERROR_IO,
				"%s: could not create the trace: No space left on device: %s are "
				"free, and its first blocks of %s take %s",
				path, print_size(free_bytes).text, print_size(block).text,
				print_size(first).text);
	if (flight > 0 && (free_bytes - first) / n_cpus < flight)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: a flight recorder of %s for each of %u CPUs takes %s, and %s "
				"are free: expected no more than %s",
				path, print_size(flight).text, (guint)n_cpus,
				print_size(flight * n_cpus).text, print_size(free_bytes).text,
				print_size((free_bytes - first) / n_cpus).text);
	return TRUE;
}

gboolean ltt_record_check_space(const char *path, const LttRecordingOptions *options,
				GError **error)
{
	const guint64 block =
		options->block_bytes != 0 ? options->block_bytes : LTTP_BLOCK_BYTES_DEFAULT;

	return check_limits(path, options->flight_bytes, block, error) &&
	       check_disk(path, options->flight_bytes, block, error);
}
