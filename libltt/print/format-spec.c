/* format-spec.c - apply a checked printf format.
 *
 * This file does not handle integers in simple formats: a template has ops for them. snprintf()
 * formats other numbers in the "C" locale, regardless of the locale of the program. Strings are
 * padded and truncated here, because printf counts bytes and would split characters.
 */
#include "base/digits-priv.h"
#include "base/utf8-priv.h"
#include "print/format-spec-priv.h"

#include <locale.h>
#include <stdio.h>

/* "%+064.64f" of the greatest double: 309 digits, point, 64 decimals, sign. */
#define NUMBER_BYTES 512

static locale_t c_locale(void)
{
	static gsize locale;

	if (g_once_init_enter(&locale))
		g_once_init_leave(&locale, (gsize)newlocale(LC_ALL_MASK, "C", (locale_t)0));
	return (locale_t)locale;
}

static gboolean is_plain(const LttFormat *format, LttTypeKind kind)
{
	const char usual = kind == LTT_ENUM || kind == LTT_STRING ? 's'
			   : kind == LTT_INT                      ? 'd'
								  : 'u';

	if (format->prefix[0] != '\0' || format->suffix[0] != '\0' || format->width > 0 ||
	    format->precision >= 0 || format->plus || format->space)
		return FALSE;
	if ((kind == LTT_INT || kind == LTT_UINT) && strchr("di", format->conversion) != NULL)
		return TRUE;
	return format->conversion == usual;
}

/* Composes the conversion for snprintf(). %d of an unsigned number becomes %u. */
static void write_spec(LttFormatSpec *spec, gboolean is_signed)
{
	const LttFormat *format = spec->format;
	GString *text = g_string_new("%");

	spec->conversion = format->conversion;
	if (strchr("di", format->conversion) != NULL)
		spec->conversion = is_signed ? 'd' : 'u';
	if (format->left)
		g_string_append_c(text, '-');
	if (format->plus)
		g_string_append_c(text, '+');
	if (format->space)
		g_string_append_c(text, ' ');
	if (format->alternate)
		g_string_append_c(text, '#');
	if (format->zero)
		g_string_append_c(text, '0');
	if (format->width > 0)
		g_string_append_printf(text, "%d", format->width);
	if (format->precision >= 0)
		g_string_append_printf(text, ".%d", format->precision);
	if (strchr("douxX", spec->conversion) != NULL)
		g_string_append(text, "ll");
	g_string_append_c(text, spec->conversion);
	g_assert(text->len < sizeof(spec->printf_spec));
	g_strlcpy(spec->printf_spec, text->str, sizeof(spec->printf_spec));
	g_string_free(text, TRUE);
}

/* Whether ops of a template write such numbers. */
static gboolean is_simple(const LttFormatSpec *spec)
{
	const LttFormat *format = spec->format;

	if (format->precision >= 0 || format->left || format->alternate || format->plus ||
	    format->space)
		return FALSE;
	if (spec->conversion == 'd' || spec->conversion == 'u')
		return format->width <= 0;
	return spec->conversion == 'x' && (format->width <= 0 || format->zero) &&
	       format->width <= LTT_SIMPLE_HEX_DIGITS;
}

LttFormatSpec *ltt_format_spec_new(const LttType *type, LttEscape escape)
{
	const char *text = ltt_type_get_format(type);
	LttFormatSpec *spec;
	LttFormat *format;

	format = text != NULL ? ltt_format_parse(text, ltt_type_get_kind(type), NULL) : NULL;
	if (format == NULL || is_plain(format, ltt_type_get_kind(type))) {
		ltt_format_free(format);
		return NULL;
	}
	spec = g_new0(LttFormatSpec, 1);
	spec->format = format;
	write_spec(spec, ltt_type_is_signed(type));
	spec->is_simple = is_simple(spec);
	spec->prefix = g_string_new(NULL);
	spec->suffix = g_string_new(NULL);
	ltt_string_add_escaped(spec->prefix, format->prefix, strlen(format->prefix), escape);
	ltt_string_add_escaped(spec->suffix, format->suffix, strlen(format->suffix), escape);
	return spec;
}

