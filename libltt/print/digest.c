/* digest.c - a hash of a stream of events, to compare dumps.
 *
 * 64-bit FNV-1a, which is one line of code in any language. Each step depends on the preceding one,
 * so it costs one multiplication per byte.
 */
#include "base/digits-priv.h"
#include "base/escape-priv.h"

#include <ltt/ltt-print.h>
#include <ltt/ltt-time.h>

#define FNV_OFFSET G_GUINT64_CONSTANT(0xcbf29ce484222325)
#define FNV_PRIME  G_GUINT64_CONSTANT(0x100000001b3)

void ltt_digest_init(LttDigest *digest)
{
	*digest = (LttDigest){.count = 0, .hash = FNV_OFFSET};
}

static guint64 add_bytes(guint64 hash, const char *bytes, gsize length)
{
	for (gsize i = 0; i < length; i++)
		hash = (hash ^ (guint8)bytes[i]) * FNV_PRIME;
	return hash;
}

/* Hashes a name as it is printed: with U+FFFD for invalid UTF-8. */
static guint64 add_name(guint64 hash, const char *name)
{
	if (G_LIKELY(g_str_is_ascii(name)))
		return add_bytes(hash, name, strlen(name));
	{
		g_autoptr(GString) valid = g_string_new(NULL);

		ltt_string_add_escaped(valid, name, strlen(name), LTT_ESCAPE_NONE);
		return add_bytes(hash, valid->str, valid->len);
	}
}

void ltt_digest_add(LttDigest *digest, const LttEvent *event)
{
	char time[LTT_TIME_TEXT_BYTES];
	char *point = ltt_put_u64(time, event->time_ns / LTT_NS_PER_S);
	guint64 hash = digest->hash;

	*point = '.';
	hash = add_bytes(
		hash, time,
		(gsize)(ltt_put_9(point + 1, (guint32)(event->time_ns % LTT_NS_PER_S)) - time));
	hash = add_bytes(hash, " ", 1);
	hash = add_name(hash, ltt_tracefile_get_name(event->tracefile));
	hash = add_bytes(hash, " ", 1);
	hash = add_name(hash, event->type->full_name);
	digest->hash = add_bytes(hash, "\n", 1);
	digest->count++;
}
