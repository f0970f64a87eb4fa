/* ltt-format.h - parse and check the printf formats of descriptions (doc/format.md, 8.5).
 *
 * A format is untrusted text and is never passed to printf(). It must have exactly one conversion,
 * which must fit the value: d i u o x X c for integers and enums, s also for enums (the label),
 * e E f F g G a A for floats, s for strings. Flags are accepted, width and precision up to
 * LTT_MAX_FORMAT_WIDTH. Length modifiers (h l ll L q j z t) are accepted and ignored, because the
 * type of the value gives its size. "%%" is a percent sign. Everything else is rejected, including
 * "*", "%n" and "$".
 */
#ifndef LTT_FORMAT_H
#define LTT_FORMAT_H

#include <ltt/ltt-type.h>

G_BEGIN_DECLS

#define LTT_MAX_FORMAT_WIDTH 64

typedef struct LttFormat {
	char *prefix;       /* literal text before the value, with "%%" unescaped */
	char *suffix;       /* literal text after the value, likewise */
	char conversion;    /* one of the letters above */
	gint width;         /* minimum columns; 0: none */
	gint precision;     /* -1: none given */
	gboolean left;      /* flag - */
	gboolean plus;      /* flag + */
	gboolean space;     /* flag blank */
	gboolean alternate; /* flag # */
	gboolean zero;      /* flag 0 */
} LttFormat;

/**
 * ltt_format_parse:
 * @text: the format as written
 * @kind: of the value to format: LTT_INT, LTT_UINT, LTT_FLOAT, LTT_STRING or LTT_ENUM
 *
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_DESCRIPTION if @text is rejected
 */
LttFormat *ltt_format_parse(const char *text, LttTypeKind kind, GError **error);
void ltt_format_free(LttFormat *format); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttFormat, ltt_format_free)

G_END_DECLS

#endif /* LTT_FORMAT_H */
