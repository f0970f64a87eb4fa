/* members.c - validate and collect the names of archive members. */
#include "archive/members-priv.h"

#include "base/error-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

/* The file that every trace has. */
#define SYSTEM_NAME "info/system.xml"

struct LttMembers {
	GHashTable *folders; /* name, owned -> GINT_TO_POINTER(whether it is a folder) */
	GPtrArray *top;      /* top-level names; borrowed */
};

/* ---- one name ---- */

gboolean ltt_name_check_part(const char *part, GError **error)
{
	if (*part == '\0' || g_str_equal(part, ".") || g_str_equal(part, ".."))
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
				"its name leads out of the archive: expected one inside");
	if (!g_utf8_validate(part, -1, NULL))
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED, "its name is not UTF-8");
	for (const char *at = part; *at != '\0'; at = g_utf8_next_char(at))
		if (g_unichar_iscntrl(g_utf8_get_char(at)))
			return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
					"its name has control characters");
	return TRUE;
}

char *ltt_name_settle(const char *name, GError **error)
{
	g_autoptr(GString) settled = g_string_new(NULL);
	g_auto(GStrv) parts = NULL;
	guint depth = 0;

	if (strlen(name) > LTT_NAME_MAX_BYTES) {
		ltt_fail(error, LTT_ERROR_UNSUPPORTED, "its name is longer than %d bytes",
			 LTT_NAME_MAX_BYTES);
		return NULL;
	}
	if (name[0] == '\0' || name[0] == '/') {
		ltt_name_check_part("", error);
		return NULL;
	}
	parts = g_strsplit(name, "/", -1);
	for (guint i = 0; parts[i] != NULL; i++) {
		const gboolean is_last = parts[i + 1] == NULL;

		if (g_str_equal(parts[i], ".") || (is_last && parts[i][0] == '\0'))
			continue;
		if (!ltt_name_check_part(parts[i], error))
			return NULL;
		if (++depth > LTT_NAME_MAX_DEPTH + 1) {
			ltt_fail(error, LTT_ERROR_UNSUPPORTED,
				 "it is nested more than %d directories deep", LTT_NAME_MAX_DEPTH);
			return NULL;
		}
		g_string_append_printf(settled, "%s%s", settled->len > 0 ? "/" : "", parts[i]);
	}
	return g_string_free(g_steal_pointer(&settled), FALSE);
}

gboolean ltt_name_is_hidden(const char *name)
{
	return name[0] == '.' || strstr(name, "/.") != NULL;
}

/* ---- all names ---- */

LttMembers *ltt_members_new(void)
{
	LttMembers *members = g_new(LttMembers, 1);

	*members = (LttMembers){g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL),
				g_ptr_array_new()};
	return members;
}

void ltt_members_free(LttMembers *members)
{
	if (members == NULL)
		return;
	g_hash_table_unref(members->folders);
	g_ptr_array_unref(members->top);
	g_free(members);
}

/* Returns: FALSE if the name exists, unless it is a folder both times */
static gboolean add(LttMembers *members, const char *name, gboolean is_folder)
{
	gpointer was_folder;
	char *copy;

	if (g_hash_table_lookup_extended(members->folders, name, NULL, &was_folder))
		return is_folder && GPOINTER_TO_INT(was_folder);
	copy = g_strdup(name);
	g_hash_table_insert(members->folders, copy, GINT_TO_POINTER(is_folder));
	if (strchr(name, '/') == NULL)
		g_ptr_array_add(members->top, copy);
	return TRUE;
}

gboolean ltt_members_add(LttMembers *members, const char *name, gboolean is_folder, GError **error)
{
	for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		g_autofree char *folder = g_strndup(name, (gsize)(slash - name));

		if (!add(members, folder, TRUE))
			return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
					"its parent is a file, not a directory");
	}
	return add(members, name, is_folder) ||
	       ltt_fail(error, LTT_ERROR_UNSUPPORTED, "its name occurs twice");
}

guint ltt_members_count(const LttMembers *members)
{
	return g_hash_table_size(members->folders);
}

static gboolean has_system(const LttMembers *members, const char *root)
{
	g_autofree char *name = g_strconcat(root, *root != '\0' ? "/" : "", SYSTEM_NAME, NULL);
	gpointer is_folder;

	return g_hash_table_lookup_extended(members->folders, name, NULL, &is_folder) &&
	       !GPOINTER_TO_INT(is_folder);
}

const char *ltt_members_get_root(const LttMembers *members)
{
	if (has_system(members, ""))
		return "";
	return members->top->len == 1 && has_system(members, members->top->pdata[0])
		       ? members->top->pdata[0]
		       : NULL;
}
