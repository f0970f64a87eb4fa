/* ltt-hash.h - hashes of keys that somebody else has chosen: names, ids and values of a trace.
 *
 *	table = g_hash_table_new(ltt_hash_text, g_str_equal);
 *	table = g_hash_table_new(ltt_hash_int64, g_int64_equal);
 *	table = g_hash_table_new(ltt_hash_word, NULL);
 *
 * The hashes of GLib are known in advance: g_int64_hash() uses the low 32 bits only, and g_str_hash()
 * has equal values for any texts of "Ez" and "FY". A file of some hundred kilobytes can hold 100,000
 * such keys, for which a hash table takes minutes. The hashes here depend on secret numbers, which
 * differ between processes. They are not cryptographic: they only need to be unpredictable, and must
 * not appear in any output. So must the order of a hash table: sort what is taken from it.
 */
#ifndef LTT_HASH_H
#define LTT_HASH_H

#include <glib.h>

G_BEGIN_DECLS

/* Functions for GHashTable. */
guint ltt_hash_text(gconstpointer text);    /* (type utf8); for g_str_equal() */
guint ltt_hash_int64(gconstpointer number); /* pointer to gint64 or guint64; for g_int64_equal() */
guint ltt_hash_word(gconstpointer word);    /* the pointer is the key, as GUINT_TO_POINTER() */

/* Hash of a key of @length bytes. */
guint64 ltt_hash_bytes(gconstpointer bytes, gsize length);

/* Hashes of a number, and of a pair of numbers. For three: the pair of a pair's hash and a number. */
guint64 ltt_hash_number(guint64 number);
guint64 ltt_hash_pair(guint64 first, guint64 second);

G_END_DECLS

#endif /* LTT_HASH_H */
