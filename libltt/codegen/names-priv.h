/* names-priv.h - unique names in a scope: a header, a struct, a list of parameters. */
#ifndef LTT_NAMES_PRIV_H
#define LTT_NAMES_PRIV_H

#ifndef LTT_BUILDING
#error "names-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include <glib.h>

/* A scope, in which names differ from each other. */
typedef struct LttNames LttNames;

typedef enum LttNamesKind {
	LTT_NAMES_OUTSIDE,        /* tags, enumerators, functions: one scope for all */
	LTT_NAMES_INSIDE,         /* members of a struct, parameters of a function */
	LTT_NAMES_INSIDE_OFFLINE, /* the same in a header that includes GLib */
} LttNamesKind;

LttNames *ltt_names_new(LttNamesKind kind);
void ltt_names_free(LttNames *names); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttNames, ltt_names_free)

/**
 * ltt_names_claim:
 * @wanted: a C identifier
 *
 * Returns: (transfer none): @wanted if it is free; with "_" appended if it is a reserved word; then
 *   with "_2", "_3" and so on appended if it is taken. Lives as long as @names
 */
const char *ltt_names_claim(LttNames *names, const char *wanted);

/* Returns: whether ltt_names_claim() would return @wanted unchanged */
gboolean ltt_names_has_room_for(const LttNames *names, const char *wanted);

/* Returns: the total length of the names claimed so far, in bytes */
gsize ltt_names_size(const LttNames *names);

/* Returns: (transfer full): @label with "_" for each character that is not allowed in identifiers */
char *ltt_name_from_label(const char *label);

#endif
