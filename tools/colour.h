/* colour.h - dim times and bold names in the text output of events. */
#ifndef COLOUR_H
#define COLOUR_H

#include <glib.h>
#include <ltt/ltt-print.h>

/* Help and values of the option --color. */
#define COLOUR_WORDS "auto|always|never"
#define COLOUR_HELP                                                                                \
	"dimmed times and bold names in text; auto, the default, uses\n"                           \
	"them on a terminal unless NO_COLOR is set or TERM is dumb"

/**
 * colour_writer:
 * @when: (nullable): the value of --color; NULL: "auto"
 * @is_text: whether the output is that of the printer "text"
 *
 * Returns: the write function for a printer: terminal_write(), or a function that adds colours;
 *   NULL, with a message printed, if @when is not one of COLOUR_WORDS
 */
LttWriteFunc colour_writer(const char *when, gboolean is_text);

#endif
