/* support-random.h - random facilities and values, determined by a seed.
 *
 * A value has two forms: the bytes of its payload, and a text. A test compares that text with one
 * made from the values that a reader returns.
 */
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include <ltt/ltt-payload.h>
#include <ltt/ltt-value.h>

/* Returns: (transfer full): a sealed facility of some events and named types, of all kinds of type,
 * nested, with every width */
LttFacility *random_facility(GRand *random, const char *name);

/* Adds a random value of @layout to @payload, and its text to @text. */
void random_value(GRand *random, const LttLayout *layout, LttPayload *payload, GString *text);

/* Adds the text of @value to @text, and counts in @n_wrong the items for which two ways of access
 * differ. */
void describe_value(const LttValue *value, GString *text, guint *n_wrong);

/* Returns: a limit, or any value, of this many bytes */
guint64 random_number(GRand *random, guint width_bytes);

#endif
