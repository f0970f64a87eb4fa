/* fuzz-archive.c - archives: one pass over an archive and a store of it return the same files.
 *
 * Fixes the checksums of tar headers first, because random ones are never correct.
 */
#define _GNU_SOURCE /* memfd_create */

#include "fuzz.h"
#include "mutate-tar.h"
#include "mutate.h"
#include "tar-sums.h"

#include "archive/members-priv.h"
#include "archive/store-priv.h"
#include "archive/tar-scan-priv.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_BYTES ((guint64)1 << 20)
#define MAX_FILES ((guint64)200)

/* Returns: name -> GBytes of each file; NULL if the archive is rejected */
static GHashTable *scan_all(int fd)
{
	const LttArchiveLimits limits = {MAX_BYTES, MAX_FILES, 0};
	g_autoptr(GHashTable) files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
							    (GDestroyNotify)g_bytes_unref);
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTarScan) scan = ltt_tar_scan_new(fd, "fuzz", &limits, &error);
	LttTarEntry entry;
	LttTarStep step = LTT_TAR_FAILED;

	while (scan != NULL && (step = ltt_tar_scan_next(scan, &entry, &error)) == LTT_TAR_ENTRY) {
		g_autofree char *name = g_strdup(entry.name);
		g_autofree char *settled = ltt_name_settle(name, NULL);
		GByteArray *content = g_byte_array_new();
		guint8 buffer[1000];
		gssize got;

		FUZZ_ASSERT(g_strcmp0(settled, name) == 0 && *name != '\0');
		while ((got = ltt_tar_scan_read(scan, buffer, sizeof(buffer), &error)) > 0)
			g_byte_array_append(content, buffer, (guint)got);
		FUZZ_ASSERT(got < 0 || content->len == entry.size_bytes);
		g_hash_table_insert(files, g_steal_pointer(&name),
				    g_byte_array_free_to_bytes(content));
		if (got < 0)
			return NULL;
	}
	FUZZ_ASSERT((step == LTT_TAR_END) == (error == NULL));
	return step == LTT_TAR_END ? g_steal_pointer(&files) : NULL;
}

static void compare_store(int fd, GHashTable *files)
{
	const LttJobCallbacks no_callbacks = {0};
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autoptr(LttStore) store = ltt_store_open_archive(path, &no_callbacks, NULL);
	g_autofree char *root = NULL;
	GHashTableIter iter;
	gpointer name;
	gpointer content;

	FUZZ_ASSERT(store != NULL);
	FUZZ_ASSERT(ltt_store_find_name(store, &root, NULL));
	g_hash_table_iter_init(&iter, files);
	while (g_hash_table_iter_next(&iter, &name, &content)) {
		const char *inside = root != NULL ? (const char *)name + strlen(root) : name;
		g_autoptr(GString) bytes = NULL;

		inside += root != NULL && *inside == '/';
		if (ltt_store_look(store, inside) != LTT_STORED_FILE)
			continue;
		bytes = ltt_store_read(store, inside, MAX_BYTES, NULL);
		FUZZ_ASSERT(bytes != NULL && bytes->len == g_bytes_get_size(content));
		FUZZ_ASSERT(bytes->len == 0 ||
			    memcmp(bytes->str, g_bytes_get_data(content, NULL), bytes->len) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree guint8 *bytes = g_memdup2(data, size);
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);
	g_autoptr(GHashTable) files = NULL;

	mend_tar(bytes, size);
	FUZZ_ASSERT(fd >= 0 && write(fd, bytes, size) == (ssize_t)size &&
		    lseek(fd, 0, SEEK_SET) == 0);
	files = scan_all(fd);
	if (files != NULL)
		compare_store(fd, files);
	close(fd);
	return 0;
}

#ifdef FUZZER
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return mutate_tar(data, size, max_size, seed);
}
#endif
