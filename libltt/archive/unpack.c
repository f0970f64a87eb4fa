/* unpack.c - unpack a trace directory from an archive; see ltt-archive.h.
 *
 * archive/tar-scan.c rejects hostile entries. The output directory is new and contains no links, so
 * a valid name cannot lead out of it. The location of the trace in it is known only at the end.
 * Then the trace is renamed to the requested name, and the rest is removed.
 */
#include "archive/tar-scan-priv.h"
#include "base/aside-priv.h"
#include "base/error-priv.h"
#include "base/job-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES (128 * 1024)
#define ALL_MAY      0777 /* subject to the umask */

typedef struct Unpacking {
	const LttUnpackRequest *request;
	LttTarScan *scan;
	const char *path; /* temporary path until it is complete */
	guint64 n_total;  /* bytes of the archive; 0: not known */
	guint8 *buffer;
	LttUnpackSummary *summary;
} Unpacking;

static gboolean tell_progress(const Unpacking *unpacking, GError **error)
{
	return ltt_job_progress(&unpacking->request->callbacks, LTT_PROGRESS_BYTES,
				ltt_tar_scan_get_n_packed(unpacking->scan), unpacking->n_total,
				error);
}

static gboolean make_folder(const char *path, GError **error)
{
	return g_mkdir_with_parents(path, ALL_MAY) == 0 ||
	       ltt_fail_io(error, path, "make the directory", errno);
}

static gboolean write_content(const Unpacking *unpacking, LttOutFile *file, GError **error)
{
	gssize got;

	while ((got = ltt_tar_scan_read(unpacking->scan, unpacking->buffer, BUFFER_BYTES, error)) >
	       0) {
		unpacking->summary->n_bytes += (guint64)got;
		if (!ltt_out_file_write(file, unpacking->buffer, (gsize)got, error) ||
		    !tell_progress(unpacking, error))
			return FALSE;
	}
	return got == 0 && ltt_out_file_close(file, error);
}

static gboolean unpack_entry(const Unpacking *unpacking, const LttTarEntry *entry, GError **error)
{
	g_autofree char *path = g_build_filename(unpacking->path, entry->name, NULL);
	g_autofree char *folder = NULL;
	LttOutFile file = LTT_OUT_FILE_NONE;
	gboolean ok;

	if (entry->is_folder)
		return make_folder(path, error);
	unpacking->summary->n_files++;
	folder = g_path_get_dirname(path);
	ok = make_folder(folder, error) && ltt_out_file_make(&file, path, error) &&
	     write_content(unpacking, &file, error);
	ltt_out_file_drop(&file);
	return ok;
}

static gboolean unpack_all(const Unpacking *unpacking, GError **error)
{
	LttTarEntry entry;
	LttTarStep step;

	while ((step = ltt_tar_scan_next(unpacking->scan, &entry, error)) == LTT_TAR_ENTRY)
		if (!unpack_entry(unpacking, &entry, error) || !tell_progress(unpacking, error))
			return FALSE;
	return step == LTT_TAR_END;
}

/* Renames the trace to its final path. */
static gboolean settle(const Unpacking *unpacking, LttAside *aside, GError **error)
{
	const char *root = ltt_tar_scan_get_root(unpacking->scan);
	LttAside inner = {.place = aside->place};
	gboolean ok;

	if (*root == '\0')
		return ltt_aside_settle(aside, error);
	inner.path = g_build_filename(aside->path, root, NULL);
	ok = ltt_aside_settle(&inner, error);
	g_free(inner.path);
	return ok;
}

static gboolean unpack(const LttUnpackRequest *request, int fd, const char *place,
		       LttUnpackSummary *summary, GError **error)
{
	Unpacking unpacking = {.request = request, .summary = summary};
	g_autoptr(LttTarScan) scan = NULL;
	struct stat status;
	LttAside aside;
	gboolean ok;

	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		unpacking.n_total = (guint64)status.st_size;
	if (!ltt_aside_make_directory(&aside, request->path, error))
		return FALSE;
	scan = ltt_tar_scan_new(fd, place, request->limits, error);
	unpacking.scan = scan;
	unpacking.path = aside.path;
	unpacking.buffer = g_malloc(BUFFER_BYTES);
	ok = scan != NULL && unpack_all(&unpacking, error) && settle(&unpacking, &aside, error);
	ltt_aside_clear(&aside);
	g_free(unpacking.buffer);
	return ok;
}

gboolean ltt_unpack(const LttUnpackRequest *request, LttUnpackSummary *summary, GError **error)
{
	LttUnpackSummary found = {0};
	gboolean ok;
	int fd;

	if (request->archive == NULL) {
		ok = unpack(request, request->fd, "standard input", &found, error);
	} else {
		fd = open(request->archive, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (fd < 0)
			return ltt_fail_io(error, request->archive, "open", errno);
		ok = unpack(request, fd, request->archive, &found, error);
		close(fd);
	}
	if (ok && summary != NULL)
		*summary = found;
	return ok;
}
