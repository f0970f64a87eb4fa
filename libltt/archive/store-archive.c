/* store-archive.c - a store backed by an archive.
 *
 * Readers need random access, which compressed data does not offer. So the store reads the archive
 * once, sequentially, with the same checks as `ltt unpack`, and appends its files to an anonymous
 * temporary file. The files of an uncompressed tar archive are read in place.
 */
#include "archive/store-priv.h"

#include "archive/tar-scan-priv.h"
#include "base/error-priv.h"
#include "base/job-priv.h"
#include "base/scratch-priv.h"

#include <ltt/ltt-hash.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES (128 * 1024)

typedef struct Stored {
	gboolean is_folder;
	gboolean is_in_place; /* else it is in the spool */
	guint64 offset;
	guint64 size_bytes;
	GPtrArray *inside; /* of a folder: the names of its visible entries; owned */
} Stored;

typedef struct ArchiveStore {
	LttStore store;
	int fd;
	int spool_fd;    /* files that are not read in place; -1: none */
	GHashTable *all; /* name in the archive -> Stored; "" is the top level */
	char *root;      /* the prefix of the trace, with a trailing slash if it is a folder */
} ArchiveStore;

static void free_stored(gpointer data)
{
	Stored *stored = data;

	g_clear_pointer(&stored->inside, g_ptr_array_unref);
	g_free(stored);
}

/* ---- entries ---- */

static Stored *find_folder(ArchiveStore *archive, const char *name)
{
	Stored *folder = g_hash_table_lookup(archive->all, name);
	g_autofree char *above = NULL;
	const char *slash;

	if (folder != NULL)
		return folder;
	folder = g_new0(Stored, 1);
	folder->is_folder = TRUE;
	folder->inside = g_ptr_array_new_with_free_func(g_free);
	g_hash_table_insert(archive->all, g_strdup(name), folder);
	if (*name == '\0')
		return folder;
	slash = strrchr(name, '/');
	above = slash != NULL ? g_strndup(name, (gsize)(slash - name)) : g_strdup("");
	g_ptr_array_add(find_folder(archive, above)->inside,
			g_strdup(slash != NULL ? slash + 1 : name));
	return folder;
}

static void add_file(ArchiveStore *archive, const LttTarEntry *entry, guint64 spool_offset)
{
	const char *slash = strrchr(entry->name, '/');
	g_autofree char *above =
		slash != NULL ? g_strndup(entry->name, (gsize)(slash - entry->name)) : g_strdup("");
	Stored *stored = g_new0(Stored, 1);

	stored->is_in_place = entry->is_in_place;
	stored->offset = entry->is_in_place ? entry->offset : spool_offset;
	stored->size_bytes = entry->size_bytes;
	g_hash_table_insert(archive->all, g_strdup(entry->name), stored);
	g_ptr_array_add(find_folder(archive, above)->inside,
			g_strdup(slash != NULL ? slash + 1 : entry->name));
}

/* ---- read the archive ---- */

/* State of the single pass over the archive. */
typedef struct Reading {
	LttTarScan *scan;
	LttScratch *spool; /* NULL: nothing spooled yet */
	guint8 *buffer;
	guint64 n_total; /* bytes of the archive; 0: not known */
	LttJobCallbacks callbacks;
} Reading;

static gboolean tell_progress(const Reading *reading, GError **error)
{
	return ltt_job_progress(&reading->callbacks, LTT_PROGRESS_BYTES,
				ltt_tar_scan_get_n_packed(reading->scan), reading->n_total, error);
}

static guint64 spooled_bytes(const Reading *reading)
{
	return reading->spool != NULL ? ltt_scratch_get_size(reading->spool) : 0;
}

static gboolean spool_file(Reading *reading, GError **error)
{
	gssize got;

	if (reading->spool == NULL)
		reading->spool = ltt_scratch_new(NULL, error);
	if (reading->spool == NULL)
		return FALSE;
	while ((got = ltt_tar_scan_read(reading->scan, reading->buffer, BUFFER_BYTES, error)) > 0)
		if (!ltt_scratch_put(reading->spool, spooled_bytes(reading), reading->buffer,
				     (gsize)got, error) ||
		    !tell_progress(reading, error))
			return FALSE;
	return got == 0;
}

static gboolean read_entries(ArchiveStore *archive, Reading *reading, GError **error)
{
	LttTarScan *scan = reading->scan;
	LttTarEntry entry;
	LttTarStep step;

	find_folder(archive, "");
	while ((step = ltt_tar_scan_next(scan, &entry, error)) == LTT_TAR_ENTRY) {
		if (entry.is_folder) {
			find_folder(archive, entry.name);
			continue;
		}
		add_file(archive, &entry, spooled_bytes(reading));
		if (!entry.is_in_place && !spool_file(reading, error))
			return FALSE;
	}
	if (step == LTT_TAR_FAILED)
		return FALSE;
	if (reading->spool != NULL)
		archive->spool_fd = ltt_scratch_dup(reading->spool, error);
	if (reading->spool != NULL && archive->spool_fd < 0)
		return FALSE;
	archive->root = *ltt_tar_scan_get_root(scan) != '\0'
				? g_strconcat(ltt_tar_scan_get_root(scan), "/", NULL)
				: g_strdup("");
	return TRUE;
}

