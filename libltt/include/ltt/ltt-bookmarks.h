/* ltt-bookmarks.h - notes of people on instants and intervals of a trace (doc/format.md, 9.2).
 *
 * They stand in info/bookmarks.xml. A list of them is a GPtrArray of LttBookmark that frees its
 * elements, in the order of the file. ltt_trace_read_bookmarks() gives those of a trace.
 */
#ifndef LTT_BOOKMARKS_H
#define LTT_BOOKMARKS_H

#include <glib.h>

G_BEGIN_DECLS

/* In what a place is given. */
typedef enum LttBookmarkUnit {
	LTT_BOOKMARK_TIME,   /* nanoseconds since 1970-01-01 UTC, at most LTT_TIME_MAX */
	LTT_BOOKMARK_CYCLES, /* of the cycle counter */
} LttBookmarkUnit;

typedef struct LttBookmark {
	char *name; /* any text, never NULL; need not be unique */
	char *text; /* never NULL */
	gint cpu;   /* number of a cpu file; -1: none is named */
	LttBookmarkUnit unit;
	gboolean is_interval; /* else an instant: start and end are the same */
	guint64 start;
	guint64 end; /* included; not below start */
} LttBookmark;

/**
 * ltt_bookmark_new:
 * @name: what it is called
 * @text: (nullable): more about it; white space at its ends does not count
 *
 * Returns: (transfer full): a bookmark on the instant 0, of no cpu file
 */
LttBookmark *ltt_bookmark_new(const char *name, const char *text);
LttBookmark *ltt_bookmark_dup(const LttBookmark *bookmark);
void ltt_bookmark_free(LttBookmark *bookmark); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttBookmark, ltt_bookmark_free)

/* Returns: (transfer full) (element-type LttBookmark): an empty list */
GPtrArray *ltt_bookmarks_new(void);

/**
 * ltt_bookmarks_parse:
 * @text: (array length=length): the bytes of a bookmarks.xml, read with the same leniency as event
 *   descriptions
 * @remarks: (element-type LttRemark): gets what is to be said, as with ltt_eventdefs_parse(). A
 *   location that is wrong is left out, with a warning; a file that is no XML is an error
 *
 * Returns: (transfer full) (element-type LttBookmark): those that are right
 */
GPtrArray *ltt_bookmarks_parse(const char *text, gsize length, GPtrArray *remarks);

/* Returns: (transfer full): a bookmarks.xml of the strict form. What XML has no character for
 * becomes U+FFFD */
char *ltt_bookmarks_print(const GPtrArray *bookmarks);

/**
 * ltt_bookmarks_add:
 * @directory: a trace
 * @bookmark: (transfer none): is put behind those that are there
 *
 * The file is replaced whole, or stays as it was; whoever changes it at the same time waits.
 *
 * Returns: FALSE, with nothing changed, and
 *   LTT_ERROR_IO           no such directory; a file could not be read or written
 *   LTT_ERROR_DESCRIPTION  something in the file cannot be read, and would be lost
 *   LTT_ERROR_LIMIT        the file would become larger than can be read
 */
gboolean ltt_bookmarks_add(const char *directory, const LttBookmark *bookmark, GError **error);

/* Whether a bookmark, number @index of the list, is meant. */
typedef gboolean (*LttBookmarkFunc)(const LttBookmark *bookmark, guint index, gpointer user_data);

/**
 * ltt_bookmarks_remove:
 * @is_meant: asked for each bookmark, in order
 * @n_removed: (out): how many were taken out; set on success. If none, the file is not touched
 *
 * Returns: as ltt_bookmarks_add()
 */
gboolean ltt_bookmarks_remove(const char *directory, LttBookmarkFunc is_meant, gpointer user_data,
			      guint *n_removed, GError **error);

G_END_DECLS

#endif /* LTT_BOOKMARKS_H */
