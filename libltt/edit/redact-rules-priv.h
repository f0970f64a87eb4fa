/* redact-rules-priv.h - the parsed rules of a redaction. */
#ifndef LTT_REDACT_RULES_PRIV_H
#define LTT_REDACT_RULES_PRIV_H

#ifndef LTT_BUILDING
#error "edit/redact-rules-priv.h is private to libltt; use <ltt/ltt-redact.h>"
#endif

#include <ltt/ltt-redact.h>

typedef struct LttRedactRules {
	GPtrArray *patterns;      /* private to redact-rules.c */
	gboolean drops_processes; /* names of processes and threads */
	gboolean drops_host;      /* what describes the machine */
	GHmac *key;               /* (nullable) */
} LttRedactRules;

/* Returns: (transfer full) (nullable): NULL with LTT_ERROR_INVALID */
LttRedactRules *ltt_redact_rules_new(const LttRedaction *redaction, GError **error);
void ltt_redact_rules_free(LttRedactRules *rules); /* NULL is allowed and ignored */

/* @path: "web.request.url". @how: (out): set if a pattern matches. Returns: whether one does */
gboolean ltt_redact_rules_match(LttRedactRules *rules, const char *path, LttRedactHow *how);

/* Returns: FALSE with LTT_ERROR_INVALID if a pattern has matched no path so far */
gboolean ltt_redact_rules_check(const LttRedactRules *rules, GError **error);

#endif
