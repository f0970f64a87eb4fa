/* rule-priv.h - which events are the two ends of a message: "rpc.send:id=rpc.receive:id". */
#ifndef LTT_SYNC_RULE_PRIV_H
#define LTT_SYNC_RULE_PRIV_H

#ifndef LTT_BUILDING
#error "sync/rule-priv.h is private to libltt; use <ltt/ltt-sync.h>"
#endif

#include "analysis/key-priv.h"

typedef enum LttSyncEnd {
	LTT_SYNC_SEND,
	LTT_SYNC_RECEIVE,
} LttSyncEnd;
#define LTT_N_SYNC_ENDS 2

/* Fields that identify a message. */
#define LTT_SYNC_MAX_FIELDS 8

typedef struct LttSyncRule {
	char *names[LTT_N_SYNC_ENDS]; /* full names of event types */
	guint n_fields;
	LttKeyPath fields[LTT_N_SYNC_ENDS][LTT_SYNC_MAX_FIELDS];
} LttSyncRule;

/* Returns: (transfer full) (nullable): NULL with LTT_ERROR_INVALID */
LttSyncRule *ltt_sync_rule_parse(const char *text, GError **error);
void ltt_sync_rule_free(LttSyncRule *rule); /* NULL is allowed and ignored */

/* An event type as an end of messages of a rule. */
typedef struct LttSyncReader {
	const LttSyncRule *rule;
	LttSyncEnd end;
	LttKeyGetter getters[LTT_SYNC_MAX_FIELDS]; /* rule->n_fields */
} LttSyncReader;

/* @layout: of the payload. @reader: (out): set on success; clear it
 * Returns: FALSE if events of this layout do not have all fields */
gboolean ltt_sync_reader_init(LttSyncReader *reader, const LttSyncRule *rule, LttSyncEnd end,
			      const LttLayout *layout);
void ltt_sync_reader_clear(LttSyncReader *reader);

/* @id: (out): a hash of the fields, the same for both ends. Returns: FALSE if the event does not have
 * all fields */
gboolean ltt_sync_reader_get(const LttSyncReader *reader, const LttEvent *event, guint64 *id);

#endif
