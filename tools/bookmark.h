/* bookmark.h - how commands show bookmarks: as a table, as JSON, and between events. */
#ifndef BOOKMARK_H
#define BOOKMARK_H

#include "json.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-event.h>
#include <ltt/ltt-trace.h>

/* Warns of what is wrong with the bookmarks of a trace, which have been read. */
void bookmark_tell_problems(LttTrace *trace);

/* Nothing if there are none. */
void bookmark_print_table(const GPtrArray *bookmarks);

/* A member "bookmarks" of an object. */
void bookmark_print_json(Json *json, const GPtrArray *bookmarks);

/* Returns: (transfer full): "1050000000.250000000", "cycle 123" */
char *bookmark_describe_place(const LttBookmark *bookmark, guint64 value);

/* Returns: (transfer full): a text on one line, any white space as one blank */
char *bookmark_in_a_line(const char *text);

/* The beginnings and ends of bookmarks, to be told where they are reached in a stream of events. */
typedef struct BookmarkMarks BookmarkMarks;

/* Told of a beginning, or of the end of an interval. */
typedef void (*BookmarkFunc)(const LttBookmark *bookmark, gboolean is_end, gpointer user_data);

/* Prints a line of its own, to stand between events. */
void bookmark_print_mark(const LttBookmark *bookmark, gboolean is_end);

/* Only those within [@from_ns, @to_ns), as far as they are given as times. */
BookmarkMarks *bookmark_marks_new(const GPtrArray *bookmarks, guint64 from_ns, guint64 to_ns);
void bookmark_marks_free(BookmarkMarks *marks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BookmarkMarks, bookmark_marks_free)

/* Tells of the marks that come before @event; NULL: of all that are left. An instant and a
 * beginning come before the first event that is not earlier, an end before the first that is later.
 * Cycle counts are those of cpu files, of the one that the bookmark names. */
void bookmark_marks_pass(BookmarkMarks *marks, const LttEvent *event, BookmarkFunc func,
			 gpointer user_data);

#endif
