/* ltt-payload.h - build the payload of an event in the byte order and sizes of a trace.
 *
 * Append values in the order of the type: the members of a struct one after the other, a sequence's
 * length before its elements, a union's code before its member (doc/format.md, 8.4). Writing the
 * event checks the payload against the type. A payload holds up to G_MAXUINT bytes; a payload above
 * LTT_MAX_BLOCK_BYTES fits no block.
 */
#ifndef LTT_PAYLOAD_H
#define LTT_PAYLOAD_H

#include <ltt/ltt-arch.h>

G_BEGIN_DECLS

typedef struct LttPayload {
	LttArch arch;
	GByteArray *bytes; /* owned */
} LttPayload;

void ltt_payload_init(LttPayload *payload, const LttArch *arch);
void ltt_payload_clear(LttPayload *payload); /* frees the memory */
void ltt_payload_reset(LttPayload *payload); /* empties it and keeps the memory */
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttPayload, ltt_payload_clear)

/* Appends an int, uint, enum, length or code: the low bytes of @value, as many as @width has. */
void ltt_payload_add_int(LttPayload *payload, LttWidth width, guint64 value);

/* Appends @value, rounded to @width if that is 4 bytes. */
void ltt_payload_add_float(LttPayload *payload, LttWidth width, double value);

/* Appends the bytes of @text (NULL: "") and a NUL. */
void ltt_payload_add_string(LttPayload *payload, const char *text);

/* Appends raw bytes. */
void ltt_payload_add_bytes(LttPayload *payload, gconstpointer bytes, gsize length);

/* Appends @n_numbers numbers of 1, 2, 4 or 8 bytes each, which are in the byte order of this
 * machine at @numbers. */
void ltt_payload_add_array(LttPayload *payload, gconstpointer numbers, gsize n_numbers,
			   guint bytes_each);

/* Appends @length bytes for the caller to fill in.
 * Returns: the first of them; valid until the payload changes */
guint8 *ltt_payload_extend(LttPayload *payload, gsize length);

G_END_DECLS

#endif /* LTT_PAYLOAD_H */
