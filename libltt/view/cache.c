/* cache.c - the folder with the maps of traces (cache-priv.h). */
#include "view/cache-priv.h"

#include "base/read-at-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <ltt/ltt-fingerprint.h>
#include <ltt/ltt-view.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC      G_GUINT64_CONSTANT(0x31706d777674746c) /* "lttvwmp1" with the least byte first */
#define SUM_BYTES  32
#define HEAD_BYTES (8 + 4 + 8 + SUM_BYTES)
#define SUFFIX     ".map"

/* A file that was being written and is older is left over. */
#define LEFT_OVER_SECONDS (24 * 60 * 60)

struct LttViewCache {
	int fd; /* of the folder */
	guint64 min_events;
};

/* ---- the folder ---- */

static gboolean fail(const char *folder, const char *message, GError **error)
{
	g_set_error(error, LTT_ERROR, LTT_ERROR_IO, "%s: %s", folder, message);
	return FALSE;
}

/* Another user must not be able to change the files, nor to read what a trace contains. */
static gboolean check_folder(int fd, const char *folder, GError **error)
{
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0)
		return fail(folder, g_strerror(errno), error);
	if (status.st_uid != geteuid())
		return fail(folder, "the folder of the cache belongs to another user", error);
	if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
		return fail(folder,
			    "other users may use the folder of the cache: expected mode 0700",
			    error);
	return TRUE;
}

LttViewCache *ltt_view_cache_new(const char *folder, guint64 min_events, GError **error)
{
	g_autoptr(LttViewCache) cache = g_new0(LttViewCache, 1);

	cache->min_events = min_events;
	cache->fd = -1;
	if (g_mkdir_with_parents(folder, S_IRWXU) == 0)
		cache->fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return check_folder(cache->fd, folder, error) ? g_steal_pointer(&cache) : NULL;
}

void ltt_view_cache_free(LttViewCache *cache)
{
	if (cache == NULL)
		return;
	if (cache->fd >= 0)
		close(cache->fd);
	g_free(cache);
}

char *ltt_view_cache_find_name(const LttViewMap *map)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	static const guint64 versions[] = {LTT_VIEW_CACHE_VERSION, LTT_VIEW_BINS, sizeof(long),
					   G_BYTE_ORDER};

	g_checksum_update(sum, (const guchar *)versions, sizeof(versions));
	return ltt_trace_fingerprint(map->trace, sum)
		       ? g_strconcat(g_checksum_get_string(sum), SUFFIX, NULL)
		       : NULL;
}

/* ---- eviction ---- */

typedef struct Entry {
	char *name;
	guint64 n_bytes;
	gint64 used; /* seconds */
} Entry;

static void clear_entry(gpointer data)
{
	g_free(((Entry *)data)->name);
}

static gint compare_entries(gconstpointer a, gconstpointer b)
{
	const gint64 first = ((const Entry *)a)->used;
	const gint64 second = ((const Entry *)b)->used;

	return first > second ? -1 : first < second;
}

/* Lists the maps, the last used one first; removes files that were never finished. */
static GArray *list_entries(const LttViewCache *cache)
{
	GArray *entries = g_array_new(FALSE, FALSE, sizeof(Entry));
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", cache->fd);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const gint64 now = g_get_real_time() / G_USEC_PER_SEC;
	const char *name;

	g_array_set_clear_func(entries, clear_entry);
	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		struct stat status;

		if (strstr(name, SUFFIX) == NULL ||
		    fstatat(cache->fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if (g_str_has_suffix(name, SUFFIX)) {
			const Entry entry = {g_strdup(name), (guint64)status.st_size,
					     status.st_mtim.tv_sec};

			g_array_append_val(entries, entry);
		} else if (status.st_mtim.tv_sec < now - LEFT_OVER_SECONDS) {
			unlinkat(cache->fd, name, 0);
		}
	}
	g_array_sort(entries, compare_entries);
	return entries;
}

/* Removes the maps that were used longest ago, until @n_bytes more fit. */
static void make_room(const LttViewCache *cache, guint64 n_bytes)
{
	g_autoptr(GArray) entries = list_entries(cache);

	for (guint i = 0; i < entries->len; i++) {
		const Entry *entry = &g_array_index(entries, Entry, i);

		n_bytes += entry->n_bytes;
		if (n_bytes > LTT_VIEW_CACHE_BYTES)
			unlinkat(cache->fd, entry->name, 0);
	}
}

/* ---- reading ---- */

static gboolean read_all(int fd, guint8 *bytes, gsize length)
{
	while (length > 0) {
		const ssize_t n = read(fd, bytes, length);

		if (n <= 0 && !(n < 0 && errno == EINTR))
			return FALSE;
		bytes += MAX(n, 0);
		length -= (gsize)MAX(n, 0);
	}
	return TRUE;
}

static void sum_up(const guint8 *bytes, gsize length, guint8 *sum)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	gsize n = SUM_BYTES;

	g_checksum_update(checksum, bytes, (gssize)length);
	g_checksum_get_digest(checksum, sum, &n);
}

