/* ltt-value.h - typed access to the payload of an event, at any depth.
 *
 * An LttValue is a place in the payload and what is there. It is a small struct, copied freely,
 * and valid as long as the event it came from. Byte order and sizes are those of the trace.
 *
 *	LttValue value, fd;
 *	if (ltt_event_get_value(event, &value) && ltt_value_find(&value, "fd", &fd))
 *		printf("%" G_GINT64_FORMAT "\n", ltt_value_get_int(&fd));
 *
 * Cost: members before the first one of varying size, and elements of fixed size, are found by
 * arithmetic; others by walking over what lies in front of them. To visit all, use LttValueIter.
 */
#ifndef LTT_VALUE_H
#define LTT_VALUE_H

#include <ltt/ltt-event.h>

G_BEGIN_DECLS

typedef struct LttValue {
	const LttLayout *layout;
	const guint8 *bytes;
	gsize available; /* bytes from here to the end of the payload */
	LttByteOrder byte_order;
} LttValue;

/* Returns: FALSE, and @out not set, if the event has no payload */
gboolean ltt_event_get_value(const LttEvent *event, LttValue *out);

/* The number of an int, uint or enum. An unsigned one above G_MAXINT64 wraps in _int. */
guint64 ltt_value_get_uint(const LttValue *value);
gint64 ltt_value_get_int(const LttValue *value);

/* The number of a float; a 4-byte one is widened, which changes nothing about it. */
double ltt_value_get_float(const LttValue *value);

/* Returns: a string's bytes, as they are in the trace, NUL at the end; @length (out) (optional):
 * without it */
const char *ltt_value_get_string(const LttValue *value, gsize *length);

/* Returns: (nullable): the label of an enum's number, the first one that has it; NULL: none has */
const char *ltt_value_get_label(const LttValue *value);

/* Returns: the elements of an array or sequence, the members of a struct, 1 for a union, else 0 */
guint64 ltt_value_get_n_items(const LttValue *value);

/* Element of an array or sequence; member of a struct by its place; a union's only item at 0.
 * Returns: FALSE, and @out not set, if @index is not below ltt_value_get_n_items() */
gboolean ltt_value_get_item(const LttValue *value, guint64 index, LttValue *out);

/* The place, in its type, of the member that a union holds. */
guint ltt_value_get_union_code(const LttValue *value);

/* Member of a struct or union by name.
 * Returns: FALSE, and @out not set, if there is none or the union holds another */
gboolean ltt_value_find(const LttValue *value, const char *name, LttValue *out);

/* Returns: the bytes that the value takes in the payload */
gsize ltt_value_get_size(const LttValue *value);

/* Visits the items of a struct, union, array or sequence in order, in one pass. */
typedef struct LttValueIter {
	LttValue of;   /* what is visited */
	guint64 index; /* of the next item */
	guint64 n_items;
	const guint8 *next; /* its first byte */
} LttValueIter;

void ltt_value_iter_init(LttValueIter *iter, const LttValue *value);

/* @name: (out) (optional): the member's name; NULL for elements
 * Returns: FALSE at the end */
gboolean ltt_value_iter_next(LttValueIter *iter, LttValue *out, const char **name);

G_END_DECLS

#endif /* LTT_VALUE_H */
