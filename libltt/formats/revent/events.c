/* events.c - types of input events and the events that stand for them. */
#include "formats/revent/events-priv.h"

static const char *const type_names[] = {
	[0x00] = "EV_SYN", [0x01] = "EV_KEY", [0x02] = "EV_REL",       [0x03] = "EV_ABS",
	[0x04] = "EV_MSC", [0x05] = "EV_SW",  [0x11] = "EV_LED",       [0x12] = "EV_SND",
	[0x14] = "EV_REP", [0x15] = "EV_FF",  [0x17] = "EV_FF_STATUS", [0x16] = "EV_PWR",
};

const char *ltt_revent_type_name(guint16 type)
{
	return type < G_N_ELEMENTS(type_names) ? type_names[type] : NULL;
}

gboolean ltt_revent_type_from_name(const char *name, guint16 *type)
{
	for (guint i = 0; i < G_N_ELEMENTS(type_names); i++) {
		if (type_names[i] != NULL && g_str_equal(type_names[i], name)) {
			*type = (guint16)i;
			return TRUE;
		}
	}
	return FALSE;
}
