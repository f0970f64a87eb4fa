/* glob.c - the patterns of =~.
 *
 * A pattern is a list of items; each matches one character, except the star. Backtracking goes to
 * the last star only, so there is no exponential blow-up. Text is bytes; for ? and [ ] a character
 * is a well-formed UTF-8 character, or a single byte that belongs to none.
 */
#include "filter/glob-priv.h"

#include "base/utf8-priv.h"

#include <string.h>

typedef enum ItemKind {
	ITEM_STAR,
	ITEM_BYTE,
	ITEM_ANY,
	ITEM_SET,
} ItemKind;

typedef struct Item {
	ItemKind kind;
	guint8 byte;
	gboolean is_negated; /* set */
	guint first_range;   /* set: index in glob->ranges */
	guint n_ranges;
} Item;

typedef struct Range {
	guint32 first;
	guint32 last;
} Range;

struct LttGlob {
	GArray *items;  /* of Item */
	GArray *ranges; /* of Range */
};

/* Bytes that belong to no character get codes above all characters. */
#define LONE_BYTE 0x110000

/* Decodes the character at @bytes. Returns: its length */
static gsize take_character(const guint8 *bytes, gsize available, guint32 *character)
{
	gboolean is_valid;
	const gsize length = ltt_utf8_measure(bytes, available, &is_valid);

	*character = is_valid ? g_utf8_get_char((const char *)bytes) : LONE_BYTE + (guint32)*bytes;
	return is_valid ? length : 1;
}

/* Returns: whether the byte at @at belongs to a character that begins before it */
static gboolean is_inside(const guint8 *text, gsize length, gsize at)
{
	if (at == length || (text[at] & 0xc0) != 0x80)
		return FALSE;
	for (gsize back = 1; back <= MIN(at, 3); back++) {
		gboolean is_valid;

		if ((text[at - back] & 0xc0) != 0x80)
			return ltt_utf8_measure(text + at - back, length - at + back, &is_valid) >
				       back &&
			       is_valid;
	}
	return FALSE;
}

/* ---- patterns ---- */

typedef struct Source {
	const guint8 *at;
	const guint8 *end;
	gboolean has_no_set; /* no "]" follows: later "[" need no search */
} Source;

/* Takes a character of a bracket expression, which a backslash may escape. */
static guint32 take_member(Source *source)
{
	guint32 character;

	if (*source->at == '\\' && source->end - source->at > 1)
		source->at++;
	source->at += take_character(source->at, (gsize)(source->end - source->at), &character);
	return character;
}

/* Parses a bracket expression after its "[".
 * Returns: FALSE, with @source unchanged, if the closing "]" is missing */
static gboolean take_set(LttGlob *glob, Source *source)
{
	Source rest = *source;
	Item item = {.kind = ITEM_SET, .first_range = glob->ranges->len};
	gboolean is_first = TRUE;

	if (rest.at < rest.end && (*rest.at == '!' || *rest.at == '^')) {
		item.is_negated = TRUE;
		rest.at++;
	}
	for (; rest.at < rest.end && (is_first || *rest.at != ']'); is_first = FALSE) {
		Range range;

		range.first = range.last = take_member(&rest);
		if (rest.end - rest.at > 1 && rest.at[0] == '-' && rest.at[1] != ']') {
			rest.at++;
			range.last = take_member(&rest);
		}
		g_array_append_val(glob->ranges, range);
	}
	if (rest.at == rest.end) {
		g_array_set_size(glob->ranges, item.first_range);
		source->has_no_set = TRUE;
		return FALSE;
	}
	source->at = rest.at + 1;
	item.n_ranges = glob->ranges->len - item.first_range;
	g_array_append_val(glob->items, item);
	return TRUE;
}

static void take_item(LttGlob *glob, Source *source)
{
	Item item = {.kind = ITEM_BYTE, .byte = *source->at++};

	if (item.byte == '[' && !source->has_no_set && take_set(glob, source))
		return;
	if (item.byte == '*')
		item.kind = ITEM_STAR;
	else if (item.byte == '?')
		item.kind = ITEM_ANY;
	else if (item.byte == '\\' && source->at < source->end)
		item.byte = *source->at++;
	g_array_append_val(glob->items, item);
}

LttGlob *ltt_glob_new(const char *pattern, gsize length)
{
	LttGlob *glob = g_new(LttGlob, 1);
	Source source = {.at = (const guint8 *)pattern, .end = (const guint8 *)pattern + length};

	glob->items = g_array_new(FALSE, FALSE, sizeof(Item));
	glob->ranges = g_array_new(FALSE, FALSE, sizeof(Range));
	while (source.at < source.end)
		take_item(glob, &source);
	return glob;
}

void ltt_glob_free(LttGlob *glob)
{
	if (glob == NULL)
		return;
	g_array_unref(glob->items);
	g_array_unref(glob->ranges);
	g_free(glob);
}

/* ---- matching ---- */

static gboolean is_member(const LttGlob *glob, const Item *item, guint32 character)
{
	for (guint i = 0; i < item->n_ranges; i++) {
		const Range *range = &g_array_index(glob->ranges, Range, item->first_range + i);

		if (character >= range->first && character <= range->last)
			return !item->is_negated;
	}
	return item->is_negated;
}

/* @item: not a star. Returns: the number of bytes that it matches at @at; 0: no match */
static gsize take(const LttGlob *glob, const Item *item, const guint8 *text, gsize length, gsize at)
{
	guint32 character;
	gsize taken;

	if (at == length)
		return 0;
	if (item->kind == ITEM_BYTE)
		return text[at] == item->byte;
	if (is_inside(text, length, at))
		return 0;
	taken = take_character(text + at, length - at, &character);
	return item->kind == ITEM_ANY || is_member(glob, item, character) ? taken : 0;
}

/* Returns: the first offset at or after @at where @item may match; @length: there is none */
static gsize find(const Item *item, const guint8 *text, gsize length, gsize at)
{
	const guint8 *found;

	if (item->kind != ITEM_BYTE || at >= length)
		return at;
	found = memchr(text + at, item->byte, length - at);
	return found != NULL ? (gsize)(found - text) : length;
}

gboolean ltt_glob_matches(const LttGlob *glob, const char *text, gsize length)
{
	const guint8 *bytes = (const guint8 *)text;
	const Item *items = (const Item *)(gpointer)glob->items->data;
	const guint n_items = glob->items->len;
	guint item = 0;
	gsize at = 0;
	guint after_star = 0; /* index of the item after the last star; 0: no star so far */
	gsize star_end = 0;   /* end of the text that the star matches */

	for (;;) {
		gsize taken;

		if (item == n_items && at == length)
			return TRUE;
		if (item < n_items && items[item].kind == ITEM_STAR) {
			after_star = ++item;
			if (after_star == n_items)
				return TRUE;
			star_end = at;
			continue;
		}
		taken = item < n_items ? take(glob, &items[item], bytes, length, at) : 0;
		if (taken > 0) {
			item++;
			at += taken;
			continue;
		}
		if (after_star == 0 || star_end >= length)
			return FALSE;
		star_end = find(&items[after_star], bytes, length, star_end + 1);
		at = star_end;
		item = after_star;
	}
}
