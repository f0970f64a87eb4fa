/* colour.h - lines of events in shades, so that eyes find the names. */
#ifndef COLOUR_H
#define COLOUR_H

#include <glib.h>
#include <ltt/ltt-print.h>

/* For the option of a command. */
#define COLOUR_WORDS "auto|always|never"
#define COLOUR_HELP                                                                                \
	"dimmed times and bold names in text; auto, the default, uses\n"                           \
	"them on a terminal unless NO_COLOR is set or TERM is dumb"

/**
 * colour_writer:
 * @when: (nullable): what the user asked for; NULL: "auto"
 * @is_text: whether the output is that of the printer "text"
 *
 * Returns: the function that printers write with: tool_write_piece() or one that puts shades in;
 *   NULL if there is no such word, which has been said
 */
LttWriteFunc colour_writer(const char *when, gboolean is_text);

#endif
