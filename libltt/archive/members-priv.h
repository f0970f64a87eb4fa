/* members-priv.h - the names in an archive, which are a stranger's until they have been looked at.
 *
 * A good name is UTF-8 without control characters, leads down only, and not too far; it is there
 * once, and nothing is both a file and a folder.
 */
#ifndef LTT_MEMBERS_PRIV_H
#define LTT_MEMBERS_PRIV_H

#ifndef LTT_BUILDING
#error "members-priv.h is private to libltt"
#endif

#include <glib.h>

#define LTT_NAME_MAX_BYTES 1024 /* of a name with its folders */
#define LTT_NAME_MAX_DEPTH 16   /* folders above a file */

/* Returns: FALSE with LTT_ERROR_UNSUPPORTED if @part, of a name between slashes, is not good */
gboolean ltt_name_check_part(const char *part, GError **error);

/* Returns: (transfer full) (nullable): a name as it is meant: without parts "." and the slash
 * behind a folder; "" for the archive itself. NULL with LTT_ERROR_UNSUPPORTED. The error names no
 * place. */
char *ltt_name_settle(const char *name, GError **error);

/* Returns: whether a part of a settled name begins with a point */
gboolean ltt_name_is_hidden(const char *name);

/* The names met so far, and the folders that they are in. */
typedef struct LttMembers LttMembers;

LttMembers *ltt_members_new(void);
void ltt_members_free(LttMembers *members); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttMembers, ltt_members_free)

/* Notes a settled name. A folder may come twice. Returns: FALSE with LTT_ERROR_UNSUPPORTED */
gboolean ltt_members_add(LttMembers *members, const char *name, gboolean is_folder, GError **error);

/* Returns: how many different ones there are, folders included that were never named themselves */
guint ltt_members_count(const LttMembers *members);

/* Returns: (nullable): the root of the trace: "" or the only folder at the top; NULL: no trace */
const char *ltt_members_get_root(const LttMembers *members);

#endif
