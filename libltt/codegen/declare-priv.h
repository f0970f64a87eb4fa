/* declare-priv.h - declarations of C types, and the definitions that they need. */
#ifndef LTT_DECLARE_PRIV_H
#define LTT_DECLARE_PRIV_H

#ifndef LTT_BUILDING
#error "declare-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include "codegen/ctype-priv.h"
#include "codegen/text-priv.h"

/* Returns: the C type of an integer of @width: "uint16_t", "unsigned long" */
const char *ltt_c_integer(LttWidth width, gboolean is_signed);

/* Returns: the C type of an integer of @type: the value of a number or an enum, the code of a
 *   union */
const char *ltt_c_integer_of(const LttCType *type, gboolean is_signed);

/* Returns: (transfer full): the declaration of a @declarator ("name", "*name") of @type;
 *   @is_const applies to the target of a pointer. @type must not be a sequence without a tag */
char *ltt_c_declaration(const LttCType *type, const char *declarator, gboolean is_const);

/* Returns: (transfer full): the declaration of a pointer called @name to a const @type */
char *ltt_c_pointer(const LttCType *type, const char *name);

/* Writes the definitions that declarations of @type need, unless the header has them. */
void ltt_write_definitions(LttText *text, LttCType *type);

/* Writes the definition of the struct of an event. @members: of LttCMember; @description:
 * (nullable): untrusted */
void ltt_write_event_struct(LttText *text, const char *tag, const GArray *members,
			    const char *description);

#endif
