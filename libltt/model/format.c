/* format.c - parse a printf format with exactly one conversion that fits (doc/format.md, 8.5). */
#include "base/error-priv.h"

#include <ltt/ltt-format.h>

#include <string.h>

static const char *conversions_of(LttTypeKind kind)
{
	switch (kind) {
	case LTT_INT:
	case LTT_UINT:
		return "diouxXc";
	case LTT_ENUM:
		return "diouxXcs";
	case LTT_FLOAT:
		return "eEfFgGaA";
	case LTT_STRING:
		return "s";
	default:
		return "";
	}
}

/* Takes literal text up to the next conversion or the end; "%%" becomes "%". */
static char *take_literal(const char **at)
{
	GString *literal = g_string_new(NULL);

	while (**at != '\0' && ((*at)[0] != '%' || (*at)[1] == '%')) {
		g_string_append_c(literal, **at);
		*at += (*at)[0] == '%' ? 2 : 1;
	}
	return g_string_free(literal, FALSE);
}

static void take_flags(const char **at, LttFormat *format)
{
	for (;; (*at)++) {
		switch (**at) {
		case '-':
			format->left = TRUE;
			break;
		case '+':
			format->plus = TRUE;
			break;
		case ' ':
			format->space = TRUE;
			break;
		case '#':
			format->alternate = TRUE;
			break;
		case '0':
			format->zero = TRUE;
			break;
		default:
			return;
		}
	}
}

/* Takes digits. Returns: their value, at most LTT_MAX_FORMAT_WIDTH + 1 */
static gint take_number(const char **at)
{
	gint number = 0;

	for (; g_ascii_isdigit(**at); (*at)++)
		number = MIN(number * 10 + (**at - '0'), LTT_MAX_FORMAT_WIDTH + 1);
	return number;
}

static gboolean refuse(const char *text, const char *why, GError **error)
{
	return ltt_fail(error, LTT_ERROR_DESCRIPTION, "format \"%s\": %s", text, why);
}

static gboolean take_conversion(const char **at, const char *text, LttTypeKind kind,
				LttFormat *format, GError **error)
{
	if (**at != '%')
		return refuse(text, "no conversion: expected one, such as %d", error);
	(*at)++;
	take_flags(at, format);
	format->width = take_number(at);
	if (**at == '.') {
		(*at)++;
		format->precision = take_number(at);
	}
	if (**at == '*')
		return refuse(text, "\"*\" is not allowed: expected digits", error);
	if (**at == '$')
		return refuse(text, "\"$\" is not allowed: there is one value only", error);
	if (MAX(format->width, format->precision) > LTT_MAX_FORMAT_WIDTH)
		return ltt_fail(error, LTT_ERROR_DESCRIPTION,
				"format \"%s\": width or precision above %d", text,
				LTT_MAX_FORMAT_WIDTH);
	while (**at != '\0' && strchr("hlLqjzt", **at) != NULL)
		(*at)++;
	if (**at == '\0')
		return refuse(text, "the conversion has no letter", error);
	if (strchr(conversions_of(kind), **at) == NULL)
		return ltt_fail(error, LTT_ERROR_DESCRIPTION,
				"format \"%s\": %%%c does not fit %s: expected one of %s", text,
				**at, ltt_type_kind_name(kind), conversions_of(kind));
	format->conversion = *(*at)++;
	return TRUE;
}

LttFormat *ltt_format_parse(const char *text, LttTypeKind kind, GError **error)
{
	g_autoptr(LttFormat) format = g_new0(LttFormat, 1);
	const char *at = text;

	format->precision = -1;
	if (conversions_of(kind)[0] == '\0') {
		ltt_fail(error, LTT_ERROR_DESCRIPTION, "format \"%s\": %s takes none", text,
			 ltt_type_kind_name(kind));
		return NULL;
	}
	format->prefix = take_literal(&at);
	if (!take_conversion(&at, text, kind, format, error))
		return NULL;
	format->suffix = take_literal(&at);
	if (*at != '\0') {
		refuse(text, "more than one conversion", error);
		return NULL;
	}
	return g_steal_pointer(&format);
}

void ltt_format_free(LttFormat *format)
{
	if (format == NULL)
		return;
	g_free(format->prefix);
	g_free(format->suffix);
	g_free(format);
}
