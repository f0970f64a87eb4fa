/* ltt-arch.h - byte order and sizes of the machine that wrote a trace (doc/format.md, 2).
 *
 * An event description may give a size as a number of bytes or by name ("long"); what a name
 * stands for depends on the machine. A reader uses the trace's architecture, never its own.
 */
#ifndef LTT_ARCH_H
#define LTT_ARCH_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum LttByteOrder {
	LTT_LITTLE_ENDIAN,
	LTT_BIG_ENDIAN,
} LttByteOrder;

/* The order of the machine that this was compiled for. */
#define LTT_NATIVE_ENDIAN (G_BYTE_ORDER == G_LITTLE_ENDIAN ? LTT_LITTLE_ENDIAN : LTT_BIG_ENDIAN)

/* In the order of their sizes: none is smaller than in the one before. */
typedef enum LttArchSize {
	LTT_LP32,
	LTT_ILP32,
	LTT_LP64,
	LTT_ILP64,
} LttArchSize;
#define LTT_N_ARCH_SIZES 4

typedef struct LttArch {
	LttByteOrder byte_order;
	LttArchSize size;
} LttArch;

/* A size as a description gives it. The numbers have their own value. */
typedef enum LttWidth {
	LTT_WIDTH_NONE = 0,
	LTT_WIDTH_1 = 1,
	LTT_WIDTH_2 = 2,
	LTT_WIDTH_4 = 4,
	LTT_WIDTH_8 = 8,
	LTT_WIDTH_SHORT = 16,
	LTT_WIDTH_MEDIUM,
	LTT_WIDTH_LONG,
} LttWidth;

/* Returns: the bytes of an integer of @width on @arch: 1, 2, 4 or 8 */
guint ltt_arch_integer_bytes(const LttArch *arch, LttWidth width);

/* Returns: the bytes of a float of @width, 4 or 8, the same on every architecture */
guint ltt_arch_float_bytes(LttWidth width);

/* Returns: the architecture that this library was compiled for */
LttArch ltt_arch_native(void);

/* Returns: "LP32", "ILP32", "LP64" or "ILP64" */
const char *ltt_arch_size_name(LttArchSize size);

/* Returns: "little" or "big" */
const char *ltt_byte_order_name(LttByteOrder order);

/* Return: FALSE, and @out not set, if @name is none of the names that system.xml may have:
 * those above, and for the byte order also LITTLE_ENDIAN and BIG_ENDIAN; in any case */
gboolean ltt_arch_size_from_name(const char *name, LttArchSize *out);
gboolean ltt_byte_order_from_name(const char *name, LttByteOrder *out);

/* Returns: "1", "2", "4", "8", "short", "medium" or "long" */
const char *ltt_width_name(LttWidth width);

/* Returns: FALSE, and @out not set, if @name is none of those, in any case */
gboolean ltt_width_from_name(const char *name, LttWidth *out);

G_END_DECLS

#endif /* LTT_ARCH_H */
