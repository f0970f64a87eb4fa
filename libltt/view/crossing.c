/* crossing.c - see crossing-priv.h. */
#include "view/crossing-priv.h"

#include "base/packed-priv.h"

#define CHUNK_ITEMS 512

typedef struct Chunk {
	LttPacked packed;
	guint64 first_begin_ns; /* the least */
	guint64 last_given_ns;
} Chunk;

G_STATIC_ASSERT(sizeof(LttViewCrossing) <= sizeof(guint32) * LTT_PACKED_WORDS);

static void free_chunk(gpointer data)
{
	Chunk *chunk = data;

	ltt_packed_clear(&chunk->packed);
	g_free(chunk);
}

GPtrArray *ltt_view_crossings_new(void)
{
	return g_ptr_array_new_with_free_func(free_chunk);
}

static Chunk *add_chunk(GPtrArray *list)
{
	Chunk *chunk = g_new0(Chunk, 1);

	chunk->first_begin_ns = G_MAXUINT64;
	ltt_packed_init(&chunk->packed, sizeof(LttViewCrossing));
	g_ptr_array_add(list, chunk);
	return chunk;
}

void ltt_view_crossings_append(GPtrArray *list, const LttViewCrossing *crossing)
{
	Chunk *chunk = list->len > 0 ? list->pdata[list->len - 1] : NULL;

	if (chunk == NULL || chunk->packed.n == CHUNK_ITEMS)
		chunk = add_chunk(list);
	ltt_packed_append(&chunk->packed, crossing);
	if (chunk->packed.n == CHUNK_ITEMS)
		ltt_packed_shrink(&chunk->packed);
	chunk->first_begin_ns = MIN(chunk->first_begin_ns, crossing->stretch.begin_ns);
	chunk->last_given_ns = crossing->given_ns;
}

gsize ltt_view_crossings_get_size(const GPtrArray *list)
{
	gsize bytes = 0;

	for (guint i = 0; i < list->len; i++) {
		const Chunk *chunk = list->pdata[i];

		bytes += sizeof(*chunk) + chunk->packed.bytes->len;
	}
	return bytes;
}

void ltt_view_crossings_visit(const GPtrArray *list, guint64 from_ns, guint64 to_ns,
			      guint64 given_ns,
			      void (*func)(const LttViewCrossing *crossing, gpointer user_data),
			      gpointer user_data)
{
	LttViewCrossing crossing;

	for (guint i = 0; i < list->len; i++) {
		const Chunk *chunk = list->pdata[i];
		LttUnpack unpack;

		if (chunk->last_given_ns < given_ns || chunk->first_begin_ns >= to_ns)
			continue;
		ltt_unpack_init(&unpack, &chunk->packed);
		while (ltt_unpack_next(&unpack, &crossing))
			if (crossing.given_ns >= given_ns && crossing.stretch.begin_ns < to_ns &&
			    crossing.stretch.end_ns > from_ns)
				func(&crossing, user_data);
	}
}

GPtrArray *ltt_view_crossings_filter(GPtrArray *list,
				     gboolean (*is_kept)(const LttViewCrossing *crossing,
							 gpointer user_data),
				     gpointer user_data)
{
	GPtrArray *kept = ltt_view_crossings_new();
	LttViewCrossing crossing;

	for (guint i = 0; i < list->len; i++) {
		const Chunk *chunk = list->pdata[i];
		LttUnpack unpack;

		ltt_unpack_init(&unpack, &chunk->packed);
		while (ltt_unpack_next(&unpack, &crossing))
			if (is_kept(&crossing, user_data))
				ltt_view_crossings_append(kept, &crossing);
	}
	g_ptr_array_unref(list);
	return kept;
}
