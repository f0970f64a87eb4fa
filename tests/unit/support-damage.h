/* support-damage.h - damage bytes at random, the same way for the same seed. */
#ifndef SUPPORT_DAMAGE_H
#define SUPPORT_DAMAGE_H

#include <glib.h>

/* Changes or removes some bits or bytes; at least one byte remains. */
void unit_damage(GRand *random, GByteArray *bytes);

#endif
