/* key-sort.c - external merge sort of small keys.
 *
 * Keys are collected up to a limit and sorted in memory by a natural merge sort. If more follow,
 * the sorted keys are written to a scratch file as a run. A heap finally merges the runs.
 *
 *	keys in memory    5 9 | 2 7 8 | 1 3      ascending rows, merged in pairs
 *	scratch file      [1 2 3 5 7 8 9][0 4 6 ...][...]      sorted runs
 *	heap of runs      the run with the smallest next key first
 */
#include "base/key-sort-priv.h"

#include "base/heap-priv.h"

#include "base/scratch-priv.h"
#include "base/window-priv.h"

#include <string.h>

typedef struct Run {
	guint64 at; /* offset in the file of the next key to read */
	guint64 end;
	LttKey *keys; /* read buffer */
	gsize n_keys;
	gsize next;
} Run;

struct LttKeySort {
	char *directory;
	gsize n_held;
	LttKey *keys;
	LttKey *spare; /* of the same size, to merge into */
	gsize n_room;  /* size of both */
	gsize n_keys;
	gsize next; /* key to return next, if there are no runs */
	LttScratch *scratch;
	LttWindow *window;
	GArray *runs; /* of Run */
	LttHeap heap; /* of Head: the run with the smallest key is first */
};

#define FIRST_ROOM 1024

LttKeySort *ltt_key_sort_new(gsize n_held, const char *directory)
{
	LttKeySort *sort = g_new0(LttKeySort, 1);

	sort->n_held = MAX(n_held, 2);
	sort->directory = g_strdup(directory);
	sort->runs = g_array_new(FALSE, FALSE, sizeof(Run));
	return sort;
}

void ltt_key_sort_free(LttKeySort *sort)
{
	if (sort == NULL)
		return;
	for (guint i = 0; i < sort->runs->len; i++)
		g_free(g_array_index(sort->runs, Run, i).keys);
	g_array_unref(sort->runs);
	ltt_window_free(sort->window);
	ltt_scratch_free(sort->scratch);
	ltt_heap_clear(&sort->heap);
	g_free(sort->keys);
	g_free(sort->spare);
	g_free(sort->directory);
	g_free(sort);
}

static inline gboolean is_before(const LttKey *a, const LttKey *b)
{
	if (a->group != b->group)
		return a->group < b->group;
	if (a->time != b->time)
		return a->time < b->time;
	return a->place < b->place;
}

/* Merges the sorted ranges [a, b) and [b, c) of @from into @to. */
static void merge(const LttKey *from, LttKey *to, gsize a, gsize b, gsize c)
{
	gsize left = a;
	gsize right = b;
	gsize at = a;

	while (left < b && right < c)
		to[at++] = is_before(&from[right], &from[left]) ? from[right++] : from[left++];
	memcpy(to + at, from + left, (b - left) * sizeof(*to));
	at += b - left;
	memcpy(to + at, from + right, (c - right) * sizeof(*to));
}

/* Sorts the keys in memory: merges pairs of ascending rows until one row is left. */
static void order(LttKeySort *sort)
{
	g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(gsize));

	for (gsize i = 1; i <= sort->n_keys; i++)
		if (i == sort->n_keys || is_before(&sort->keys[i], &sort->keys[i - 1]))
			g_array_append_val(ends, i);
	while (ends->len > 1) {
		guint n_after = 0;
		gsize begin = 0;

		for (guint i = 0; i < ends->len; i += 2) {
			const gsize middle = g_array_index(ends, gsize, i);
			const gsize end =
				i + 1 < ends->len ? g_array_index(ends, gsize, i + 1) : middle;

			merge(sort->keys, sort->spare, begin, middle, end);
			g_array_index(ends, gsize, n_after++) = end;
			begin = end;
		}
		g_array_set_size(ends, n_after);
		{
			LttKey *sorted = sort->spare;

			sort->spare = sort->keys;
			sort->keys = sorted;
		}
	}
}

static gboolean write_run(LttKeySort *sort, GError **error)
{
	Run run = {0};

	if (sort->scratch == NULL) {
		sort->scratch = ltt_scratch_new(sort->directory, error);
		if (sort->scratch == NULL)
			return FALSE;
	}
	order(sort);
	run.at = ltt_scratch_get_size(sort->scratch);
	run.end = run.at + sort->n_keys * sizeof(LttKey);
	if (!ltt_scratch_put(sort->scratch, run.at, sort->keys, sort->n_keys * sizeof(LttKey),
			     error))
		return FALSE;
	g_array_append_val(sort->runs, run);
	sort->n_keys = 0;
	return TRUE;
}

