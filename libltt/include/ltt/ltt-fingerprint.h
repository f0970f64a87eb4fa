/* ltt-fingerprint.h - recognize an unchanged trace, to use results again that were stored outside of it.
 *
 *	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
 *	if (ltt_trace_fingerprint(trace, sum))
 *		look_up(g_checksum_get_string(sum));
 */
#ifndef LTT_FINGERPRINT_H
#define LTT_FINGERPRINT_H

#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

/* A trace with a file that changed less than this time ago has no fingerprint, because file systems
 * round the times of changes. */
#define LTT_FINGERPRINT_QUIET_NS ((guint64)2 * 1000 * 1000 * 1000)

/**
 * ltt_trace_fingerprint:
 * @sum: what identifies the trace is added to it
 *
 * Adds for each trace of a joined one, in their order:
 *
 *	files      of a directory: name, inode, size and time of the last change of each file, without
 *	           the bookmarks; of an archive: those of the archive
 *	contents   the facilities and the ids of their events; name and number of blocks of each tracefile,
 *	           and the times of the first and the last event of each block
 *	times      how they are converted to those of the joined trace
 *
 * A write to a file sets the time of its last change, which no program can set back. The contents
 * are those that the open trace has read, even if other files have replaced its files since. They
 * cover blocks that a recording overwrites in its mapped files.
 *
 * Two runs with the same sum read the same events. A copy of a trace has another sum.
 *
 * Returns: FALSE, and the sum is of no use, if the trace was being recorded when it was opened, or its
 *   recorder was killed and left its state in the trace; if a file changed less than
 *   LTT_FINGERPRINT_QUIET_NS ago or later than now; if it is neither a directory nor a regular file
 */
gboolean ltt_trace_fingerprint(LttTrace *trace, GChecksum *sum);

G_END_DECLS

#endif /* LTT_FINGERPRINT_H */
