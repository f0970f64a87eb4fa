/* notes.c - see notes-priv.h. */
#include "record/kernel/notes-priv.h"

static void clear_note(gpointer note)
{
	g_free(((LttNote *)note)->bytes);
}

GArray *ltt_notes_new(void)
{
	GArray *notes = g_array_new(FALSE, FALSE, sizeof(LttNote));

	g_array_set_clear_func(notes, clear_note);
	return notes;
}

void ltt_notes_add(GArray *notes, guint64 cycles, guint32 tid, guint16 id,
		   const LttPayload *payload)
{
	const LttNote note = {.cycles = cycles,
			      .tid = tid,
			      .id = id,
			      .n_bytes = (guint16)payload->bytes->len,
			      .bytes = g_memdup2(payload->bytes->data, payload->bytes->len)};

	g_array_append_val(notes, note);
}

static gint compare_notes(gconstpointer left, gconstpointer right)
{
	const LttNote *a = left;
	const LttNote *b = right;

	return a->cycles < b->cycles ? -1 : a->cycles > b->cycles;
}

void ltt_notes_take(GArray *notes, guint64 before_cycles, LttNoteFunc func, gpointer user_data)
{
	guint n_done = 0;

	g_array_sort(notes, compare_notes);
	for (; n_done < notes->len; n_done++) {
		const LttNote *note = &g_array_index(notes, LttNote, n_done);

		if (note->cycles >= before_cycles)
			break;
		func(note, user_data);
	}
	if (n_done > 0)
		g_array_remove_range(notes, 0, n_done);
}
