/* error.c - errors that carry a place.
 *
 * LTT_ERROR is an extended GError domain: besides the message, which names the place in words, an
 * error holds the file, block and byte, so that `ltt check --json` need not parse text.
 */
#include "base/error-priv.h"
#include "base/utf8-priv.h"

#include <errno.h>
#include <glib.h>
#include <stdarg.h>
#include <string.h>

typedef struct LttErrorPrivate {
	LttProblem problem; /* owns its strings; message NULL: no place */
} LttErrorPrivate;

static void ltt_error_private_init(LttErrorPrivate *priv)
{
	priv->problem = (LttProblem){.block = LTT_NOWHERE, .byte = LTT_NOWHERE};
}

static void ltt_error_private_copy(const LttErrorPrivate *from, LttErrorPrivate *to)
{
	to->problem = from->problem;
	to->problem.tracefile = g_strdup(from->problem.tracefile);
	to->problem.message = g_strdup(from->problem.message);
}

static void ltt_error_private_clear(LttErrorPrivate *priv)
{
	g_free((char *)priv->problem.tracefile);
	g_free((char *)priv->problem.message);
}

G_DEFINE_EXTENDED_ERROR(LttError, ltt_error)

char *ltt_escape_controls(const char *text)
{
	const guint8 *at = (const guint8 *)text;
	const guint8 *end = at + strlen(text);
	GString *out = g_string_new(NULL);
	gboolean is_valid;
	guint control;

	for (gsize length; at < end; at += length) {
		length = ltt_utf8_measure(at, (gsize)(end - at), &is_valid);
		if (!is_valid)
			g_string_append(out, LTT_REPLACEMENT);
		else if ((control = ltt_utf8_get_control(at, length)) != 0)
			g_string_append_printf(out, "\\u%04x", control);
		else if (*at < 0x20 || *at == 0x7f)
			g_string_append_printf(out, "\\u%04x", *at);
		else
			g_string_append_len(out, (const char *)at, (gssize)length);
	}
	return g_string_free(out, FALSE);
}

char *ltt_problem_to_string(const LttProblem *problem)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (problem->tracefile != NULL)
		g_string_append_printf(text, "%s: ", problem->tracefile);
	if (problem->block != LTT_NOWHERE)
		g_string_append_printf(text, "block %" G_GINT64_FORMAT ": ", problem->block);
	if (problem->byte != LTT_NOWHERE)
		g_string_append_printf(text, "byte %" G_GINT64_FORMAT ": ", problem->byte);
	g_string_append(text, problem->message);
	return ltt_escape_controls(text->str);
}

void ltt_problem_from_error(const GError *error, LttProblem *problem)
{
	if (error->domain == LTT_ERROR) {
		const LttErrorPrivate *priv = ltt_error_get_private(error);

		if (priv->problem.message != NULL) {
			*problem = priv->problem;
			return;
		}
	}
	*problem =
		(LttProblem){.block = LTT_NOWHERE, .byte = LTT_NOWHERE, .message = error->message};
}

LttProblem *ltt_problem_new(const char *tracefile, gint64 block, gint64 byte, const char *message)
{
	LttProblem *problem = g_new(LttProblem, 1);

	*problem = (LttProblem){.tracefile = g_strdup(tracefile),
				.block = block,
				.byte = byte,
				.message = g_strdup(message)};
	return problem;
}

void ltt_problem_free(LttProblem *problem)
{
	if (problem == NULL)
		return;
	g_free((char *)problem->tracefile);
	g_free((char *)problem->message);
	g_free(problem);
}

gboolean ltt_fail_at(GError **error, LttError code, const char *tracefile, gint64 block,
		     gint64 byte, const char *format, ...)
{
	LttProblem problem = {.tracefile = tracefile, .block = block, .byte = byte};
	g_autofree char *message = NULL;
	va_list arguments;

	if (error == NULL)
		return FALSE;
	va_start(arguments, format);
	message = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	problem.message = message;
	{
		g_autofree char *text = ltt_problem_to_string(&problem);
		LttErrorPrivate *priv;

		g_set_error_literal(error, LTT_ERROR, code, text);
		priv = ltt_error_get_private(*error);
		ltt_error_private_copy(&(LttErrorPrivate){problem}, priv);
	}
	return FALSE;
}

gboolean ltt_fail(GError **error, LttError code, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list arguments;

	va_start(arguments, format);
	message = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_set_error_literal(error, LTT_ERROR, code, message);
	return FALSE;
}

gboolean ltt_fail_io(GError **error, const char *path, const char *attempt, int errnum)
{
	return ltt_fail(error, LTT_ERROR_IO, "%s: could not %s: %s%s", path, attempt,
			g_strerror(errnum),
			errnum == EMFILE ? "; raise the limit with `ulimit -n`" : "");
}
