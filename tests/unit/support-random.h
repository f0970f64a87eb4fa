/* support-random.h - facilities and values by chance, the same ones for the same seed.
 *
 * A value comes twice: as the bytes of its payload, and as a text of what is in it. The same text
 * made from what a reader found tells whether it found the same.
 */
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include <ltt/ltt-payload.h>
#include <ltt/ltt-value.h>

/* Returns: (transfer full): a sealed facility of some events and named types, of all kinds of type,
 * nested, with every width */
LttFacility *random_facility(GRand *random, const char *name);

/* Adds a random value of @layout to @payload, and what it is to @text. */
void random_value(GRand *random, const LttLayout *layout, LttPayload *payload, GString *text);

/* Adds what @value is to @text, in the same words, and counts in @n_wrong what two ways to the same
 * item do not agree on. */
void describe_value(const LttValue *value, GString *text, guint *n_wrong);

/* Returns: one of the edges or any value of so many bytes */
guint64 random_number(GRand *random, guint width_bytes);

#endif
