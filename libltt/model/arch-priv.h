/* arch-priv.h - names of byte orders and sizes, for the files that read and write XML. */
#ifndef LTT_MODEL_ARCH_PRIV_H
#define LTT_MODEL_ARCH_PRIV_H

#ifndef LTT_BUILDING
#error "model/arch-priv.h is private to libltt; use <ltt/ltt-arch.h>"
#endif

#include <ltt/ltt-arch.h>

/* Convert a name from system.xml, ignoring case: one that ltt_arch_size_name() or
 * ltt_byte_order_name() returns, and for the byte order also LITTLE_ENDIAN and BIG_ENDIAN.
 *
 * Return: FALSE, and @out not set, if @name is unknown */
gboolean ltt_arch_size_from_name(const char *name, LttArchSize *out);
gboolean ltt_byte_order_from_name(const char *name, LttByteOrder *out);

/* Returns: "1", "2", "4", "8", "short", "medium" or "long" */
const char *ltt_width_name(LttWidth width);

/* Converts a name that ltt_width_name() returns, ignoring case.
 * Returns: FALSE, and @out not set, if @name is unknown */
gboolean ltt_width_from_name(const char *name, LttWidth *out);

#endif
