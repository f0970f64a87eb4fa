/* packed-priv.h - generate a packed struct of values of constant size, encoded as in the trace. */
#ifndef LTT_PACKED_PRIV_H
#define LTT_PACKED_PRIV_H

#ifndef LTT_BUILDING
#error "packed-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include "codegen/ctype-priv.h"
#include "codegen/text-priv.h"

/* A C expression for a value, or for a pointer to its struct. */
typedef struct LttFrom {
	char *text;
	gboolean is_pointer;
} LttFrom;

/* Return: (transfer full): the expression for a member, for an element */
char *ltt_from_member(const LttFrom *from, const char *name);
char *ltt_from_element(const LttFrom *from, const char *index);

typedef struct LttPacked {
	GArray *pieces;
	LttNames *names;    /* of its members */
	guint64 wire_bytes; /* on ILP64 */
} LttPacked;

LttPacked *ltt_packed_new(void);
void ltt_packed_free(LttPacked *packed); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttPacked, ltt_packed_free)

/* Adds a value of constant size; ignores one that takes no bytes. */
void ltt_packed_add(LttPacked *packed, const char *name, const LttCType *type, const LttFrom *from);

/* Adds an unsigned variable of @width, for the length of a sequence or the code of a union. */
void ltt_packed_add_uint(LttPacked *packed, const char *name, LttWidth width, const char *variable);

gboolean ltt_packed_is_empty(const LttPacked *packed);

/* Returns: (nullable): the expression for the only value, if it is a number; else NULL */
const char *ltt_packed_get_plain(const LttPacked *packed);

/* Write the declaration of @variable, and the statements that set it. */
void ltt_packed_declare(LttText *text, const LttPacked *packed, const char *variable);
void ltt_packed_fill(LttText *text, const LttPacked *packed, const char *variable);

#endif
