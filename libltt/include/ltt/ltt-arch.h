/* ltt-arch.h - byte order and sizes of the machine that wrote a trace (doc/format.md, 2).
 *
 * An event description may give a size as a number of bytes or by name ("long"); the size of a
 * name depends on the machine. A reader uses the trace's architecture, never its own.
 */
#ifndef LTT_ARCH_H
#define LTT_ARCH_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum LttByteOrder {
	LTT_LITTLE_ENDIAN,
	LTT_BIG_ENDIAN,
} LttByteOrder;

/* The byte order of the machine that this header is compiled for. */
#define LTT_NATIVE_ENDIAN (G_BYTE_ORDER == G_LITTLE_ENDIAN ? LTT_LITTLE_ENDIAN : LTT_BIG_ENDIAN)

/* Data models, in ascending order: no type is smaller than in the model before. */
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

/* A size as written in a description. Sizes in bytes have their own value. */
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

/* Returns: the size in bytes of an integer of @width on @arch: 1, 2, 4 or 8 */
guint ltt_arch_integer_bytes(const LttArch *arch, LttWidth width);

/* Returns: the size in bytes of a float of @width: 4 or 8, the same on every architecture */
guint ltt_arch_float_bytes(LttWidth width);

/* Returns: the architecture that this library was compiled for */
LttArch ltt_arch_native(void);

/* Returns: "LP32", "ILP32", "LP64" or "ILP64" */
const char *ltt_arch_size_name(LttArchSize size);

/* Returns: "little" or "big" */
const char *ltt_byte_order_name(LttByteOrder order);

G_END_DECLS

#endif /* LTT_ARCH_H */
