/* import-deferred.c - join samples with user call chains that were recorded later.
 *
 * From Linux 7.2 on, the kernel may unwind the user stack when the thread returns to user space.
 * The call chain of a sample then ends with a mark and a cookie, and the record CALLCHAIN_DEFERRED
 * with this cookie contains the rest. perf script joins the two. The import writes an event with
 * the joined call chain after the sample.
 *
 * The first pass collects the positions of these records, at most MOST_NOTED of them, and reports
 * if there are more. The size of the joined call chains has a limit, too (import.c). No data is lost
 * in these cases, because the sample and the record are also separate events.
 */
#include "formats/perf/import-priv.h"

#include "base/bytes-priv.h"

#include <fcntl.h>

#define WORD_BYTES sizeof(guint64)

/* PERF_CONTEXT_USER_DEFERRED of <linux/perf_event.h> */
#define USER_DEFERRED ((guint64)-640)

#define MOST_NOTED (1U << 20)

typedef struct Deferred {
	guint64 cookie;
	guint64 place; /* offset of the record */
	guint32 size;
	guint32 tid;
} Deferred;

void ltt_perf_deferred_note(LttPerfImport *import, const LttPerfRecord *record, guint64 place)
{
	Deferred deferred = {.place = place, .size = record->size};
	LttPerfThread thread;

	if (record->size < LTT_PERF_RECORD_HEADER_BYTES + 2 * WORD_BYTES ||
	    !ltt_perf_record_thread(import->meta, record, &thread))
		return;
	if (import->deferred->len == MOST_NOTED) {
		ltt_perf_tell(&import->tell, place,
			      "only the first %u deferred call chains are joined to their samples; "
			      "this one and later ones are separate events only",
			      MOST_NOTED);
		import->deferred_is_full = TRUE;
	}
	if (import->deferred_is_full)
		return;
	deferred.cookie =
		ltt_load_u64(record->bytes + LTT_PERF_RECORD_HEADER_BYTES, import->meta->order);
	deferred.tid = thread.tid;
	g_array_append_val(import->deferred, deferred);
}

static gint compare(gconstpointer a, gconstpointer b)
{
	const Deferred *one = a;
	const Deferred *other = b;

	if (one->cookie != other->cookie)
		return one->cookie < other->cookie ? -1 : 1;
	return one->tid < other->tid ? -1 : one->tid > other->tid;
}

GArray *ltt_perf_deferred_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(Deferred));
}

gboolean ltt_perf_deferred_begin(LttPerfImport *import, GError **error)
{
	int fd;

	g_array_sort(import->deferred, compare);
	/* Do not use the window of the samples: its data is valid only until the next call. */
	fd = fcntl(ltt_window_get_fd(import->flat), F_DUPFD_CLOEXEC, 0);
	import->aside = ltt_window_new(fd, ltt_window_get_name(import->flat), error);
	return import->aside != NULL;
}

/* Skips the counter values of a sample. Returns: (nullable): their end; NULL if the sample ends
 * within them */
static const guint8 *skip_read(const LttPerfAttr *attr, LttByteOrder order, const guint8 *at,
			       const guint8 *end)
{
	const guint64 times = attr->read_format & (LTT_PERF_BIT(LTT_PERF_READ_ENABLED) |
						   LTT_PERF_BIT(LTT_PERF_READ_RUNNING));
	const guint64 others = attr->read_format &
			       (LTT_PERF_BIT(LTT_PERF_READ_ID) | LTT_PERF_BIT(LTT_PERF_READ_LOST));
	const guint64 item_words = 1 + (guint64)__builtin_popcountll(others);
	guint64 n_words = (guint64)__builtin_popcountll(times);
	guint64 n_items = 1;

	if ((attr->read_format & LTT_PERF_BIT(LTT_PERF_READ_GROUP)) != 0) {
		if ((gsize)(end - at) < WORD_BYTES)
			return NULL;
		n_items = ltt_load_u64(at, order);
		n_words++;
	}
	if (n_items > G_MAXUINT16)
		return NULL;
	n_words += n_items * item_words;
	return n_words <= (gsize)(end - at) / WORD_BYTES ? at + n_words * WORD_BYTES : NULL;
}

