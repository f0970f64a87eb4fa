/* ltt-bookmarks.h - users' notes on instants and intervals of a trace (doc/format.md, 9.2).
 *
 * info/bookmarks.xml stores them. A list of bookmarks is a GPtrArray of LttBookmark, in the order
 * of the file, that frees its elements. ltt_trace_read_bookmarks() returns those of a trace.
 */
#ifndef LTT_BOOKMARKS_H
#define LTT_BOOKMARKS_H

#include <glib.h>

G_BEGIN_DECLS

/* The unit of start and end. */
typedef enum LttBookmarkUnit {
	LTT_BOOKMARK_TIME,   /* nanoseconds since 1970-01-01 UTC, at most LTT_MAX_TIME_NS */
	LTT_BOOKMARK_CYCLES, /* of the cycle counter */
} LttBookmarkUnit;

typedef struct LttBookmark {
	char *name; /* any text, never NULL; need not be unique */
	char *text; /* never NULL */
	gint cpu;   /* number of a cpu file; -1: none */
	LttBookmarkUnit unit;
	gboolean is_interval; /* FALSE: an instant, start equals end */
	guint64 start;
	guint64 end; /* inclusive; not below start */
} LttBookmark;

/**
 * ltt_bookmark_new:
 * @text: (nullable): description; leading and trailing white space is removed
 *
 * Returns: (transfer full): a bookmark on the instant 0, without a cpu file
 */
LttBookmark *ltt_bookmark_new(const char *name, const char *text);
LttBookmark *ltt_bookmark_dup(const LttBookmark *bookmark);
void ltt_bookmark_free(LttBookmark *bookmark); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttBookmark, ltt_bookmark_free)

/* Returns: (transfer full) (element-type LttBookmark): an empty list */
GPtrArray *ltt_bookmarks_new(void);

/**
 * ltt_bookmarks_parse:
 * @text: (array length=length): the bytes of a bookmarks.xml, parsed as leniently as event
 *   descriptions
 * @remarks: (element-type LttRemark): receives warnings and errors, as with ltt_eventdefs_parse().
 *   An invalid location is skipped with a warning; a file that is not XML is an error
 *
 * Returns: (transfer full) (element-type LttBookmark): the valid bookmarks
 */
GPtrArray *ltt_bookmarks_parse(const char *text, gsize length, GPtrArray *remarks);

/**
 * ltt_bookmarks_read:
 * @directory: of a trace
 * @remarks: (element-type LttRemark): as above
 *
 * Reads info/bookmarks.xml again, which other programs may have changed; ltt_trace_read_bookmarks()
 * reads it once.
 *
 * Returns: (transfer full) (element-type LttBookmark): the valid bookmarks, none if there is no such
 *   file; NULL with LTT_ERROR_IO if it could not be read, LTT_ERROR_UNSUPPORTED if it is not a regular
 *   file, or LTT_ERROR_LIMIT if it is larger than LTT_MAX_XML_BYTES
 */
GPtrArray *ltt_bookmarks_read(const char *directory, GPtrArray *remarks, GError **error);

/* Returns: (transfer full): a bookmarks.xml in the strict form. Characters that XML cannot express
 *   become U+FFFD */
char *ltt_bookmarks_print(const GPtrArray *bookmarks);

/**
 * ltt_bookmarks_add:
 * @directory: a trace
 * @bookmark: (transfer none): appended to the existing ones
 *
 * Replaces the file atomically. A lock makes concurrent changes wait for each other.
 *
 * Returns: FALSE, with nothing changed, and
 *   LTT_ERROR_IO           no such directory; a file could not be read or written
 *   LTT_ERROR_DESCRIPTION  a part of the file cannot be parsed and would be lost
 *   LTT_ERROR_LIMIT        the file would become too large to read
 */
gboolean ltt_bookmarks_add(const char *directory, const LttBookmark *bookmark, GError **error);

/* Returns: whether to remove @bookmark, number @index of the list */
typedef gboolean (*LttBookmarkFunc)(const LttBookmark *bookmark, guint index, gpointer user_data);

/**
 * ltt_bookmarks_remove:
 * @is_meant: called for each bookmark, in order
 * @n_removed: (out): number of bookmarks removed; set on success. If 0, the file is not touched
 *
 * Returns: as ltt_bookmarks_add()
 */
gboolean ltt_bookmarks_remove(const char *directory, LttBookmarkFunc is_meant, gpointer user_data,
			      guint *n_removed, GError **error);

/**
 * ltt_bookmarks_replace:
 * @is_meant: called for each bookmark, in order
 * @replacement: (transfer none): takes the place of each bookmark that is meant
 * @n_replaced: (out): set on success. If 0, the file is not touched
 *
 * Returns: as ltt_bookmarks_add()
 */
gboolean ltt_bookmarks_replace(const char *directory, LttBookmarkFunc is_meant, gpointer user_data,
			       const LttBookmark *replacement, guint *n_replaced, GError **error);

G_END_DECLS

#endif /* LTT_BOOKMARKS_H */
