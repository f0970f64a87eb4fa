/* key-priv.h - the key of an event: a field, its thread, its process, its CPU or its machine.
 *
 * A path is parsed once, resolved once for each event type, and then read from each event:
 *
 *	"msg.id" ── ltt_key_path_parse() ──► path ── ltt_key_getter_init() ──► getter ── ltt_key_get()
 */
#ifndef LTT_ANALYSIS_KEY_PRIV_H
#define LTT_ANALYSIS_KEY_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/key-priv.h is private to libltt; use <ltt/ltt-pair.h>"
#endif

#include "filter/plan-priv.h"

#include <ltt/ltt-pair.h>

typedef enum LttKeySource {
	LTT_KEY_OF_FIELD,
	LTT_KEY_OF_NUMBER,    /* pid, tid or cpu */
	LTT_KEY_OF_HOST,      /* the name of the machine */
	LTT_KEY_OF_THREAD,    /* "thread" */
	LTT_KEY_OF_TRACEFILE, /* the thread, or the tracefile where it is unknown */
} LttKeySource;

/* A path in the form that the user entered. */
typedef struct LttKeyPath {
	LttKeySource source;
	char *text;             /* owned */
	gboolean is_of_process; /* only events of the same process have the same key */
	LttOperand operand;     /* of FIELD and NUMBER */
} LttKeyPath;

/* @text: (nullable): NULL: LTT_KEY_OF_TRACEFILE. @path: (out): clear it, also after a failure
 * Returns: FALSE with LTT_ERROR_INVALID */
gboolean ltt_key_path_parse(const char *text, LttKeyPath *path, GError **error);
void ltt_key_path_clear(LttKeyPath *path);

/* A path in one event type. */
typedef struct LttKeyGetter {
	LttKeySource source;
	gboolean is_of_process;
	LttOperandKind number; /* of NUMBER */
	LttPlace place;        /* of FIELD */
} LttKeyGetter;

/* @getter: (out): set on success; clear it with ltt_key_getter_clear()
 * Returns: FALSE if no event of this layout has such a value */
gboolean ltt_key_getter_init(LttKeyGetter *getter, const LttKeyPath *path, const LttLayout *layout);
void ltt_key_getter_clear(LttKeyGetter *getter);

/* Returns: the kind of its values; LTT_KEY_UINT for LTT_KEY_INT, too */
LttKeyKind ltt_key_getter_get_kind(const LttKeyGetter *getter);

/* @value: (out): set on success; its text is that of the event. Returns: FALSE if this event does not
 * have the value */
gboolean ltt_key_get(const LttKeyGetter *getter, const LttEvent *event, LttKeyValue *value);

/* Returns: the thread of an event, or its tracefile where that is unknown */
LttKeyValue ltt_key_of_event(const LttEvent *event);

/* Returns: whether two values are the same; labels are not compared */
gboolean ltt_key_equal(const LttKeyValue *a, const LttKeyValue *b);

/* Returns: a hash that nobody can predict (ltt-hash.h) */
guint64 ltt_key_hash(const LttKeyValue *value);

#endif
