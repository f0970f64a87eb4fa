/* open.c - see open-priv.h.
 *
 * Linear probing, with backward shift deletion: no tombstones, however long the trace.
 */
#include "analysis/open-priv.h"

#include "base/hash-priv.h"

#include <string.h>

#define FIRST_SLOTS 256 /* a power of two */
#define SMALL_SLOTS 4096
#define CHUNK_ITEMS 256 /* items that are allocated together, and never move */
#define NONE        G_MAXUINT32

/* The key of a slot that is a string. */
typedef struct Text {
	gsize length;
	char bytes[];
} Text;

/* Two in a cache line. */
typedef struct Slot {
	guint64 hash;
	union {
		guint64 number;
		Text *text; /* LTT_KEY_STRING; owned */
	};
	guint32 machine;
	guint32 space;
	guint32 kind; /* LttKeyKind; LTT_KEY_NONE: the slot is free */
	guint32 top;  /* index of an item */
} Slot;

/* In front of each item. */
typedef struct Link {
	guint32 below; /* in the stack, or the next free item; NONE: none */
	gboolean is_used;
} Link;

struct LttOpenTable {
	Slot *slots;
	gsize n_slots; /* a power of two */
	gsize n_keys;
	GPtrArray *chunks; /* of CHUNK_ITEMS times a Link and an item */
	gsize stride_bytes;
	guint32 n_items;
	guint32 n_places; /* in items, free ones included */
	guint32 first_free;
	guint32 popped; /* the item of the last pop, which becomes free with the next one; NONE: none */
	guint32 max_items;
	GDestroyNotify clear_item;
};

/* ---- items ---- */

static Link *get_link(const LttOpenTable *table, guint32 index)
{
	guint8 *chunk = table->chunks->pdata[index / CHUNK_ITEMS];

	return (Link *)(gpointer)(chunk + index % CHUNK_ITEMS * table->stride_bytes);
}

static gpointer get_item(const LttOpenTable *table, guint32 index)
{
	return get_link(table, index) + 1;
}

static guint32 take_place(LttOpenTable *table)
{
	guint32 index = table->first_free;

	if (index != NONE) {
		table->first_free = get_link(table, index)->below;
	} else {
		index = table->n_places++;
		if (index % CHUNK_ITEMS == 0)
			g_ptr_array_add(table->chunks, g_malloc(CHUNK_ITEMS * table->stride_bytes));
	}
	table->n_items++;
	get_link(table, index)->is_used = TRUE;
	return index;
}

/* Frees the place of the last pop. */
static void free_popped(LttOpenTable *table)
{
	if (table->popped == NONE)
		return;
	if (table->clear_item != NULL)
		table->clear_item(get_item(table, table->popped));
	get_link(table, table->popped)->below = table->first_free;
	table->first_free = table->popped;
	table->popped = NONE;
}

/* ---- slots ---- */

static inline guint64 hash_key(guint32 space, const LttKeyValue *key)
{
	const LttHashSecret *secret = &ltt_hash_secret;
	const guint64 rest =
		((guint64)space << 32 | key->machine) + (guint64)key->kind * 0x9e3779b9;

	return ltt_hash_pair_by(secret, rest,
				G_LIKELY(key->kind != LTT_KEY_STRING)
					? key->number
					: ltt_hash_bytes_by(secret, key->text, key->length));
}

static Text *copy_text(const LttKeyValue *key)
{
	Text *text = g_malloc(sizeof(Text) + key->length);

	text->length = key->length;
	if (key->length > 0)
		memcpy(text->bytes, key->text, key->length);
	return text;
}

static void clear_text(Slot *slot)
{
	if (slot->kind == LTT_KEY_STRING)
		g_free(slot->text);
}

static gboolean is_text(const Text *text, const LttKeyValue *key)
{
	return text->length == key->length &&
	       (key->length == 0 || memcmp(text->bytes, key->text, key->length) == 0);
}

static inline gboolean is_slot_of(const Slot *slot, guint64 hash, guint32 space,
				  const LttKeyValue *key)
{
	return slot->hash == hash && slot->kind == key->kind && slot->space == space &&
	       slot->machine == key->machine &&
	       (key->kind == LTT_KEY_STRING ? is_text(slot->text, key)
					    : slot->number == key->number);
}

/* Returns: the slot of the key, or the free slot where it belongs */
static inline Slot *find_slot(const LttOpenTable *table, guint64 hash, guint32 space,
			      const LttKeyValue *key)
{
	gsize at = hash & (table->n_slots - 1);

	while (table->slots[at].kind != LTT_KEY_NONE &&
	       !is_slot_of(&table->slots[at], hash, space, key))
		at = (at + 1) & (table->n_slots - 1);
	return &table->slots[at];
}

