/* bookmark.c - create, copy and free bookmarks. */
#include <ltt/ltt-bookmarks.h>

LttBookmark *ltt_bookmark_new(const char *name, const char *text)
{
	LttBookmark *bookmark = g_new0(LttBookmark, 1);

	bookmark->name = g_strdup(name);
	bookmark->text = g_strstrip(g_strdup(text != NULL ? text : ""));
	bookmark->cpu = -1;
	return bookmark;
}

LttBookmark *ltt_bookmark_dup(const LttBookmark *bookmark)
{
	LttBookmark *copy = g_memdup2(bookmark, sizeof(*bookmark));

	copy->name = g_strdup(bookmark->name);
	copy->text = g_strdup(bookmark->text);
	return copy;
}

void ltt_bookmark_free(LttBookmark *bookmark)
{
	if (bookmark == NULL)
		return;
	g_free(bookmark->name);
	g_free(bookmark->text);
	g_free(bookmark);
}

GPtrArray *ltt_bookmarks_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)ltt_bookmark_free);
}
