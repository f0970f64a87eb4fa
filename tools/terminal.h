/* terminal.h - output of foreign text, which may contain sequences that control a terminal. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <glib.h>

/* As tool_write_piece(). If standard output is a terminal, control characters other than tab and line
 * feed become U+FFFD, so that the terminal does not interpret them. A pipe or a file gets all bytes as they are. */
gboolean terminal_write(const char *bytes, gsize length, gpointer user_data, GError **error);

#endif
