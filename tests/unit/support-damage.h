/* support-damage.h - damage bytes at random, the same way for the same seed. */
#ifndef SUPPORT_DAMAGE_H
#define SUPPORT_DAMAGE_H

#include <glib.h>

/* Changes some bits or bytes, or takes some away; at least one byte is left. */
void unit_damage(GRand *random, GByteArray *bytes);

#endif
