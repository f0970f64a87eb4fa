/* packed-priv.h - a compact list of structs of one type, which is read from its begin.
 *
 * A struct is a sequence of words of four bytes. The list stores the words that differ from those of
 * the preceding struct, as differences:
 *
 *	bitmap, a bit for each word | difference | difference | ...
 *
 * A difference takes one to five bytes: seven bits in each, the lowest ones first, and the sign in the
 * lowest bit. Structs that resemble each other, such as the states of threads, take a fifth to a
 * tenth of their size. Padding is stored, too, so initialise it.
 *
 * All functions are inline: libraries on top of libltt use them, which see only its public symbols.
 */
#ifndef LTT_BASE_PACKED_PRIV_H
#define LTT_BASE_PACKED_PRIV_H

#ifndef LTT_BUILDING
#error "base/packed-priv.h is private to libltt"
#endif

#include <glib.h>
#include <string.h>

/* Words of the largest struct. */
#define LTT_PACKED_WORDS 64

typedef struct LttPacked {
	GByteArray *bytes;
	guint n;       /* structs */
	guint n_words; /* of a struct */
	guint32 last[LTT_PACKED_WORDS];
} LttPacked;

static inline void ltt_packed_init(LttPacked *packed, gsize struct_bytes)
{
	g_assert(struct_bytes % sizeof(guint32) == 0 &&
		 struct_bytes <= sizeof(guint32) * LTT_PACKED_WORDS);
	*packed = (LttPacked){
		.bytes = g_byte_array_new(),
		.n_words = (guint)(struct_bytes / sizeof(guint32)),
	};
}

static inline void ltt_packed_clear(LttPacked *packed)
{
	g_clear_pointer(&packed->bytes, g_byte_array_unref);
}

static inline gsize ltt_packed_get_size(const LttPacked *packed)
{
	return sizeof(*packed) + packed->bytes->len;
}

/* Appends a copy of the struct at @item. */
static inline void ltt_packed_append(LttPacked *packed, gconstpointer item)
{
	guint8 coded[LTT_PACKED_WORDS / 8 + 5 * LTT_PACKED_WORDS] = {0};
	guint8 *at = coded + (packed->n_words + 7) / 8;
	guint32 words[LTT_PACKED_WORDS];

	memcpy(words, item, packed->n_words * sizeof(guint32));
	for (guint i = 0; i < packed->n_words; i++) {
		const guint32 difference = words[i] - packed->last[i];
		guint32 rest = difference << 1 ^ (difference >> 31 != 0 ? G_MAXUINT32 : 0);

		if (difference == 0)
			continue;
		coded[i / 8] |= (guint8)(1U << i % 8);
		for (; rest >= 0x80; rest >>= 7)
			*at++ = (guint8)(rest | 0x80);
		*at++ = (guint8)rest;
	}
	g_byte_array_append(packed->bytes, coded, (guint)(at - coded));
	memcpy(packed->last, words, sizeof(words[0]) * packed->n_words);
	packed->n++;
}

/* Releases the memory that is reserved for further structs. */
static inline void ltt_packed_shrink(LttPacked *packed)
{
	gsize length;
	guint8 *bytes = g_byte_array_steal(packed->bytes, &length);

	g_byte_array_unref(packed->bytes);
	packed->bytes = g_byte_array_new_take(g_realloc(bytes, length), length);
}

/* A position in a list. */
typedef struct LttUnpack {
	const guint8 *at;
	guint n_left;
	guint n_words;
	guint32 words[LTT_PACKED_WORDS]; /* of the preceding struct */
} LttUnpack;

/* Starts at the begin of a list, which must not change while it is read. */
static inline void ltt_unpack_init(LttUnpack *unpack, const LttPacked *packed)
{
	*unpack = (LttUnpack){
		.at = packed->bytes->data,
		.n_left = packed->n,
		.n_words = packed->n_words,
	};
}

/* Copies the next struct to @item. Returns: FALSE at the end of the list */
static inline gboolean ltt_unpack_next(LttUnpack *unpack, gpointer item)
{
	const guint8 *bitmap = unpack->at;
	const guint8 *at;

	if (unpack->n_left == 0)
		return FALSE;
	at = bitmap + (unpack->n_words + 7) / 8;
	for (guint i = 0; i < unpack->n_words; i++) {
		guint32 coded = 0;

		if ((bitmap[i / 8] >> i % 8 & 1) == 0)
			continue;
		for (guint shift = 0;; shift += 7) {
			coded |= (guint32)(*at & 0x7f) << shift;
			if (*at++ < 0x80)
				break;
		}
		unpack->words[i] += coded >> 1 ^ ((coded & 1) != 0 ? G_MAXUINT32 : 0);
	}
	memcpy(item, unpack->words, unpack->n_words * sizeof(guint32));
	unpack->at = at;
	unpack->n_left--;
	return TRUE;
}

#endif
