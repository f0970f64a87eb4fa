/* hash.c - see ltt-hash.h and hash-priv.h. */
#include "base/hash-priv.h"

#include <sys/random.h>

LttHashSecret ltt_hash_secret;

/* Before main(), so that no hash has to ask whether there is a secret. */
__attribute__((constructor)) static void choose_secret(void)
{
	if (getrandom(&ltt_hash_secret, sizeof(ltt_hash_secret), GRND_NONBLOCK) !=
	    (gssize)sizeof(ltt_hash_secret)) {
		ltt_hash_secret.start = (guint64)g_random_int() << 32 | g_random_int();
		ltt_hash_secret.factor = (guint64)g_random_int() << 32 | g_random_int();
	}
	ltt_hash_secret.factor |= 1;
}

guint ltt_hash_text(gconstpointer text)
{
	return (guint)ltt_hash_bytes_by(&ltt_hash_secret, text, strlen(text));
}

guint ltt_hash_int64(gconstpointer number)
{
	return (guint)ltt_hash_number_by(&ltt_hash_secret, *(const guint64 *)number);
}

guint ltt_hash_word(gconstpointer word)
{
	return (guint)ltt_hash_number_by(&ltt_hash_secret, GPOINTER_TO_SIZE(word));
}

guint64 ltt_hash_bytes(gconstpointer bytes, gsize length)
{
	return ltt_hash_bytes_by(&ltt_hash_secret, bytes, length);
}

guint64 ltt_hash_number(guint64 number)
{
	return ltt_hash_number_by(&ltt_hash_secret, number);
}

guint64 ltt_hash_pair(guint64 first, guint64 second)
{
	return ltt_hash_pair_by(&ltt_hash_secret, first, second);
}
