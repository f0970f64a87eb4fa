/* packed-priv.h - values of constant size side by side in a packed struct, as they go into the
 * trace. */
#ifndef LTT_PACKED_PRIV_H
#define LTT_PACKED_PRIV_H

#ifndef LTT_BUILDING
#error "packed-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include "codegen/ctype-priv.h"
#include "codegen/text-priv.h"

/* A value in C: an expression, and whether it is a pointer to a struct rather than one. */
typedef struct LttFrom {
	char *text;
	gboolean is_pointer;
} LttFrom;

/* Return: (transfer full): the expression of a member, of an element */
char *ltt_from_member(const LttFrom *from, const char *name);
char *ltt_from_element(const LttFrom *from, const char *index);

typedef struct LttPacked {
	GArray *pieces;
	LttNames *names;    /* of the members */
	guint64 wire_bytes; /* on the widest machine */
} LttPacked;

LttPacked *ltt_packed_new(void);
void ltt_packed_free(LttPacked *packed); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttPacked, ltt_packed_free)

/* Adds a value, of a type of constant size; one that takes no bytes adds nothing. */
void ltt_packed_add(LttPacked *packed, const char *name, const LttCType *type, const LttFrom *from);

/* Adds a variable of the unsigned type of @width: a sequence's length, a union's code. */
void ltt_packed_add_uint(LttPacked *packed, const char *name, LttWidth width, const char *variable);

gboolean ltt_packed_is_empty(const LttPacked *packed);

/* Returns: (nullable): the expression to take the bytes from, if all there is is a number */
const char *ltt_packed_get_plain(const LttPacked *packed);

/* Write the declaration of @variable, and the statements that give it its value. */
void ltt_packed_declare(LttText *text, const LttPacked *packed, const char *variable);
void ltt_packed_fill(LttText *text, const LttPacked *packed, const char *variable);

#endif
