/* bookmark.h - how commands show bookmarks: as a table, as JSON, and between events. */
#ifndef BOOKMARK_H
#define BOOKMARK_H

#include "json.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-event.h>
#include <ltt/ltt-trace.h>

/* Warns of the problems that were found when the bookmarks of a trace were read. */
void bookmark_report_problems(LttTrace *trace);

/* Prints nothing if @bookmarks is empty. */
void bookmark_print_table(const GPtrArray *bookmarks);

/* Writes the member "bookmarks" of an object. */
void bookmark_print_json(Json *json, const GPtrArray *bookmarks);

/* Returns: (transfer full): "1050000000.250000000", "cycle 123" */
char *bookmark_describe_place(const LttBookmark *bookmark, guint64 value);

/* Returns: (transfer full): @text on one line, with each run of white space as one space */
char *bookmark_in_a_line(const char *text);

/* The starts and ends of bookmarks that a stream of events has not reached yet. */
typedef struct BookmarkMarks BookmarkMarks;

/* Called for an instant, for the start of an interval, and with @is_end for its end. */
typedef void (*BookmarkFunc)(const LttBookmark *bookmark, gboolean is_end, gpointer user_data);

/* Prints a line for a mark, between the lines of events. */
void bookmark_print_mark(const LttBookmark *bookmark, gboolean is_end);

/* Marks that are times are included only if they are in [@from_ns, @to_ns); marks that are cycle
 * counts always are. */
BookmarkMarks *bookmark_marks_new(const GPtrArray *bookmarks, guint64 from_ns, guint64 to_ns);
void bookmark_marks_free(BookmarkMarks *marks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BookmarkMarks, bookmark_marks_free)

/* Calls @func for the remaining marks that precede @event; NULL: for all remaining marks. An
 * instant or a start precedes the first event that is not earlier, an end precedes the first event
 * that is later. A cycle count is compared with the events of the cpu file that the bookmark names,
 * or of all cpu files if it names none. */
void bookmark_marks_pass(BookmarkMarks *marks, const LttEvent *event, BookmarkFunc func,
			 gpointer user_data);

#endif
