/* bookmark-marks.c - find the position of each bookmark in a stream of events.
 *
 * Marks are in sorted queues: one for times, one for cycle counts of each cpu file, and one for
 * cycle counts of any cpu file. An event is compared with the heads of three queues, independent
 * of the number of bookmarks.
 */
#include "bookmark.h"

typedef struct Mark {
	const LttBookmark *bookmark;
	guint64 value;
	gboolean is_end;
	guint number; /* position in the list of bookmarks: the tie-break */
} Mark;

typedef struct Queue {
	GArray *marks; /* of Mark */
	guint next;
} Queue;

struct BookmarkMarks {
	Queue *times;
	GHashTable *by_cpu; /* number of a cpu file, -1: any -> Queue */
};

static void free_queue(gpointer data)
{
	Queue *queue = data;

	g_array_unref(queue->marks);
	g_free(queue);
}

static Queue *new_queue(void)
{
	Queue *queue = g_new0(Queue, 1);

	queue->marks = g_array_new(FALSE, FALSE, sizeof(Mark));
	return queue;
}

static Queue *queue_of(BookmarkMarks *marks, const LttBookmark *bookmark)
{
	gpointer key = GINT_TO_POINTER(bookmark->cpu);
	Queue *queue;

	if (bookmark->unit == LTT_BOOKMARK_TIME)
		return marks->times;
	queue = g_hash_table_lookup(marks->by_cpu, key);
	if (queue == NULL) {
		queue = new_queue();
		g_hash_table_insert(marks->by_cpu, key, queue);
	}
	return queue;
}

static gint compare_marks(gconstpointer a, gconstpointer b)
{
	const Mark *left = a;
	const Mark *right = b;

	if (left->value != right->value)
		return left->value < right->value ? -1 : 1;
	if (left->is_end != right->is_end)
		return left->is_end ? 1 : -1;
	return left->number < right->number ? -1 : left->number > right->number;
}

static void sort_queue(gpointer key, gpointer queue, gpointer user_data)
{
	(void)key;
	(void)user_data;
	g_array_sort(((Queue *)queue)->marks, compare_marks);
}

BookmarkMarks *bookmark_marks_new(const GPtrArray *bookmarks, guint64 from_ns, guint64 to_ns)
{
	BookmarkMarks *marks = g_new(BookmarkMarks, 1);

	marks->times = new_queue();
	marks->by_cpu = g_hash_table_new_full(NULL, NULL, NULL, free_queue);
	for (guint i = 0; i < bookmarks->len; i++) {
		const LttBookmark *bookmark = bookmarks->pdata[i];
		const gboolean is_time = bookmark->unit == LTT_BOOKMARK_TIME;
		const Mark start = {bookmark, bookmark->start, FALSE, i};
		const Mark end = {bookmark, bookmark->end, TRUE, i};
		Queue *queue = queue_of(marks, bookmark);

		if (!is_time || (start.value >= from_ns && start.value < to_ns))
			g_array_append_val(queue->marks, start);
		if (bookmark->is_interval &&
		    (!is_time || (end.value >= from_ns && end.value < to_ns)))
			g_array_append_val(queue->marks, end);
	}
	sort_queue(NULL, marks->times, NULL);
	g_hash_table_foreach(marks->by_cpu, sort_queue, NULL);
	return marks;
}

void bookmark_marks_free(BookmarkMarks *marks)
{
	if (marks == NULL)
		return;
	free_queue(marks->times);
	g_hash_table_unref(marks->by_cpu);
	g_free(marks);
}

/* Removes the marks up to @value from @queue and calls @func for each. @value: NULL: all marks */
static void pass(Queue *queue, const guint64 *value, BookmarkFunc func, gpointer user_data)
{
	for (; queue != NULL && queue->next < queue->marks->len; queue->next++) {
		const Mark *mark = &g_array_index(queue->marks, Mark, queue->next);

		if (value != NULL &&
		    (mark->value > *value || (mark->is_end && mark->value == *value)))
			return;
		func(mark->bookmark, mark->is_end, user_data);
	}
}

static void pass_all(BookmarkMarks *marks, BookmarkFunc func, gpointer user_data)
{
	GHashTableIter iter;
	gpointer queue;

	pass(marks->times, NULL, func, user_data);
	g_hash_table_iter_init(&iter, marks->by_cpu);
	while (g_hash_table_iter_next(&iter, NULL, &queue))
		pass(queue, NULL, func, user_data);
}

void bookmark_marks_pass(BookmarkMarks *marks, const LttEvent *event, BookmarkFunc func,
			 gpointer user_data)
{
	gint cpu;

	if (event == NULL) {
		pass_all(marks, func, user_data);
		return;
	}
	pass(marks->times, &event->time_ns, func, user_data);
	cpu = ltt_tracefile_get_cpu(event->tracefile);
	if (cpu < 0)
		return;
	pass(g_hash_table_lookup(marks->by_cpu, GINT_TO_POINTER(-1)), &event->cycles, func,
	     user_data);
	pass(g_hash_table_lookup(marks->by_cpu, GINT_TO_POINTER(cpu)), &event->cycles, func,
	     user_data);
}
