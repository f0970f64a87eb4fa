/* ltt-value.h - typed access to the payload of an event, at any depth.
 *
 * An LttValue is a typed pointer into the payload. It is a small struct that may be copied, valid
 * as long as the event it came from. Byte order and sizes are those of the trace.
 *
 *	LttValue value, fd;
 *	if (ltt_event_get_value(event, &value) && ltt_value_find(&value, "fd", &fd))
 *		printf("%" G_GINT64_FORMAT "\n", ltt_value_get_int(&fd));
 *
 * Cost: finding a member up to the first one of variable size, or an element of fixed size, takes
 * constant time; finding others takes a walk over the preceding values. To visit all items, use
 * LttValueIter.
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

/* The number of an int, uint or enum. _int wraps unsigned numbers above G_MAXINT64. */
guint64 ltt_value_get_uint(const LttValue *value);
gint64 ltt_value_get_int(const LttValue *value);

/* The number of a float. Widening a 4-byte float to double is exact. */
double ltt_value_get_float(const LttValue *value);

/* @length: (out) (optional): in bytes, without the NUL
 * Returns: the bytes of a string, as they are in the trace, NUL-terminated */
const char *ltt_value_get_string(const LttValue *value, gsize *length);

/* Returns: (nullable): the first label with the number of an enum; NULL: there is none */
const char *ltt_value_get_label(const LttValue *value);

/* Returns: the number of elements of an array or sequence, or of members of a struct; 1 for a
 *   union; else 0 */
guint64 ltt_value_get_n_items(const LttValue *value);

/* Gets an element of an array or sequence, a member of a struct, or at 0 the member of a union.
 * Returns: FALSE, and @out not set, if @index is not below ltt_value_get_n_items() */
gboolean ltt_value_get_item(const LttValue *value, guint64 index, LttValue *out);

/* Returns: the index, in the type, of the member that a union holds */
guint ltt_value_get_union_code(const LttValue *value);

/* Finds a member of a struct or union by name.
 * Returns: FALSE, and @out not set, if there is none or the union holds another member */
gboolean ltt_value_find(const LttValue *value, const char *name, LttValue *out);

/* Returns: the size of the value in the payload, in bytes */
gsize ltt_value_get_size(const LttValue *value);

/* Visits the items of a struct, union, array or sequence in order, in one pass. */
typedef struct LttValueIter {
	LttValue of;   /* the struct, union, array or sequence */
	guint64 index; /* of the next item */
	guint64 n_items;
	const guint8 *next; /* first byte of the next item */
} LttValueIter;

void ltt_value_iter_init(LttValueIter *iter, const LttValue *value);

/* @name: (out) (optional): name of the member; NULL for elements
 * Returns: FALSE at the end */
gboolean ltt_value_iter_next(LttValueIter *iter, LttValue *out, const char **name);

G_END_DECLS

#endif /* LTT_VALUE_H */
