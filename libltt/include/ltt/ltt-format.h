/* ltt-format.h - the printf formats of descriptions, checked and taken apart (doc/format.md, 8.5).
 *
 * A format is untrusted text and is never handed to printf. It is accepted if it has exactly one
 * conversion and that one fits the value: d i u o x X c for integers and enums, s also for enums
 * (the label), e E f F g G a A for floats, s for strings. Flags, width and precision are taken up
 * to LTT_FORMAT_MAX_WIDTH; length modifiers (h l ll L q j z t) are allowed and ignored, the value
 * knows its size; "%%" is a percent sign. "*", "%n", "$" and everything else are refused.
 */
#ifndef LTT_FORMAT_H
#define LTT_FORMAT_H

#include <ltt/ltt-type.h>

G_BEGIN_DECLS

#define LTT_FORMAT_MAX_WIDTH 64

typedef struct LttFormat {
	char *prefix;       /* literal text before the value, "%%" undone */
	char *suffix;       /* and after it */
	char conversion;    /* one of the letters above */
	gint width;         /* least columns; 0: none */
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
 * @kind: what it is to show: LTT_INT, LTT_UINT, LTT_FLOAT, LTT_STRING or LTT_ENUM
 *
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_DESCRIPTION if it is not acceptable
 */
LttFormat *ltt_format_parse(const char *text, LttTypeKind kind, GError **error);
void ltt_format_free(LttFormat *format); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttFormat, ltt_format_free)

G_END_DECLS

#endif /* LTT_FORMAT_H */
