/* members-priv.h - validate the untrusted names of archive members.
 *
 * A valid name is UTF-8 without control characters, has no "..", is relative and not too deep. It
 * occurs once, and is not both a file and a folder.
 */
#ifndef LTT_MEMBERS_PRIV_H
#define LTT_MEMBERS_PRIV_H

#ifndef LTT_BUILDING
#error "members-priv.h is private to libltt"
#endif

#include <glib.h>

#define LTT_NAME_MAX_BYTES 1024 /* of a name with its folders */
#define LTT_NAME_MAX_DEPTH 16   /* folders above a file */

/* @part: of a name, between slashes. Returns: FALSE with LTT_ERROR_UNSUPPORTED if it is invalid */
gboolean ltt_name_check_part(const char *part, GError **error);

/* Returns: (transfer full) (nullable): the normalized name: without "." parts and without the slash
 *   after a folder; "" for the archive itself. NULL with LTT_ERROR_UNSUPPORTED and no place */
char *ltt_name_settle(const char *name, GError **error);

/* Returns: whether a part of a normalized name begins with a dot */
gboolean ltt_name_is_hidden(const char *name);

/* The set of names so far, including their parent folders. */
typedef struct LttMembers LttMembers;

LttMembers *ltt_members_new(void);
void ltt_members_free(LttMembers *members); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttMembers, ltt_members_free)

/* Adds a normalized name. A folder may occur twice. Returns: FALSE with LTT_ERROR_UNSUPPORTED */
gboolean ltt_members_add(LttMembers *members, const char *name, gboolean is_folder, GError **error);

/* Returns: the number of different names, including folders that occur only as parents */
guint ltt_members_count(const LttMembers *members);

/* Returns: (nullable): the root of the trace: "" or the only folder at the top; NULL: no trace */
const char *ltt_members_get_root(const LttMembers *members);

#endif