/* Returns: whether a file has the right head, and its body is as it was written for @name */
static gboolean unpack_head(LttSerial *in, const char *name)
{
	guint8 sum[SUM_BYTES];
	const guint8 *stored;
	g_autofree char *of = NULL;
	guint64 length;

	ltt_serial_expect(in, ltt_serial_take_u64(in) == MAGIC);
	ltt_serial_expect(in, ltt_serial_take_u32(in) == LTT_VIEW_CACHE_VERSION);
	length = ltt_serial_take_u64(in);
	stored = ltt_serial_take_bytes(in, SUM_BYTES);
	ltt_serial_expect(in, length == in->rest);
	if (in->is_bad)
		return FALSE;
	sum_up(in->at, in->rest, sum);
	of = memcmp(sum, stored, SUM_BYTES) == 0 ? ltt_serial_take_text(in) : NULL;
	return g_strcmp0(of, name) == 0;
}

static gboolean load_from(int fd, const char *name, LttViewMap *map)
{
	g_autofree guint8 *bytes = NULL;
	struct stat status;
	LttSerial in;

	if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
	    status.st_size < HEAD_BYTES || status.st_size > LTT_VIEW_CACHE_FILE_BYTES)
		return FALSE;
	bytes = g_malloc((gsize)status.st_size);
	in = (LttSerial){bytes, (gsize)status.st_size, FALSE};
	if (!read_all(fd, bytes, in.rest) || !unpack_head(&in, name) ||
	    !ltt_view_map_unpack(map, in.at, in.rest))
		return FALSE;
	futimens(fd, NULL); /* the time of the last use */
	return TRUE;
}

gboolean ltt_view_cache_load(const LttViewCache *cache, const char *name, LttViewMap *map)
{
	const int fd = openat(cache->fd, name, O_RDONLY | O_NOFOLLOW | LTT_OPEN_FOREIGN);
	gboolean is_loaded;

	if (fd < 0 && errno != ELOOP)
		return FALSE;
	is_loaded = fd >= 0 && load_from(fd, name, map);
	if (fd >= 0)
		close(fd);
	if (!is_loaded)
		unlinkat(cache->fd, name, 0);
	return is_loaded;
}

/* ---- writing ---- */

static gboolean write_all(int fd, const guint8 *bytes, gsize length)
{
	while (length > 0) {
		const ssize_t n = write(fd, bytes, length);

		if (n < 0 && errno != EINTR)
			return FALSE;
		bytes += MAX(n, 0);
		length -= (gsize)MAX(n, 0);
	}
	return TRUE;
}

static gboolean write_file(int fd, const GByteArray *body)
{
	g_autoptr(GByteArray) head = g_byte_array_new();
	guint8 sum[SUM_BYTES];

	sum_up(body->data, body->len, sum);
	ltt_serial_put_u64(head, MAGIC);
	ltt_serial_put_u32(head, LTT_VIEW_CACHE_VERSION);
	ltt_serial_put_u64(head, body->len);
	ltt_serial_put_bytes(head, sum, sizeof(sum));
	return write_all(fd, head->data, head->len) && write_all(fd, body->data, body->len) &&
	       fsync(fd) == 0;
}

static void store(const LttViewCache *cache, const char *name, const GByteArray *body)
{
	g_autofree char *unfinished =
		g_strdup_printf("%s.%08x%08x", name, (guint)getpid(), g_random_int());
	int fd;
	gboolean is_written;

	make_room(cache, body->len + HEAD_BYTES);
	fd = openat(cache->fd, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    S_IRUSR | S_IWUSR);
	if (fd < 0)
		return;
	is_written = write_file(fd, body);
	is_written = close(fd) == 0 && is_written;
	if (!is_written || renameat(cache->fd, unfinished, cache->fd, name) < 0)
		unlinkat(cache->fd, unfinished, 0);
	else
		fsync(cache->fd);
}

void ltt_view_cache_save(const LttViewCache *cache, const char *name, LttViewMap *map)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	g_autofree char *present = NULL;
	LttSymbolsCounts counts;

	/* Names of functions come from files outside of the trace. */
	ltt_symbols_get_counts(map->symbols, &counts);
	if (counts.n_found > 0 || map->stat.total.n_events < cache->min_events)
		return;
	present = ltt_view_cache_find_name(map);
	if (g_strcmp0(present, name) != 0)
		return;
	ltt_serial_put_text(body, name);
	ltt_view_map_lock(map);
	ltt_view_map_pack(map, body);
	ltt_view_map_unlock(map);
	if (body->len + HEAD_BYTES <= LTT_VIEW_CACHE_FILE_BYTES)
		store(cache, name, body);
}
