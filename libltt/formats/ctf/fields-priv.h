/* fields-priv.h - describe the layout of a payload in TSDL. */
#ifndef LTT_FORMATS_CTF_FIELDS_PRIV_H
#define LTT_FORMATS_CTF_FIELDS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/ctf/fields-priv.h is private to libltt"
#endif

#include <ltt/ltt-layout.h>

/* Appends the struct of an event's fields, its inner lines @depth + 1 tabs deep. A payload that
 * is no struct becomes a field called "value". @layout: NULL: the event has no payload */
void ltt_ctf_add_fields(GString *out, const LttLayout *layout, guint depth);

#endif
