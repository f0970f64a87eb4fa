/* redact-value-priv.h - replace a value by its hash, or by an empty value. */
#ifndef LTT_REDACT_VALUE_PRIV_H
#define LTT_REDACT_VALUE_PRIV_H

#ifndef LTT_BUILDING
#error "edit/redact-value-priv.h is private to libltt; use <ltt/ltt-redact.h>"
#endif

#include <ltt/ltt-value.h>

/* Appends to @out a value of the same type that depends on @value and on @key only:
 *
 *	int, uint, enum      the lowest bytes of the hash of the number
 *	float                a number from 0 to 1, 1 excluded
 *	string               16 hexadecimal digits
 *	array or sequence    of numbers of one byte: as many hexadecimal digits;
 *	                     else the hash of each element
 *	struct or union      the hash of each member
 */
void ltt_redact_hash(const LttValue *value, GHmac *key, GByteArray *out);

/* Appends to @out the value of this layout with numbers of 0, empty strings and sequences, and the first
 * members of unions. */
void ltt_redact_empty(const LttLayout *layout, LttByteOrder byte_order, GByteArray *out);

#endif
