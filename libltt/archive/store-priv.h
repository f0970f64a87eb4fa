/* store-priv.h - the files of a trace, wherever they lie.
 *
 * A trace is a directory, or an archive of one. Whoever reads it asks its store for files by the
 * names that they have in the trace, "cpu/3", and cannot tell one from the other.
 */
#ifndef LTT_ARCHIVE_STORE_PRIV_H
#define LTT_ARCHIVE_STORE_PRIV_H

#ifndef LTT_BUILDING
#error "archive/store-priv.h is private to libltt; use <ltt/ltt-trace.h>"
#endif

#include <ltt/ltt-job.h>

/* A file of a store, open for reading: some bytes of a file of the system. */
typedef struct LttStoredFile {
	int fd;             /* -1: not open */
	gboolean owns_fd;   /* else it is the store's */
	guint64 offset;     /* where in fd it begins */
	guint64 size_bytes; /* when it was opened */
} LttStoredFile;

/* The type of a directory entry. */
typedef enum LttStoredKind {
	LTT_STORED_NOTHING,
	LTT_STORED_FILE,
	LTT_STORED_FOLDER,
	LTT_STORED_LINK_OUT, /* a symbolic link that leads out of the trace */
	LTT_STORED_OTHER,    /* what a trace does not have: a FIFO ... */
} LttStoredKind;

typedef struct LttStore LttStore;

/* What the kinds of store do each in their own way, as the functions below say. */
typedef struct LttStoreKind {
	gboolean (*list)(const LttStore *store, const char *folder, GPtrArray *names,
			 GError **error);
	LttStoredKind (*look)(const LttStore *store, const char *name);
	gboolean (*open)(const LttStore *store, const char *name, LttStoredFile *file,
			 GError **error);
	char *(*dup_place)(const LttStore *store, const char *name);
	char *(*dup_name)(const LttStore *store);
	void (*free)(LttStore *store);
} LttStoreKind;

/* The first member of each kind. */
struct LttStore {
	const LttStoreKind *kind;
	char *path; /* of the directory, or of the archive */
};

/* Returns: (transfer full) (nullable): the store that is a directory; NULL with LTT_ERROR_IO if
 * there is no such one. */
LttStore *ltt_store_open_directory(const char *path, GError **error);

/**
 * ltt_store_open_archive:
 * @on_progress: (nullable): told how many bytes of the archive were read, of how many; of 0 if it
 * is no plain file
 *
 * Of an archive that is packed, or is no plain file, all bytes lie from then on in a file without a
 * name where the system has its temporary ones; the others stay where they are.
 *
 * Returns: (transfer full) (nullable): NULL with an error of ltt_unpack()
 */
LttStore *ltt_store_open_archive(const char *path, LttProgressFunc on_progress,
				 gpointer progress_data, GError **error);

/* Returns: (transfer full) (nullable): the one of these that stands at @path */
LttStore *ltt_store_open_any(const char *path, LttProgressFunc on_progress, gpointer progress_data,
			     GError **error);

/* NULL is allowed and ignored. */
static inline void ltt_store_free(LttStore *store)
{
	if (store == NULL)
		return;
	g_clear_pointer(&store->path, g_free);
	store->kind->free(store);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttStore, ltt_store_free)

const char *ltt_store_get_path(const LttStore *store);

/* Returns: (transfer full) (nullable): the name of the directory that the trace is, also in an
 * archive; NULL: the archive is the trace as a whole */
char *ltt_store_dup_name(const LttStore *store);

/* Returns: (transfer full): what messages call a file: its path, or "ARCHIVE: NAME" */
char *ltt_store_dup_place(const LttStore *store, const char *name);

/* Returns: (transfer full) (element-type utf8): the names in a folder, "" being the top one, sorted
 * by their bytes; those that begin with a point are left out. None if there is no such folder, or
 * if it cannot be looked into: that is LTT_ERROR_IO, and names no place. */
GPtrArray *ltt_store_list(const LttStore *store, const char *folder, GError **error);

/* @name: as ltt_store_list() gives it, with its folder in front. */
LttStoredKind ltt_store_look(const LttStore *store, const char *name);

/* Opens a file. The error names no place. Returns: FALSE, and @file not open, with LTT_ERROR_IO, or
 * LTT_ERROR_UNSUPPORTED if it is no plain file */
gboolean ltt_store_open(const LttStore *store, const char *name, LttStoredFile *file,
			GError **error);

/* Returns: (transfer full) (nullable): the bytes of a file; NULL as ltt_store_open(), or with
 * LTT_ERROR_LIMIT if there are more than @max_bytes. The error names no place. */
GString *ltt_store_read(const LttStore *store, const char *name, gsize max_bytes, GError **error);

/* Reads @length bytes at @offset, all or nothing.
 * Returns: 0, or an errno; ENODATA if the file ends before */
int ltt_stored_file_read(const LttStoredFile *file, guint64 offset, gpointer bytes, gsize length);

/* Finds out how large the file of a directory has become; what cannot be found out stays. */
void ltt_stored_file_measure(LttStoredFile *file);
void ltt_stored_file_close(LttStoredFile *file);

#endif