gboolean ltt_key_sort_add(LttKeySort *sort, const LttKey *key, GError **error)
{
	if (G_UNLIKELY(sort->n_keys == sort->n_held) && !write_run(sort, error))
		return FALSE;
	if (G_UNLIKELY(sort->n_keys == sort->n_room)) {
		sort->n_room = MIN(MAX(2 * sort->n_room, FIRST_ROOM), sort->n_held);
		g_assert(sort->n_room > 0);
		sort->keys = g_renew(LttKey, sort->keys, sort->n_room);
		sort->spare = g_renew(LttKey, sort->spare, sort->n_room);
	}
	sort->keys[sort->n_keys++] = *key;
	return TRUE;
}

/* ---- the runs of a scratch file ---- */

/* Makes sure that the next key of a run is in its buffer. Returns: FALSE at its end, or with
 * @error set */
static gboolean fill(LttKeySort *sort, Run *run, gsize n_at_once, GError **error)
{
	const guint8 *bytes;

	if (run->next < run->n_keys)
		return TRUE;
	if (run->at == run->end)
		return FALSE;
	run->next = 0;
	run->n_keys = (gsize)MIN(n_at_once, (run->end - run->at) / sizeof(LttKey));
	bytes = ltt_window_get(sort->window, run->at, run->n_keys * sizeof(LttKey), error);
	if (bytes == NULL)
		return FALSE;
	memcpy(run->keys, bytes, run->n_keys * sizeof(LttKey));
	run->at += run->n_keys * sizeof(LttKey);
	return TRUE;
}

/* The next key of a run. */
typedef struct Head {
	LttKey key;
	Run *run;
} Head;

static gboolean is_head_before(gconstpointer a, gconstpointer b)
{
	return is_before(&((const Head *)a)->key, &((const Head *)b)->key);
}

static Head head_of(Run *run)
{
	return (Head){.key = run->keys[run->next], .run = run};
}

/* Returns: the size of a run's read buffer in keys; all runs share the memory of the keys held */
static gsize keys_at_once(const LttKeySort *sort)
{
	return CLAMP(sort->n_held / sort->runs->len, 2, 4096);
}

gboolean ltt_key_sort_end(LttKeySort *sort, GError **error)
{
	gsize n_at_once;
	int fd;

	if (sort->scratch == NULL) {
		order(sort);
		g_clear_pointer(&sort->spare, g_free);
		return TRUE;
	}
	if (!write_run(sort, error))
		return FALSE;
	g_clear_pointer(&sort->keys, g_free);
	g_clear_pointer(&sort->spare, g_free);
	fd = ltt_scratch_dup(sort->scratch, error);
	if (fd < 0)
		return FALSE;
	sort->window = ltt_window_new(fd, "temporary file", error);
	if (sort->window == NULL)
		return FALSE;
	n_at_once = keys_at_once(sort);
	ltt_heap_init(&sort->heap, sizeof(Head), is_head_before);
	for (guint i = 0; i < sort->runs->len; i++) {
		Run *run = &g_array_index(sort->runs, Run, i);
		g_autoptr(GError) failed = NULL;

		run->keys = g_new(LttKey, n_at_once);
		if (fill(sort, run, n_at_once, &failed))
			ltt_heap_push(&sort->heap, &(const Head){run->keys[run->next], run});
		if (failed != NULL) {
			g_propagate_error(error, g_steal_pointer(&failed));
			return FALSE;
		}
	}
	return TRUE;
}

gboolean ltt_key_sort_next(LttKeySort *sort, LttKey *key, GError **error)
{
	g_autoptr(GError) failed = NULL;
	const Head *first;
	Head head;
	Run *run;

	if (sort->scratch == NULL) {
		if (sort->next == sort->n_keys)
			return FALSE;
		*key = sort->keys[sort->next++];
		return TRUE;
	}
	first = ltt_heap_peek(&sort->heap);
	if (first == NULL)
		return FALSE;
	*key = first->key;
	run = first->run;
	run->next++;
	if (!fill(sort, run, keys_at_once(sort), &failed)) {
		if (failed != NULL) {
			g_propagate_error(error, g_steal_pointer(&failed));
			return FALSE;
		}
		ltt_heap_pop(&sort->heap, NULL);
		return TRUE;
	}
	head = head_of(run);
	ltt_heap_replace(&sort->heap, &head);
	return TRUE;
}
