/* recode-priv.h - convert a payload to another byte order and other sizes. */
#ifndef LTT_RECODE_PRIV_H
#define LTT_RECODE_PRIV_H

#ifndef LTT_BUILDING
#error "edit/recode-priv.h is private to libltt"
#endif

#include <ltt/ltt-system.h>
#include <ltt/ltt-value.h>

/* Appends bytes, unless @out would then fit no block: it gets LTT_MAX_BLOCK_BYTES instead. */
void ltt_recode_append(GByteArray *out, const guint8 *bytes, gsize n_bytes);

/* Whether that has happened. */
static inline gboolean ltt_recode_is_too_large(const GByteArray *out)
{
	return out->len >= LTT_MAX_BLOCK_BYTES;
}

/**
 * ltt_recode:
 * @layout: of the type of @value, on an architecture with the same or larger sizes
 * @byte_order: of that architecture
 *
 * Appends to @out the bytes of @value on that architecture.
 */
void ltt_recode(const LttValue *value, const LttLayout *layout, LttByteOrder byte_order,
		GByteArray *out);

/* Appends a number, the length of a sequence or the code of a union, of this layout. */
void ltt_recode_put_number(guint64 number, const LttLayout *layout, LttByteOrder byte_order,
			   GByteArray *out);

/* Returns: whether elements have the same bytes on all architectures, such as those of a text */
gboolean ltt_recode_is_plain(const LttLayout *layout);

#endif
