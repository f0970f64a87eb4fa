/* error-priv.h - create errors that carry a place. */
#ifndef LTT_ERROR_PRIV_H
#define LTT_ERROR_PRIV_H

#ifndef LTT_BUILDING
#error "error-priv.h is private to libltt; use <ltt/ltt-error.h>"
#endif

#include <ltt/ltt-error.h>

/* Sets an error with the place, followed by the formatted text, as its message. @tracefile may be
 * NULL, @block and @byte LTT_NOWHERE. Returns: FALSE, for the caller to return */
gboolean ltt_fail_at(GError **error, LttError code, const char *tracefile, gint64 block,
		     gint64 byte, const char *format, ...) G_GNUC_PRINTF(6, 7);

/* Sets an error without a place. Returns: FALSE */
gboolean ltt_fail(GError **error, LttError code, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Sets LTT_ERROR_IO: "PATH: could not ATTEMPT: strerror". @errnum: an errno value.
 * Returns: FALSE */
gboolean ltt_fail_io(GError **error, const char *path, const char *attempt, int errnum);

/* Returns: (transfer full): a problem with copies of the strings */
LttProblem *ltt_problem_new(const char *tracefile, gint64 block, gint64 byte, const char *message);
void ltt_problem_free(LttProblem *problem);

/* Returns: (transfer full): @text with control characters (below 0x20, 0x7f, and those of
 *   ltt_utf8_get_control()) escaped as in JSON, and U+FFFD for invalid UTF-8 */
char *ltt_escape_controls(const char *text);

#endif
