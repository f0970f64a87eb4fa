/* terminal.c - see terminal.h. */
#include "terminal.h"

#include "tool.h"

#include <unistd.h>

#define REPLACEMENT "\xef\xbf\xbd"

/* First byte of U+0080 to U+009F, the control characters C1, in UTF-8. It may end a piece. */
#define BEFORE_C1 0xc2

static gboolean is_c0(guchar byte)
{
	return (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
}

static void add_byte(GString *safe, guchar byte)
{
	static gboolean is_after; /* BEFORE_C1 */

	if (is_after && byte >= 0x80 && byte <= 0x9f) {
		g_string_append(safe, REPLACEMENT);
		is_after = FALSE;
		return;
	}
	if (is_after)
		g_string_append_c(safe, (gchar)BEFORE_C1);
	is_after = byte == BEFORE_C1;
	if (is_c0(byte))
		g_string_append(safe, REPLACEMENT);
	else if (!is_after)
		g_string_append_c(safe, (gchar)byte);
}

/* Standard output stays what it is: one system call, not one for each line. */
static gboolean is_terminal(void)
{
	static int known = -1;

	if (known < 0)
		known = isatty(STDOUT_FILENO);
	return known;
}

gboolean terminal_write(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	g_autoptr(GString) safe = NULL;

	if (!is_terminal())
		return tool_write_piece(bytes, length, user_data, error);
	safe = g_string_sized_new(length);
	for (gsize i = 0; i < length; i++)
		add_byte(safe, (guchar)bytes[i]);
	return tool_write_piece(safe->str, safe->len, user_data, error);
}
