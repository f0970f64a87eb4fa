/* hash-priv.h - the hashes of ltt-hash.h, inline and with a given secret.
 *
 * A word is mixed in by a folded multiplication with a secret factor, after a secret sum of what was
 * before: nobody who does not know both numbers can tell which words collide. Each word costs one
 * multiplication, so a hash of text is faster than one that goes byte by byte.
 */
#ifndef LTT_HASH_PRIV_H
#define LTT_HASH_PRIV_H

#ifndef LTT_BUILDING
#error "hash-priv.h is private to libltt"
#endif

#include <ltt/ltt-hash.h>

#include <string.h>

typedef struct LttHashSecret {
	guint64 start;
	guint64 factor; /* odd, so that no bit of a word is lost */
} LttHashSecret;

/* Random numbers of this process, set when the library is loaded. */
extern LttHashSecret ltt_hash_secret;

/* Each bit changes bits in both halves of the product. */
static inline guint64 ltt_hash_fold(guint64 number, guint64 factor)
{
	const unsigned __int128 product = (unsigned __int128)number * factor;

	return (guint64)product ^ (guint64)(product >> 64);
}

/* The last word needs a second multiplication: with one, numbers at equal distances have few
 * different values for some factors (tests/unit/test-hash.c). */
static inline guint64 ltt_hash_end(const LttHashSecret *secret, guint64 hash, guint64 word)
{
	return ltt_hash_fold(ltt_hash_fold(hash ^ word, secret->factor), secret->factor);
}

static inline guint64 ltt_hash_number_by(const LttHashSecret *secret, guint64 number)
{
	return ltt_hash_end(secret, secret->start, number);
}

static inline guint64 ltt_hash_pair_by(const LttHashSecret *secret, guint64 first, guint64 second)
{
	return ltt_hash_end(secret, ltt_hash_fold(secret->start ^ first, secret->factor), second);
}

static inline guint64 ltt_hash_bytes_by(const LttHashSecret *secret, gconstpointer bytes,
					gsize length)
{
	const guint8 *at = bytes;
	guint64 hash = secret->start ^ length;
	guint64 word = 0;

	for (; length > sizeof(word); at += sizeof(word), length -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = ltt_hash_fold(hash ^ word, secret->factor);
	}
	word = 0;
	if (length > 0)
		memcpy(&word, at, length);
	return ltt_hash_end(secret, hash, word);
}

#endif
