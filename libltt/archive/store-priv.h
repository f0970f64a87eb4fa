/* store-priv.h - access to the files of a trace.
 *
 * A trace is a directory, or an archive of one. A store hides the difference: its users request
 * files by their names in the trace, such as "cpu/3".
 */
#ifndef LTT_ARCHIVE_STORE_PRIV_H
#define LTT_ARCHIVE_STORE_PRIV_H

#ifndef LTT_BUILDING
#error "archive/store-priv.h is private to libltt; use <ltt/ltt-trace.h>"
#endif

#include <ltt/ltt-job.h>

/* A file of a store, open for reading: a range of bytes of a system file. */
typedef struct LttStoredFile {
	int fd;             /* -1: not open */
	gboolean owns_fd;   /* else the store owns it */
	guint64 offset;     /* offset of its first byte in fd */
	guint64 size_bytes; /* at the time of opening */
} LttStoredFile;

/* The type of a directory entry. */
typedef enum LttStoredKind {
	LTT_STORED_NOTHING,
	LTT_STORED_FILE,
	LTT_STORED_FOLDER,
	LTT_STORED_LINK_OUT, /* a symbolic link that leads out of the trace */
	LTT_STORED_OTHER,    /* not part of a trace: a FIFO, a device ... */
} LttStoredKind;

typedef struct LttStore LttStore;

/* The operations that each kind of store implements; the functions below document them. */
typedef struct LttStoreKind {
	gboolean (*list)(const LttStore *store, const char *folder, GPtrArray *names,
			 GError **error);
	LttStoredKind (*look)(const LttStore *store, const char *name);
	gboolean (*open)(const LttStore *store, const char *name, LttStoredFile *file,
			 GError **error);
	char *(*dup_place)(const LttStore *store, const char *name);
	gboolean (*find_name)(const LttStore *store, char **name, GError **error);
	void (*free)(LttStore *store);
} LttStoreKind;

/* The first member of each kind. */
struct LttStore {
	const LttStoreKind *kind;
	char *path; /* path of the directory or the archive */
};

/* Returns: (transfer full) (nullable): a store backed by a directory; NULL with LTT_ERROR_IO if the
 * directory does not exist */
LttStore *ltt_store_open_directory(const char *path, GError **error);

/**
 * ltt_store_open_archive:
 * @callbacks: progress: the number of bytes read and the size of the archive, or 0 if it is not a
 *   regular file
 *
 * If the archive is compressed or is not a regular file, the store unpacks it to an anonymous
 * temporary file. Otherwise it reads the files in place.
 *
 * Returns: (transfer full) (nullable): NULL with an error of ltt_unpack()
 */
LttStore *ltt_store_open_archive(const char *path, const LttJobCallbacks *callbacks,
				 GError **error);

/* @callbacks: as ltt_store_open_archive()
 * Returns: (transfer full) (nullable): a store for the directory or archive @path */
LttStore *ltt_store_open_any(const char *path, const LttJobCallbacks *callbacks, GError **error);

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

/* Finds the name of the trace directory, also in an archive. @name: (out) (transfer full) (nullable): NULL if
 * there is none: the top level of the archive is the trace. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_store_find_name(const LttStore *store, char **name, GError **error);

/* Returns: (transfer full): the name of a file in messages: its path, or "ARCHIVE: NAME" */
char *ltt_store_dup_place(const LttStore *store, const char *name);

/* Returns: (transfer full) (element-type utf8): the names in a folder, "" for the top level, sorted
 * by bytes, without those that begin with a point. Empty if the folder does not exist; empty with
 * LTT_ERROR_IO, without a place, if it cannot be read. */
GPtrArray *ltt_store_list(const LttStore *store, const char *folder, GError **error);

/* @name: a name from ltt_store_list(), with its folder prepended. */
LttStoredKind ltt_store_look(const LttStore *store, const char *name);

/* Opens a file. The error contains no place. Returns: FALSE, and @file not open, with LTT_ERROR_IO,
 * or LTT_ERROR_UNSUPPORTED if it is not a regular file */
gboolean ltt_store_open(const LttStore *store, const char *name, LttStoredFile *file,
			GError **error);

/* Returns: (transfer full) (nullable): the contents of a file; NULL with an error of
 * ltt_store_open(), or with LTT_ERROR_LIMIT if they exceed @max_bytes. The error contains no
 * place. */
GString *ltt_store_read(const LttStore *store, const char *name, gsize max_bytes, GError **error);

/* Reads @length bytes at @offset, all or nothing.
 * Returns: 0, or an errno; ENODATA if the file is shorter */
int ltt_stored_file_read(const LttStoredFile *file, guint64 offset, gpointer bytes, gsize length);

/* Updates the size of a file in a directory; keeps the old size on failure. */
void ltt_stored_file_measure(LttStoredFile *file);
void ltt_stored_file_close(LttStoredFile *file);

#endif
