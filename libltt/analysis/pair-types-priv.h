/* pair-types-priv.h - which event types of a trace are the begins and the ends of pairs.
 *
 * A trace may have several versions of an event type, and joined traces have a type for each trace.
 * Each is resolved at its first event, and then found by its pointer.
 */
#ifndef LTT_ANALYSIS_PAIR_TYPES_PRIV_H
#define LTT_ANALYSIS_PAIR_TYPES_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/pair-types-priv.h is private to libltt; use <ltt/ltt-pair.h>"
#endif

#include "analysis/key-priv.h"

typedef enum LttPairRole {
	LTT_PAIR_BEGIN,
	LTT_PAIR_END,
} LttPairRole;
#define LTT_N_PAIR_ROLES 2

/* An event type in one role. */
typedef struct LttPairSide {
	gboolean is_it;   /* whether it has this role */
	gboolean has_key; /* this version has the field of the key */
	LttKeyGetter key;
} LttPairSide;

typedef struct LttPairType {
	const LttEventType *type;
	const LttLayout *layout;
	LttPairSide sides[LTT_N_PAIR_ROLES];
	gboolean has_group;
	gboolean group_is_code; /* an address in code */
	LttKeyGetter group;
} LttPairType;

/* The parsed request, and the event types resolved so far. */
typedef struct LttPairTypes {
	char *names[LTT_N_PAIR_ROLES];
	LttKeyPath keys[LTT_N_PAIR_ROLES];
	LttKeyPath group;
	gboolean has_group;
	LttPairRole group_role;                 /* of the event that has the group */
	gboolean is_filtered[LTT_N_PAIR_ROLES]; /* the filter is evaluated for this event */
	GHashTable *by_type;                    /* LttEventType to LttPairType; NULL: no role */
	const LttPairType *last[2];             /* found last; never NULL */
	const LttEventType *last_other;         /* without a role, found last; NULL: none */
} LttPairTypes;

/* @types: (out): clear it, also after a failure. Returns: FALSE as ltt_pairs_new() */
gboolean ltt_pair_types_init(LttPairTypes *types, const LttPairRequest *request, GError **error);
void ltt_pair_types_clear(LttPairTypes *types);

const LttPairType *ltt_pair_types_resolve(LttPairTypes *types, const LttEvent *event);

/* Returns: (nullable): NULL: the event is neither begin nor end */
static inline const LttPairType *ltt_pair_types_find(LttPairTypes *types, const LttEvent *event)
{
	for (guint i = 0; i < G_N_ELEMENTS(types->last); i++) {
		const LttPairType *last = types->last[i];

		if (last->type == event->type && last->layout == event->layout)
			return last;
	}
	return event->type == types->last_other ? NULL : ltt_pair_types_resolve(types, event);
}

#endif
