/* tracing.c - read the tracing data of a recording, which has the old file format of trace-cmd
 * (doc/perf.md, 1.6). */
#include "formats/perf/file/tracepoint-format-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"

#include <string.h>

#define MAGIC       "\x17\x08\x44tracing"
#define MAGIC_BYTES 10

/* Maximum length of a name or version. */
#define MOST_NAME_BYTES 256

typedef struct Reader {
	LttWindow *window;
	guint64 at;
	guint64 end;
	LttByteOrder order;
	GError **error;
} Reader;

static gboolean fail(const Reader *reader, const char *what)
{
	return ltt_fail(reader->error, LTT_ERROR_CORRUPT, "tracing data: %s", what);
}

static const guint8 *take(Reader *reader, gsize length)
{
	const guint8 *bytes;

	if (length > reader->end - reader->at) {
		fail(reader, "it ends too early");
		return NULL;
	}
	bytes = ltt_window_get(reader->window, reader->at, length, reader->error);
	if (bytes != NULL)
		reader->at += length;
	return bytes;
}

static gboolean take_uint(Reader *reader, guint width, guint64 *value)
{
	const guint8 *bytes = take(reader, width);

	if (bytes == NULL)
		return FALSE;
	*value = ltt_load_uint(bytes, width, reader->order);
	return TRUE;
}

static gboolean skip(Reader *reader, guint64 length)
{
	if (length > reader->end - reader->at)
		return fail(reader, "a part is longer than the rest");
	reader->at += length;
	return TRUE;
}

/* Takes a text that is terminated by NUL. Returns: (nullable): the text, which the arena owns */
static char *take_text(Reader *reader, LttPerfArena *arena)
{
	const gsize most = (gsize)MIN(reader->end - reader->at, (guint64)MOST_NAME_BYTES);
	const guint8 *bytes = ltt_window_get(reader->window, reader->at, most, reader->error);
	const guint8 *nul;

	if (bytes == NULL)
		return NULL;
	nul = most > 0 ? memchr(bytes, '\0', most) : NULL;
	if (nul == NULL) {
		fail(reader, "a name is not terminated");
		return NULL;
	}
	reader->at += (gsize)(nul - bytes) + 1;
	return ltt_perf_arena_text(arena, g_strdup((const char *)bytes));
}

/* Skips a header part: its name, such as "header_page", a size and the data. */
static gboolean skip_header(Reader *reader, LttPerfArena *arena, const char *name)
{
	const char *text = take_text(reader, arena);
	guint64 size;

	if (text == NULL)
		return FALSE;
	if (!g_str_equal(text, name))
		return fail(reader, "a header part is missing");
	return take_uint(reader, sizeof(size), &size) && skip(reader, size);
}

static gboolean take_format(Reader *reader, LttPerfArena *arena, const char *system,
			    LttPerfTracing *tracing)
{
	LttPerfFormat format = {.system = system};
	const guint8 *text;
	guint64 size;

	if (!take_uint(reader, sizeof(size), &size))
		return FALSE;
	if (size > LTT_WINDOW_MAX_BYTES)
		return skip(reader, size);
	text = take(reader, (gsize)size);
	if (text == NULL)
		return FALSE;
	if (ltt_perf_format_parse(arena, (const char *)text, (gsize)size, tracing->long_bytes,
				  &format))
		g_array_append_val(tracing->formats, format);
	return TRUE;
}

static gboolean take_formats(Reader *reader, LttPerfArena *arena, const char *system,
			     LttPerfTracing *tracing)
{
	guint64 count;

	if (!take_uint(reader, sizeof(guint32), &count))
		return FALSE;
	for (guint64 i = 0; i < count; i++)
		if (!take_format(reader, arena, system, tracing))
			return FALSE;
	return TRUE;
}

static gboolean take_all(Reader *reader, LttPerfArena *arena, LttPerfTracing *tracing)
{
	const guint8 *magic = take(reader, MAGIC_BYTES);
	guint64 value;
	guint64 n_systems;

	if (magic == NULL)
		return FALSE;
	if (memcmp(magic, MAGIC, MAGIC_BYTES) != 0)
		return fail(reader, "it has no magic number");
	tracing->version = take_text(reader, arena);
	if (tracing->version == NULL || !take_uint(reader, 1, &value))
		return FALSE;
	tracing->is_big_endian = value != 0;
	reader->order = value != 0 ? LTT_BIG_ENDIAN : LTT_LITTLE_ENDIAN;
	if (!take_uint(reader, 1, &value))
		return FALSE;
	tracing->long_bytes = value == 4 ? 4 : 8;
	if (!take_uint(reader, sizeof(guint32), &value))
		return FALSE;
	tracing->page_bytes = (guint)value;
	if (!skip_header(reader, arena, "header_page") ||
	    !skip_header(reader, arena, "header_event") ||
	    !take_formats(reader, arena, "ftrace", tracing) ||
	    !take_uint(reader, sizeof(guint32), &n_systems))
		return FALSE;
	for (guint64 i = 0; i < n_systems; i++) {
		const char *system = take_text(reader, arena);

		if (system == NULL || !take_formats(reader, arena, system, tracing))
			return FALSE;
		tracing->n_systems++;
	}
	return TRUE;
}

gboolean ltt_perf_tracing_read(LttWindow *window, guint64 place, guint64 size, LttPerfArena *arena,
			       LttPerfTracing *tracing, guint64 *fault_at, GError **error)
{
	Reader reader = {.window = window, .at = place, .end = place + size, .error = error};

	*tracing = (LttPerfTracing){.long_bytes = 8,
				    .formats = g_array_new(FALSE, FALSE, sizeof(LttPerfFormat))};
	if (take_all(&reader, arena, tracing))
		return TRUE;
	*fault_at = reader.at;
	return FALSE;
}
