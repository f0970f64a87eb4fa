/* ctype-build-priv.h - the tree of C types while it is being built. */
#ifndef LTT_CTYPE_BUILD_PRIV_H
#define LTT_CTYPE_BUILD_PRIV_H

#ifndef LTT_BUILDING
#error "ctype-build-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include "codegen/ctype-priv.h"

typedef struct LttCTypeBuild {
	LttCTypes *types;
	GHashTable *definitions; /* name of a type -> LttNamedType */
	GString *path;           /* name of the type that is being built */
} LttCTypeBuild;

/* Returns: (transfer none): a type without members or element; types->all owns it */
LttCType *ltt_ctype_new(LttCTypeBuild *build, LttTypeKind kind, const LttType *type);
void ltt_ctype_free(gpointer data);

/* Returns: the C type of @type, named after the path; of a typeref, that of the type it names */
LttCType *ltt_ctype_build(LttCTypeBuild *build, const LttType *type);

/* Returns: the C type of the type called @name; built once */
LttCType *ltt_ctype_build_named(LttCTypeBuild *build, const char *name);

/* Sets the members of a struct or union. */
void ltt_ctype_build_members(LttCTypeBuild *build, LttCType *made);

/* Returns: a name for the scope of the header, @base followed by @suffix if that is free; "" once
 *   the names exceed LTT_MAX_HEADER_BYTES */
const char *ltt_ctype_claim(LttCTypeBuild *build, const char *base, const char *suffix);
gboolean ltt_ctype_build_is_full(const LttCTypeBuild *build);

#endif
