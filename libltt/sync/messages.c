/* messages.c - see messages-priv.h. */
#include "sync/messages-priv.h"

#include "base/key-sort-priv.h"
#include "sync/ends-priv.h"
#include "sync/rule-priv.h"

/* A message as a key: group is the number of the two clocks, time that of the first clock, place that
 * of the second clock, and size the side. */
struct LttSyncMessages {
	guint n_machines;
	LttSyncCounts counts;
	LttKeySort *sort;
	LttKey next; /* of the next two clocks */
	gboolean has_next;
};

/* What one machine has of an id. */
typedef struct Place {
	guint32 machine;
	guint32 n_ends[LTT_N_SYNC_ENDS];
	guint64 send_ns;    /* the earliest */
	guint64 receive_ns; /* the latest */
} Place;

static Place *find_place(GArray *places, guint32 machine)
{
	const Place added = {.machine = machine};

	for (guint i = 0; i < places->len; i++)
		if (g_array_index(places, Place, i).machine == machine)
			return &g_array_index(places, Place, i);
	g_array_append_val(places, added);
	return &g_array_index(places, Place, places->len - 1);
}

/* Ends with the same id come in ascending order of their times. */
static void add_end(GArray *places, const LttKey *key)
{
	Place *place = find_place(places, LTT_SYNC_MACHINE_OF(key->size));
	const LttSyncEnd end = LTT_SYNC_END_OF(key->size);

	if (end == LTT_SYNC_RECEIVE)
		place->receive_ns = key->place;
	else if (place->n_ends[end] == 0)
		place->send_ns = key->place;
	place->n_ends[end]++;
}

static gboolean add_message(LttSyncMessages *messages, const Place *from, const Place *to,
			    GError **error)
{
	const gboolean is_forward = from->machine < to->machine;
	const guint32 first = MIN(from->machine, to->machine);
	const guint32 second = MAX(from->machine, to->machine);
	const LttKey key = {
		.group = first * messages->n_machines + second,
		.time = is_forward ? from->send_ns : to->receive_ns,
		.place = is_forward ? to->receive_ns : from->send_ns,
		.size = is_forward ? LTT_SYNC_ABOVE : LTT_SYNC_BELOW,
	};

	messages->counts.n_messages++;
	return ltt_key_sort_add(messages->sort, &key, error);
}

/* Adds the messages of one id. */
static gboolean add_messages(LttSyncMessages *messages, const GArray *places, GError **error)
{
	const Place *from = NULL;
	guint n_senders = 0;

	for (guint i = 0; i < places->len; i++) {
		const Place *place = &g_array_index(places, Place, i);

		if (place->n_ends[LTT_SYNC_SEND] > 0) {
			from = place;
			n_senders++;
		}
		messages->counts.n_repeated += place->n_ends[LTT_SYNC_SEND] > 1;
	}
	if (n_senders > 1)
		messages->counts.n_ambiguous++;
	for (guint i = 0; n_senders == 1 && i < places->len; i++) {
		const Place *place = &g_array_index(places, Place, i);

		if (place != from && place->n_ends[LTT_SYNC_RECEIVE] > 0 &&
		    !add_message(messages, from, place, error))
			return FALSE;
	}
	return TRUE;
}

/* Matches the sorted ends. */
static gboolean match(LttSyncMessages *messages, LttKeySort *ends, GError **error)
{
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Place));
	GError *failure = NULL;
	LttKey last = {.time = 0};
	LttKey key;

	while (ltt_key_sort_next(ends, &key, &failure)) {
		if (places->len > 0 && (key.group != last.group || key.time != last.time)) {
			if (!add_messages(messages, places, error))
				return FALSE;
			g_array_set_size(places, 0);
		}
		add_end(places, &key);
		last = key;
	}
	if (failure != NULL) {
		g_propagate_error(error, failure);
		return FALSE;
	}
	return add_messages(messages, places, error);
}

/* Moves to the next message. Returns: FALSE with @error set if reading failed */
static gboolean advance(LttSyncMessages *messages, GError **error)
{
	GError *failure = NULL;

	messages->has_next = ltt_key_sort_next(messages->sort, &messages->next, &failure);
	if (failure == NULL)
		return TRUE;
	g_propagate_error(error, failure);
	return FALSE;
}

static gboolean fill(LttSyncMessages *messages, const LttSyncRequest *request,
		     const guint *machines, GError **error)
{
	g_autoptr(LttKeySort) ends = ltt_key_sort_new(LTT_KEY_SORT_HELD, NULL);

	return ltt_sync_add_ends(request, machines, ends, &messages->counts, error) &&
	       ltt_key_sort_end(ends, error) && match(messages, ends, error) &&
	       ltt_key_sort_end(messages->sort, error) && advance(messages, error);
}

LttSyncMessages *ltt_sync_messages_new(const LttSyncRequest *request, const guint *machines,
				       GError **error)
{
	LttSyncMessages *messages = g_new0(LttSyncMessages, 1);

	messages->n_machines = request->n_traces;
	messages->sort = ltt_key_sort_new(LTT_KEY_SORT_HELD, NULL);
	if (fill(messages, request, machines, error))
		return messages;
	ltt_sync_messages_free(messages);
	return NULL;
}

void ltt_sync_messages_free(LttSyncMessages *messages)
{
	if (messages == NULL)
		return;
	ltt_key_sort_free(messages->sort);
	g_free(messages);
}

void ltt_sync_messages_get_counts(const LttSyncMessages *messages, LttSyncCounts *counts)
{
	*counts = messages->counts;
}

gboolean ltt_sync_messages_next(LttSyncMessages *messages, guint *first, guint *second,
				LttSyncPoints *points, GError **error)
{
	const guint32 group = messages->next.group;

	if (!messages->has_next)
		return FALSE;
	*first = group / messages->n_machines;
	*second = group % messages->n_machines;
	ltt_sync_points_init(points);
	while (messages->has_next && messages->next.group == group) {
		ltt_sync_points_add(points, messages->next.size, messages->next.time,
				    messages->next.place);
		if (!advance(messages, error)) {
			ltt_sync_points_clear(points);
			return FALSE;
		}
	}
	return TRUE;
}
