/* events.c - convert input events to events of a trace, and back.
 *
 * Each input event type of Linux has its own event type in the trace. Its codes have the names that
 * the kernel uses. Events of other types become "unknown" events. Events whose time or padding a
 * trace cannot represent become "odd" events.
 */
#include "formats/revent/events-priv.h"

#include <ltt/ltt-time.h>

/* The event types that have the fields device, code and value. */
#define TYPES(X)                                                                                   \
	X(EV_SYN)                                                                                  \
	X(EV_KEY)                                                                                  \
	X(EV_REL)                                                                                  \
	X(EV_ABS)                                                                                  \
	X(EV_MSC)                                                                                  \
	X(EV_SW)                                                                                   \
	X(EV_LED)                                                                                  \
	X(EV_SND)                                                                                  \
	X(EV_REP)                                                                                  \
	X(EV_FF)                                                                                   \
	X(EV_PWR)                                                                                  \
	X(EV_FF_STATUS)

gboolean ltt_revent_is_regular(const LttReventEvent *event)
{
	return event->pad == LTT_REVENT_EVENT_PAD && event->seconds >= 0 &&
	       event->seconds <= G_MAXUINT32 && event->microseconds >= 0 &&
	       event->microseconds < LTT_REVENT_US_PER_S;
}

static guint write_odd(LttPayload *payload, const LttReventEvent *event)
{
	const struct revent_odd odd = {
		.device = event->device,
		.type = event->type,
		.code = event->code,
		.value = event->value,
		.seconds = event->seconds,
		.microseconds = event->microseconds,
		.pad = event->pad,
	};

	write_revent_odd(payload, &odd);
	return revent_odd_index;
}

static guint write_unknown(LttPayload *payload, const LttReventEvent *event)
{
	const struct revent_unknown unknown = {
		.device = event->device,
		.type = event->type,
		.code = event->code,
		.value = event->value,
	};

	write_revent_unknown(payload, &unknown);
	return revent_unknown_index;
}

#define WRITE(name)                                                                                \
	case revent_file_ev_##name:                                                                \
		write_revent_##name(payload,                                                       \
				    &(const struct revent_##name){.device = event->device,         \
								  .code = event->code,             \
								  .value = event->value});         \
		return revent_##name##_index;

guint ltt_revent_write_event(LttPayload *payload, const LttReventEvent *event)
{
	if (!ltt_revent_is_regular(event))
		return write_odd(payload, event);
	switch (event->type) {
		TYPES(WRITE)
	default:
		return write_unknown(payload, event);
	}
}

static gboolean read_odd(LttOfflineReader *reader, const LttEvent *event, LttReventEvent *out,
			 GError **error)
{
	struct revent_odd odd;

	if (!read_revent_odd(reader, event, &odd, error))
		return FALSE;
	*out = (LttReventEvent){
		.device = odd.device,
		.type = odd.type,
		.code = odd.code,
		.value = odd.value,
		.seconds = odd.seconds,
		.microseconds = odd.microseconds,
		.pad = odd.pad,
	};
	return TRUE;
}

static gboolean read_unknown(LttOfflineReader *reader, const LttEvent *event, LttReventEvent *out,
			     GError **error)
{
	struct revent_unknown unknown;

	if (!read_revent_unknown(reader, event, &unknown, error))
		return FALSE;
	out->device = unknown.device;
	out->type = unknown.type;
	out->code = unknown.code;
	out->value = unknown.value;
	return TRUE;
}

#define READ(name)                                                                                 \
	case revent_##name##_index: {                                                              \
		struct revent_##name in;                                                           \
                                                                                                   \
		if (!read_revent_##name(reader, event, &in, error))                                \
			return FALSE;                                                              \
		out->device = in.device;                                                           \
		out->type = revent_file_ev_##name;                                                 \
		out->code = in.code;                                                               \
		out->value = in.value;                                                             \
		return TRUE;                                                                       \
	}

gboolean ltt_revent_read_event(LttOfflineReader *reader, const LttEvent *event, LttReventEvent *out,
			       GError **error)
{
	*out = (LttReventEvent){
		.seconds = (gint64)(event->time_ns / LTT_NS_PER_S),
		.microseconds = (gint64)(event->time_ns % LTT_NS_PER_S / LTT_REVENT_NS_PER_US),
		.pad = LTT_REVENT_EVENT_PAD,
	};
	switch (ltt_offline_reader_find(reader, event)) {
		TYPES(READ)
	case revent_odd_index:
		return read_odd(reader, event, out, error);
	default:
		return read_unknown(reader, event, out, error);
	}
}
