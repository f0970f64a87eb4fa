/* types-priv.h - the event types of an export and their ids there.
 *
 * An id of a trace may mean one type in one tracefile and another in the next, where these load
 * facilities for themselves (doc/format.md, 4.4). CTF has one numbering for all, so ids are given
 * out anew, in the order in which types are met.
 */
#ifndef LTT_FORMATS_CTF_TYPES_PRIV_H
#define LTT_FORMATS_CTF_TYPES_PRIV_H

#ifndef LTT_BUILDING
#error "formats/ctf/types-priv.h is private to libltt"
#endif

#include <ltt/ltt-event.h>

/* Stream classes: what the packets of a stream look like. */
typedef enum LttCtfClass {
	LTT_CTF_CONTROL, /* of a control file */
	LTT_CTF_CPU,     /* of a cpu file: packets have a cpu_id */
} LttCtfClass;
#define LTT_CTF_N_CLASSES 2

typedef struct LttCtfType {
	const LttEventType *type;
	const LttLayout *layout; /* NULL: no payload */
	guint32 id;
	gboolean is_in[LTT_CTF_N_CLASSES]; /* an event of it is in such a stream */
} LttCtfType;

typedef struct LttCtfTypes {
	GPtrArray *types;         /* of LttCtfType, owned, by id */
	GHashTable *by_type;      /* LttEventType -> LttCtfType */
	GPtrArray *recent;        /* of LttCtfType, by the id in the trace; NULL: not met yet */
	LttCtfClass stream_class; /* that the events under way go to */
} LttCtfTypes;

void ltt_ctf_types_init(LttCtfTypes *types);
void ltt_ctf_types_clear(LttCtfTypes *types);

/* From now on events go to a stream of @stream_class. */
void ltt_ctf_types_begin(LttCtfTypes *types, LttCtfClass stream_class);

/* The id of @event's type where ltt_ctf_types_get_id() does not know it yet. */
guint32 ltt_ctf_types_add(LttCtfTypes *types, const LttEvent *event);

/* Returns: the id of @event's type */
static inline guint32 ltt_ctf_types_get_id(LttCtfTypes *types, const LttEvent *event)
{
	const LttCtfType *type =
		event->id < types->recent->len ? types->recent->pdata[event->id] : NULL;

	if (G_LIKELY(type != NULL && type->type == event->type))
		return type->id;
	return ltt_ctf_types_add(types, event);
}

#endif
