/* format-spec-priv.h - apply the printf format of a description.
 *
 * ltt_format_parse() has parsed and checked the format. The format that is passed to printf is
 * composed of the checked parts. It is never the text of the description.
 */
#ifndef LTT_PRINT_FORMAT_SPEC_PRIV_H
#define LTT_PRINT_FORMAT_SPEC_PRIV_H

#ifndef LTT_BUILDING
#error "print/format-spec-priv.h is private to libltt"
#endif

#include "base/escape-priv.h"

#include <ltt/ltt-format.h>

#define LTT_SIMPLE_HEX_DIGITS 16

typedef struct LttFormatSpec {
	LttFormat *format;    /* owned */
	char conversion;      /* d is for signed numbers only */
	char printf_spec[32]; /* the one conversion, for a 64-bit number or a double */
	gboolean is_simple; /* an integer without printf(): %d, %u, and %x with or without zeros */
	GString *prefix;    /* escaped */
	GString *suffix;
} LttFormatSpec;

/**
 * ltt_format_spec_new:
 * @type: a number, string or enum
 *
 * Returns: (transfer full) (nullable): NULL if the type has no format, an invalid one, or one that
 *   equals the default
 */
LttFormatSpec *ltt_format_spec_new(const LttType *type, LttEscape escape);
void ltt_format_spec_free(LttFormatSpec *spec); /* NULL is allowed and ignored */

/* Write a value: an integer of @width_bytes, extended to 64 bits by its own sign; a float; text. */
void ltt_format_spec_add_integer(const LttFormatSpec *spec, LttSink *sink, guint64 bits,
				 guint width_bytes);
void ltt_format_spec_add_float(const LttFormatSpec *spec, LttSink *sink, double value);
void ltt_format_spec_add_text(const LttFormatSpec *spec, LttSink *sink, const char *bytes,
			      gsize length, LttEscape escape);

#endif