static char *name_inside(const ArchiveStore *archive, const char *name)
{
	char *whole = g_strconcat(archive->root, name, NULL);
	const gsize length = strlen(whole);

	/* The trace itself is a folder in the archive. */
	if (*name == '\0' && length > 0)
		whole[length - 1] = '\0';
	return whole;
}

static const Stored *find(const LttStore *store, const char *name)
{
	const ArchiveStore *archive = (const ArchiveStore *)store;
	g_autofree char *whole = name_inside(archive, name);

	return g_hash_table_lookup(archive->all, whole);
}

/* ---- the kind of store ---- */

static gboolean list_archive(const LttStore *store, const char *folder, GPtrArray *names,
			     GError **error)
{
	const Stored *stored = find(store, folder);

	if (stored != NULL && !stored->is_folder)
		return ltt_fail(error, LTT_ERROR_IO, "could not read the directory: %s",
				g_strerror(ENOTDIR));
	for (guint i = 0; stored != NULL && i < stored->inside->len; i++)
		g_ptr_array_add(names, g_strdup(stored->inside->pdata[i]));
	return TRUE;
}

static LttStoredKind look_in_archive(const LttStore *store, const char *name)
{
	const Stored *stored = find(store, name);

	if (stored == NULL)
		return LTT_STORED_NOTHING;
	return stored->is_folder ? LTT_STORED_FOLDER : LTT_STORED_FILE;
}

static gboolean open_in_archive(const LttStore *store, const char *name, LttStoredFile *file,
				GError **error)
{
	const ArchiveStore *archive = (const ArchiveStore *)store;
	const Stored *stored = find(store, name);

	if (stored == NULL)
		return ltt_fail(error, LTT_ERROR_IO, "could not open: %s", g_strerror(ENOENT));
	if (stored->is_folder)
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED, "it is not a regular file");
	*file = (LttStoredFile){.fd = stored->is_in_place ? archive->fd : archive->spool_fd,
				.offset = stored->offset,
				.size_bytes = stored->size_bytes};
	return TRUE;
}

static char *dup_place(const LttStore *store, const char *name)
{
	return g_strconcat(store->path, ": ", name, NULL);
}

static gboolean find_name(const LttStore *store, char **name, GError **error)
{
	const ArchiveStore *archive = (const ArchiveStore *)store;

	(void)error;
	*name = *archive->root != '\0' ? name_inside(archive, "") : NULL;
	return TRUE;
}

static void free_archive(LttStore *store)
{
	ArchiveStore *archive = (ArchiveStore *)store;

	if (archive->fd >= 0)
		close(archive->fd);
	if (archive->spool_fd >= 0)
		close(archive->spool_fd);
	g_hash_table_unref(archive->all);
	g_free(archive->root);
	g_free(archive);
}

static gboolean read_archive(ArchiveStore *archive, const LttJobCallbacks *callbacks,
			     GError **error)
{
	g_autoptr(LttTarScan) scan =
		ltt_tar_scan_new(archive->fd, archive->store.path, NULL, error);
	g_autofree guint8 *buffer = g_malloc(BUFFER_BYTES);
	Reading reading = {.scan = scan, .buffer = buffer, .callbacks = *callbacks};
	struct stat status;
	gboolean ok;

	if (fstat(archive->fd, &status) == 0 && S_ISREG(status.st_mode))
		reading.n_total = (guint64)status.st_size;
	ok = scan != NULL && read_entries(archive, &reading, error);
	ltt_scratch_free(reading.spool);
	return ok;
}

LttStore *ltt_store_open_archive(const char *path, const LttJobCallbacks *callbacks, GError **error)
{
	static const LttStoreKind kind = {list_archive, look_in_archive, open_in_archive,
					  dup_place,    find_name,       free_archive};
	ArchiveStore *archive = g_new0(ArchiveStore, 1);
	g_autoptr(LttStore) store = &archive->store;

	archive->store = (LttStore){&kind, g_strdup(path)};
	archive->spool_fd = -1;
	archive->all = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, free_stored);
	archive->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (archive->fd < 0) {
		ltt_fail_io(error, path, "open", errno);
		return NULL;
	}
	if (!read_archive(archive, callbacks, error))
		return NULL;
	return g_steal_pointer(&store);
}
