/* redactor-priv.h - redact events, and count what was redacted.
 *
 * The fields of an event type that the rules match are found once, as a tree beside the tree of its
 * types:
 *
 *	request { url: hash, client { address: empty, port } }
 */
#ifndef LTT_REDACTOR_PRIV_H
#define LTT_REDACTOR_PRIV_H

#ifndef LTT_BUILDING
#error "edit/redactor-priv.h is private to libltt; use <ltt/ltt-redact.h>"
#endif

#include <ltt/ltt-redact.h>

typedef struct LttRedactor LttRedactor;

/* Returns: (transfer full) (nullable): NULL with LTT_ERROR_INVALID or LTT_ERROR_LIMIT as
 *   ltt_redact(). @trace: must outlive the redactor */
LttRedactor *ltt_redactor_new(const LttRedaction *redaction, LttTrace *trace, GError **error);
void ltt_redactor_free(LttRedactor *redactor); /* NULL is allowed and ignored */

/* Returns: (transfer full): the system of the trace as far as it may be written, without text */
LttSystem *ltt_redactor_filter_system(LttRedactor *redactor, const LttSystem *system);

/* Returns: whether an event is left out; counts it if so */
gboolean ltt_redactor_drops(LttRedactor *redactor, const LttEvent *event);

/* Appends the redacted payload of an event to @payload; nothing if no value is redacted. */
void ltt_redactor_apply(LttRedactor *redactor, const LttEvent *event, GByteArray *payload);

/* Adds @n to what was left out. */
void ltt_redactor_count(LttRedactor *redactor, const char *what, guint64 n);

/* Returns: (transfer full) (element-type LttRedactCount): sorted by what; of those with n = 0, only
 *   fields that a pattern matches */
GPtrArray *ltt_redactor_take_counts(LttRedactor *redactor);

#endif