/* Finds the call chain of a sample. @n: (out): number of addresses. Returns: (nullable): the
 * addresses */
static const guint8 *find_chain(const LttPerfRecord *record, LttByteOrder order, guint64 *n)
{
	const LttPerfAttr *attr = record->attr;
	const guint8 *end = record->bytes + record->size;
	const guint8 *at = record->bytes + LTT_PERF_RECORD_HEADER_BYTES;
	gsize head_bytes;

	if (record->type != LTT_PERF_SAMPLE || attr == NULL ||
	    (attr->sample_type & LTT_PERF_BIT(LTT_PERF_CALLCHAIN)) == 0)
		return NULL;
	head_bytes =
		(gsize)__builtin_popcountll(attr->sample_type & LTT_PERF_BEFORE_READ) * WORD_BYTES;
	if ((gsize)(end - at) < head_bytes)
		return NULL;
	at += head_bytes;
	if ((attr->sample_type & LTT_PERF_BIT(LTT_PERF_READ)) != 0)
		at = skip_read(attr, order, at, end);
	if (at == NULL || (gsize)(end - at) < WORD_BYTES)
		return NULL;
	*n = ltt_load_u64(at, order);
	at += WORD_BYTES;
	return *n <= (gsize)(end - at) / WORD_BYTES ? at : NULL;
}

static const Deferred *find_rest(const LttPerfImport *import, guint64 cookie, guint32 tid)
{
	const Deferred wanted = {.cookie = cookie, .tid = tid};
	guint index;

	return g_array_binary_search(import->deferred, &wanted, compare, &index)
		       ? &g_array_index(import->deferred, Deferred, index)
		       : NULL;
}

static void load_words(guint64 *words, const guint8 *bytes, gsize n_words, LttByteOrder order)
{
	for (gsize i = 0; i < n_words; i++)
		words[i] = ltt_load_u64(bytes + i * WORD_BYTES, order);
}

static void write_joined(LttPerfImport *import, guint64 cookie, const guint8 *chain, gsize n_chain,
			 const guint8 *rest, gsize n_rest)
{
	g_autofree guint64 *words = g_new(guint64, n_chain + n_rest);
	const struct perf_joined_callchain joined = {
		.cookie = cookie,
		.callchain = {n_chain + n_rest, words},
	};

	load_words(words, chain, n_chain, import->meta->order);
	load_words(words + n_chain, rest, n_rest, import->meta->order);
	write_perf_joined_callchain(&import->payload, &joined);
}

gboolean ltt_perf_deferred_join(LttPerfImport *import, const LttPerfRecord *record,
				const LttPerfThread *thread, gboolean *is_joined, GError **error)
{
	const LttByteOrder order = import->meta->order;
	guint64 n = 0;
	const guint8 *chain = find_chain(record, order, &n);
	const Deferred *deferred;
	const guint8 *rest;
	guint64 n_rest;

	*is_joined = FALSE;
	if (chain == NULL || thread == NULL || n < 2 ||
	    ltt_load_u64(chain + (n - 2) * WORD_BYTES, order) != USER_DEFERRED)
		return TRUE;
	deferred =
		find_rest(import, ltt_load_u64(chain + (n - 1) * WORD_BYTES, order), thread->tid);
	if (deferred == NULL)
		return TRUE;
	rest = ltt_window_get(import->aside, deferred->place, deferred->size, error);
	if (rest == NULL)
		return FALSE;
	rest += LTT_PERF_RECORD_HEADER_BYTES + WORD_BYTES;
	n_rest = ltt_load_u64(rest, order);
	rest += WORD_BYTES;
	if (n_rest > (deferred->size - LTT_PERF_RECORD_HEADER_BYTES - 2 * WORD_BYTES) / WORD_BYTES)
		return TRUE;
	/* Like perf, keep the mark and drop the cookie. */
	write_joined(import, deferred->cookie, chain, (gsize)(n - 1), rest, (gsize)n_rest);
	*is_joined = TRUE;
	return TRUE;
}
