/* types-priv.h - assign CTF ids to event types.
 *
 * In a trace, the same event id can refer to different types in different tracefiles, if these load
 * their own facilities (doc/format.md, 4.4). In CTF, an id refers to the same type in all streams.
 * So the export assigns new ids, in the order in which the types first occur.
 */
#ifndef LTT_FORMATS_CTF_TYPES_PRIV_H
#define LTT_FORMATS_CTF_TYPES_PRIV_H

#ifndef LTT_BUILDING
#error "formats/ctf/types-priv.h is private to libltt"
#endif

#include <ltt/ltt-event.h>

/* Stream classes. They differ in the context of their packets. */
typedef enum LttCtfClass {
	LTT_CTF_CONTROL, /* for control files */
	LTT_CTF_CPU,     /* for cpu files: packets have a cpu_id */
} LttCtfClass;
#define LTT_CTF_N_CLASSES 2

typedef struct LttCtfType {
	const LttEventType *type;
	const LttLayout *layout; /* NULL: no payload */
	guint32 id;
	gboolean is_in[LTT_CTF_N_CLASSES]; /* a stream of this class contains such an event */
} LttCtfType;

typedef struct LttCtfTypes {
	GPtrArray *types;         /* of LttCtfType, owned, by id */
	GHashTable *by_type;      /* LttEventType -> LttCtfType */
	GPtrArray *recent;        /* of LttCtfType, by event id of the tracefile; NULL: none yet */
	LttCtfClass stream_class; /* of the current stream */
} LttCtfTypes;

void ltt_ctf_types_init(LttCtfTypes *types);
void ltt_ctf_types_clear(LttCtfTypes *types);

/* Sets the class of the stream that the next events go to. */
void ltt_ctf_types_begin(LttCtfTypes *types, LttCtfClass stream_class);

/* Slow path of ltt_ctf_types_get_id(): finds or adds the type of @event. */
guint32 ltt_ctf_types_add(LttCtfTypes *types, const LttEvent *event);

/* Returns: the CTF id of @event's type */
static inline guint32 ltt_ctf_types_get_id(LttCtfTypes *types, const LttEvent *event)
{
	const LttCtfType *type =
		event->id < types->recent->len ? types->recent->pdata[event->id] : NULL;

	if (G_LIKELY(type != NULL && type->type == event->type))
		return type->id;
	return ltt_ctf_types_add(types, event);
}

#endif
