/* recording-directory.c - list the files of a recording directory (recording-directory-priv.h). */
#include "formats/perf/file/recording-directory-priv.h"

#include "base/directory-priv.h"

#include <string.h>

#define STREAM_PREFIX "data."
#define COPIES_PREFIX "kcore_dir"

/* Maximum number of digits in the name of a stream. */
#define MOST_DIGITS 9

static gboolean is_stream(const char *name)
{
	const gsize length = strlen(name);
	const gsize digits_at = strlen(STREAM_PREFIX);

	return g_str_has_prefix(name, STREAM_PREFIX) && length > digits_at &&
	       length <= digits_at + MOST_DIGITS &&
	       strspn(name + digits_at, "0123456789") == length - digits_at;
}

static guint64 number_of(const char *stream)
{
	return g_ascii_strtoull(stream + strlen(STREAM_PREFIX), NULL, 10);
}

static gint by_number(gconstpointer a, gconstpointer b)
{
	const char *const *first = a;
	const char *const *second = b;
	const guint64 number = number_of(*first);
	const guint64 other = number_of(*second);

	return number != other ? (number < other ? -1 : 1) : strcmp(*first, *second);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	const char *const *first = a;
	const char *const *second = b;

	return strcmp(*first, *second);
}

GPtrArray *ltt_perf_folder_list_streams(const char *directory, GError **error)
{
	g_autoptr(GPtrArray) names = ltt_directory_list(directory, error);
	GPtrArray *streams;

	if (names == NULL)
		return NULL;
	streams = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < names->len; i++)
		if (is_stream(names->pdata[i]))
			g_ptr_array_add(streams, g_strdup(names->pdata[i]));
	g_ptr_array_sort(streams, by_number);
	return streams;
}

static gboolean add_copies(const char *directory, const char *folder, GPtrArray *copies,
			   GError **error)
{
	g_autofree char *path = g_build_filename(directory, folder, NULL);
	g_autoptr(GPtrArray) names = NULL;

	if (!g_file_test(path, G_FILE_TEST_IS_DIR))
		return TRUE;
	names = ltt_directory_list(path, error);
	if (names == NULL)
		return FALSE;
	for (guint i = 0; i < names->len; i++)
		g_ptr_array_add(copies, g_build_filename(folder, names->pdata[i], NULL));
	return TRUE;
}

GPtrArray *ltt_perf_folder_list_copies(const char *directory, GError **error)
{
	g_autoptr(GPtrArray) names = ltt_directory_list(directory, error);
	g_autoptr(GPtrArray) copies = NULL;

	if (names == NULL)
		return NULL;
	copies = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < names->len; i++)
		if (g_str_has_prefix(names->pdata[i], COPIES_PREFIX) &&
		    !add_copies(directory, names->pdata[i], copies, error))
			return NULL;
	g_ptr_array_sort(copies, by_name);
	return g_steal_pointer(&copies);
}

static void tell_range(guint64 first, guint64 end, const LttPerfTell *tell)
{
	if (end == first + 1)
		ltt_perf_tell(tell, 0, STREAM_PREFIX "%" G_GUINT64_FORMAT " is missing", first);
	else if (end > first)
		ltt_perf_tell(tell, 0,
			      STREAM_PREFIX "%" G_GUINT64_FORMAT " to " STREAM_PREFIX
					    "%" G_GUINT64_FORMAT " are missing",
			      first, end - 1);
}

void ltt_perf_folder_tell_missing(const char *directory, const GPtrArray *streams,
				  const LttPerfTell *tell)
{
	g_autofree char *copies = g_build_filename(directory, COPIES_PREFIX, NULL);
	guint64 next = 0;

	for (guint i = 0; i < streams->len; i++) {
		const guint64 number = number_of(streams->pdata[i]);

		tell_range(next, number, tell);
		next = number + 1;
	}
	if (streams->len == 0 && !g_file_test(copies, G_FILE_TEST_IS_DIR))
		tell_range(0, 1, tell);
}