void ltt_format_spec_free(LttFormatSpec *spec)
{
	if (spec == NULL)
		return;
	ltt_format_free(spec->format);
	g_string_free(spec->prefix, TRUE);
	g_string_free(spec->suffix, TRUE);
	g_free(spec);
}

static void add_padding(LttSink *sink, gint n)
{
	for (; n > 0; n--)
		ltt_sink_add_char(sink, ' ');
}

static void add_padded(const LttFormatSpec *spec, LttSink *sink, const char *bytes, gsize length,
		       LttEscape escape)
{
	const LttFormat *format = spec->format;
	gint n_characters = 0;
	gsize at = 0;

	while (at < length && (format->precision < 0 || n_characters < format->precision)) {
		gboolean is_valid;

		at += ltt_utf8_measure((const guint8 *)bytes + at, length - at, &is_valid);
		n_characters = MIN(n_characters + 1, LTT_MAX_FORMAT_WIDTH + 1);
	}
	if (!format->left)
		add_padding(sink, format->width - n_characters);
	ltt_sink_add_escaped(sink, bytes, at, escape);
	if (format->left)
		add_padding(sink, format->width - n_characters);
}

static void add_prefix(const LttFormatSpec *spec, LttSink *sink)
{
	ltt_sink_add(sink, spec->prefix->str, spec->prefix->len);
}

static void add_suffix(const LttFormatSpec *spec, LttSink *sink)
{
	ltt_sink_add(sink, spec->suffix->str, spec->suffix->len);
}

void ltt_format_spec_add_text(const LttFormatSpec *spec, LttSink *sink, const char *bytes,
			      gsize length, LttEscape escape)
{
	add_prefix(spec, sink);
	add_padded(spec, sink, bytes, length, escape);
	add_suffix(spec, sink);
}

/* Writes %c: the character with that number, or the number if there is none. */
static void add_character(const LttFormatSpec *spec, LttSink *sink, guint64 bits)
{
	char text[LTT_MAX_DIGITS];
	gsize length;

	if (bits <= 0x10ffff && g_unichar_validate((gunichar)bits) && bits != 0)
		length = (gsize)g_unichar_to_utf8((gunichar)bits, text);
	else
		length = (gsize)(ltt_put_u64(text, bits) - text);
	add_padded(spec, sink, text, length, LTT_ESCAPE_LABEL);
}

G_GNUC_PRINTF(2, 3) static void add_number(LttSink *sink, const char *spec, ...)
{
	char *at = ltt_sink_room(sink, NUMBER_BYTES);
	locale_t before = uselocale(c_locale());
	va_list arguments;
	int length;

	va_start(arguments, spec);
	length = vsnprintf(at, NUMBER_BYTES, spec, arguments);
	va_end(arguments);
	uselocale(before);
	ltt_sink_stop(sink, at + CLAMP(length, 0, NUMBER_BYTES - 1));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

void ltt_format_spec_add_integer(const LttFormatSpec *spec, LttSink *sink, guint64 bits,
				 guint width_bytes)
{
	const guint64 own_bits =
		width_bytes < 8 ? bits & (((guint64)1 << (8 * width_bytes)) - 1) : bits;

	add_prefix(spec, sink);
	if (spec->conversion == 'c')
		add_character(spec, sink, own_bits);
	else if (spec->conversion == 'd')
		add_number(sink, spec->printf_spec, (long long)bits);
	else
		add_number(sink, spec->printf_spec, (unsigned long long)own_bits);
	add_suffix(spec, sink);
}

void ltt_format_spec_add_float(const LttFormatSpec *spec, LttSink *sink, double value)
{
	add_prefix(spec, sink);
	add_number(sink, spec->printf_spec, value);
	add_suffix(spec, sink);
}

#pragma GCC diagnostic pop
