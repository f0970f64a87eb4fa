/* recode-priv.h - a payload in another byte order, and with the sizes of another machine. */
#ifndef LTT_RECODE_PRIV_H
#define LTT_RECODE_PRIV_H

#ifndef LTT_BUILDING
#error "edit/recode-priv.h is private to libltt"
#endif

#include <ltt/ltt-value.h>

/**
 * ltt_recode:
 * @layout: of the same type as @value's, under an architecture with no smaller sizes
 * @byte_order: of that architecture
 *
 * Appends to @out the bytes that @value has there.
 */
void ltt_recode(const LttValue *value, const LttLayout *layout, LttByteOrder byte_order,
		GByteArray *out);

#endif