/* A small table has more free slots, because most searches then end at the first slot. */
static gboolean is_full(const LttOpenTable *table)
{
	return table->n_keys * (table->n_slots <= SMALL_SLOTS ? 4 : 2) >= table->n_slots;
}

static void grow(LttOpenTable *table)
{
	Slot *old = table->slots;
	const gsize n_old = table->n_slots;

	table->n_slots *= 2;
	table->slots = g_new0(Slot, table->n_slots);
	for (gsize i = 0; i < n_old; i++) {
		gsize at = old[i].hash & (table->n_slots - 1);

		if (old[i].kind == LTT_KEY_NONE)
			continue;
		while (table->slots[at].kind != LTT_KEY_NONE)
			at = (at + 1) & (table->n_slots - 1);
		table->slots[at] = old[i];
	}
	g_free(old);
}

/* Removes a key, and moves later keys that a search would no longer reach. */
static void free_slot(LttOpenTable *table, Slot *slot)
{
	const gsize mask = table->n_slots - 1;
	gsize hole = (gsize)(slot - table->slots);

	clear_text(slot);
	for (gsize at = (hole + 1) & mask; table->slots[at].kind != LTT_KEY_NONE;
	     at = (at + 1) & mask) {
		const gsize home = table->slots[at].hash & mask;

		if (((at - home) & mask) >= ((at - hole) & mask)) {
			table->slots[hole] = table->slots[at];
			hole = at;
		}
	}
	table->slots[hole] = (Slot){0};
	table->n_keys--;
}

/* ---- the table ---- */

LttOpenTable *ltt_open_table_new(gsize item_bytes, guint32 max_items, GDestroyNotify clear_item)
{
	LttOpenTable *table = g_new0(LttOpenTable, 1);
	const gsize unit = sizeof(guint64);

	table->n_slots = FIRST_SLOTS;
	table->slots = g_new0(Slot, table->n_slots);
	table->chunks = g_ptr_array_new_with_free_func(g_free);
	table->stride_bytes = sizeof(Link) + (item_bytes + unit - 1) / unit * unit;
	table->first_free = table->popped = NONE;
	table->max_items = max_items;
	table->clear_item = clear_item;
	return table;
}

static void clear_one(gpointer item, gpointer table)
{
	((LttOpenTable *)table)->clear_item(item);
}

void ltt_open_table_free(LttOpenTable *table)
{
	if (table == NULL)
		return;
	free_popped(table);
	if (table->clear_item != NULL)
		ltt_open_table_foreach(table, clear_one, table);
	for (gsize i = 0; i < table->n_slots; i++)
		clear_text(&table->slots[i]);
	g_free(table->slots);
	g_ptr_array_unref(table->chunks);
	g_free(table);
}

gpointer ltt_open_table_push(LttOpenTable *table, guint32 space, const LttKeyValue *key)
{
	const guint64 hash = hash_key(space, key);
	Slot *slot;
	guint32 index;

	if (table->n_items >= table->max_items)
		return NULL;
	if (is_full(table))
		grow(table);
	slot = find_slot(table, hash, space, key);
	index = take_place(table);
	if (slot->kind == LTT_KEY_NONE) {
		*slot = (Slot){
			.hash = hash,
			.machine = key->machine,
			.space = space,
			.kind = key->kind,
			.top = NONE,
		};
		if (key->kind == LTT_KEY_STRING)
			slot->text = copy_text(key);
		else
			slot->number = key->number;
		table->n_keys++;
	}
	get_link(table, index)->below = slot->top;
	slot->top = index;
	return get_item(table, index);
}

gpointer ltt_open_table_pop(LttOpenTable *table, guint32 space, const LttKeyValue *key)
{
	Slot *slot = find_slot(table, hash_key(space, key), space, key);
	Link *link;

	if (slot->kind == LTT_KEY_NONE)
		return NULL;
	free_popped(table);
	table->popped = slot->top;
	table->n_items--;
	link = get_link(table, table->popped);
	link->is_used = FALSE;
	slot->top = link->below;
	if (slot->top == NONE)
		free_slot(table, slot);
	return link + 1;
}

guint32 ltt_open_table_get_n(const LttOpenTable *table)
{
	return table->n_items;
}

void ltt_open_table_foreach(LttOpenTable *table, GFunc visit, gpointer user_data)
{
	for (guint32 i = 0; i < table->n_places; i++) {
		if (get_link(table, i)->is_used)
			visit(get_item(table, i), user_data);
	}
}
