/* names-priv.h - names made unique: in a file, in a struct, in a list of parameters. */
#ifndef LTT_NAMES_PRIV_H
#define LTT_NAMES_PRIV_H

#ifndef LTT_BUILDING
#error "names-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include <glib.h>

/* Where names must differ from one another. */
typedef struct LttNames LttNames;

typedef enum LttNamesKind {
	LTT_NAMES_OUTSIDE,        /* tags, enumerators, functions: all share one set */
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
 * Returns: (transfer none): @wanted itself if it can be had; with "_" behind it if it is a reserved
 *   word; with "_2", "_3" and so on behind that if it is taken. Lives as long as @names.
 */
const char *ltt_names_claim(LttNames *names, const char *wanted);

/* Returns: whether @wanted would be given as it is */
gboolean ltt_names_has_room_for(const LttNames *names, const char *wanted);

/* Returns: how many bytes the names take that were given so far */
gsize ltt_names_size(const LttNames *names);

/* Returns: (transfer full): @label with "_" for each character that no identifier can have */
char *ltt_name_from_label(const char *label);

#endif
