/* remarks.c - collect errors and warnings about an XML file.
 *
 * A hostile file of some megabytes must not cause a gigabyte of messages. So their number and their
 * length are limited; errors beyond the limit are counted.
 */
#include "base/error-priv.h"
#include "xml/remarks-priv.h"

#include <string.h>

/* Shortens a long message, keeping the place and the end, which says what was expected. */
#define MAX_HEAD_BYTES 160
#define MAX_TAIL_BYTES 240

void ltt_remark_free(LttRemark *remark)
{
	if (remark == NULL)
		return;
	g_free(remark->message);
	g_free(remark);
}

void ltt_remarks_init(LttRemarks *remarks)
{
	*remarks = (LttRemarks){
		.told = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free)};
}

void ltt_remarks_clear(LttRemarks *remarks)
{
	g_clear_pointer(&remarks->told, g_ptr_array_unref);
}

static char *without_middle(const char *text)
{
	const gsize length = strlen(text);
	const char *head_end = text + MAX_HEAD_BYTES;
	const char *tail = text + length - MAX_TAIL_BYTES;

	if (length <= MAX_HEAD_BYTES + MAX_TAIL_BYTES)
		return g_strdup(text);
	/* Do not split a UTF-8 character. */
	while (((guchar)*head_end & 0xc0) == 0x80)
		head_end--;
	while (((guchar)*tail & 0xc0) == 0x80)
		tail++;
	return g_strdup_printf("%.*s...%s", (int)(head_end - text), text, tail);
}

static void add(LttRemarks *remarks, gboolean is_error, guint line, const char *format,
		va_list arguments)
{
	g_autofree char *whole = NULL;
	g_autofree char *text = NULL;
	LttRemark *remark;

	remarks->n_errors += is_error ? 1 : 0;
	if (remarks->told->len >= LTT_MAX_REMARKS) {
		remarks->n_untold++;
		remarks->has_untold_errors |= is_error;
		return;
	}
	whole = g_strdup_vprintf(format, arguments);
	text = without_middle(whole);
	remark = g_new(LttRemark, 1);
	*remark = (LttRemark){
		.line = line, .is_error = is_error, .message = ltt_escape_controls(text)};
	g_ptr_array_add(remarks->told, remark);
}

gboolean ltt_remarks_error(LttRemarks *remarks, guint line, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add(remarks, TRUE, line, format, arguments);
	va_end(arguments);
	return FALSE;
}

void ltt_remarks_warning(LttRemarks *remarks, guint line, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add(remarks, FALSE, line, format, arguments);
	va_end(arguments);
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	const LttRemark *left = *(LttRemark *const *)a;
	const LttRemark *right = *(LttRemark *const *)b;

	return (left->line > right->line) - (left->line < right->line);
}

void ltt_remarks_deliver(LttRemarks *remarks, GPtrArray *out)
{
	GPtrArray *told = remarks->told;

	g_ptr_array_sort(told, compare_lines);
	if (remarks->n_untold > 0) {
		const LttRemark *last = told->pdata[told->len - 1];
		LttRemark *rest = g_new(LttRemark, 1);

		*rest = (LttRemark){.line = last->line,
				    .is_error = remarks->has_untold_errors,
				    .message = g_strdup_printf("%u more of the file are left out",
							       remarks->n_untold)};
		g_ptr_array_add(told, rest);
	}
	g_ptr_array_extend_and_steal(out, g_steal_pointer(&remarks->told));
	ltt_remarks_init(remarks);
}
