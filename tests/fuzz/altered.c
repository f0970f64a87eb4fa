/* altered.c - see altered.h. */
#define _GNU_SOURCE /* memfd_create */

#include "altered.h"

#include "fuzz.h"
#include "reader/trace-priv.h"

#include <sys/mman.h>
#include <unistd.h>

typedef struct FuzzStore {
	LttStore store;
	LttStore *directory;
	const char *name;
	int fd;
	guint64 size_bytes;
} FuzzStore;

static gboolean list_store(const LttStore *store, const char *folder, GPtrArray *found,
			   GError **error)
{
	g_autoptr(GPtrArray) list =
		ltt_store_list(((const FuzzStore *)store)->directory, folder, error);

	for (guint i = 0; i < list->len; i++)
		g_ptr_array_add(found, g_strdup(list->pdata[i]));
	return TRUE;
}

static LttStoredKind look_in_store(const LttStore *store, const char *name)
{
	return ltt_store_look(((const FuzzStore *)store)->directory, name);
}

static gboolean open_in_store(const LttStore *store, const char *name, LttStoredFile *file,
			      GError **error)
{
	const FuzzStore *fuzz = (const FuzzStore *)store;

	if (!g_str_equal(name, fuzz->name))
		return ltt_store_open(fuzz->directory, name, file, error);
	*file = (LttStoredFile){.fd = fuzz->fd, .size_bytes = fuzz->size_bytes};
	return TRUE;
}

static char *dup_place(const LttStore *store, const char *name)
{
	return ltt_store_dup_place(((const FuzzStore *)store)->directory, name);
}

static gboolean find_name(const LttStore *store, char **name, GError **error)
{
	return ltt_store_find_name(((const FuzzStore *)store)->directory, name, error);
}

static void free_store(LttStore *store)
{
	FuzzStore *fuzz = (FuzzStore *)store;

	ltt_store_free(fuzz->directory);
	close(fuzz->fd);
	g_free(fuzz);
}

LttTrace *altered_trace(const char *path, const char *name, const uint8_t *data, size_t size)
{
	static const LttStoreKind kind = {list_store, look_in_store, open_in_store,
					  dup_place,  find_name,     free_store};
	FuzzStore *fuzz = g_new0(FuzzStore, 1);

	fuzz->store = (LttStore){&kind, g_strdup(path)};
	fuzz->directory = ltt_store_open_directory(path, NULL);
	FUZZ_ASSERT(fuzz->directory != NULL);
	fuzz->name = name;
	fuzz->size_bytes = size;
	fuzz->fd = memfd_create("fuzz", MFD_CLOEXEC);
	FUZZ_ASSERT(fuzz->fd >= 0 && write(fuzz->fd, data, size) == (ssize_t)size);
	return ltt_trace_take_store(&fuzz->store, NULL);
}

char *altered_sample(const char *sample)
{
	const char *root = g_getenv("LTT_SOURCE");

	return g_build_filename(root != NULL ? root : ".", "tests", "data", sample, NULL);
}
