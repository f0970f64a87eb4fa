/* support-hand.h - traces whose blocks a test writes event by event, and what a reader returns of them.
 *
 * The ids of events are 4 none, 5 text, 6 pairs and 7 either of the facility of support-writer.h; 8 thread,
 * 9 events_lost, 10 clock and 11 process_start of tracer; 13 name of threads; and 14 process of processes. A
 * block is written as words with spaces between them. Times are in ns:
 *
 *	@100=5#3    begins at 100 cycles and 5 ns with the id 3; always the first word. Without "=5"
 *	            the time is 100, without "#3" the id is 0
 *	N110        the event none, at 110 cycles
 *	T120:word   the event text at 120 cycles, with the string "word"
 *	X130:9:00ff an event with the id 9 and these bytes
 *	H140=7      a time_heartbeat at 140 cycles and 7 ns
 *	E150=9      block_end at 150 cycles and 9 ns
 *	!26:0102    replaces the bytes from offset 26 on; !-4:... counts from the end of the block
 */
#ifndef SUPPORT_HAND_H
#define SUPPORT_HAND_H

#include <ltt/ltt-trace.h>

typedef struct HandTrace {
	char *path;
	LttByteOrder order;
	guint64 block_bytes;
} HandTrace;

/* Creates a trace with 4 CPUs and without events in a fresh directory. The names and values of further
 * attributes of its system follow, up to a NULL. */
HandTrace hand_new(LttByteOrder order, guint64 block_bytes, ...) G_GNUC_NULL_TERMINATED;
void hand_clear(HandTrace *hand);
void hand_clear_all(HandTrace *hands, guint n);

/* Appends a block to a tracefile. */
void hand_add(const HandTrace *hand, const char *tracefile, const char *words);

/* Appends bytes to a file of the trace, which is created if it does not exist. */
void hand_append(const HandTrace *hand, const char *name, gconstpointer bytes, gsize n_bytes);

/* Returns: (transfer full): the trace, opened */
LttTrace *hand_open(const HandTrace *hand);

/* Returns: (transfer full): @n traces, joined. @offsets_ns: (nullable): as in ltt_trace_join() */
LttTrace *hand_join(const HandTrace *hands, guint n, const gint64 *offsets_ns);

/* Returns: (transfer full): a line "cpu/0@110 none" for each event of a merge, and "! MESSAGE" for each
 * damage */
char *hand_read(LttTrace *trace);

/* Compares what hand_read() returns of the trace, without the events of control/facilities. */
void hand_expect(const HandTrace *hand, const char *expected, const char *file, int line);
#define HAND_EXPECT(hand, expected) hand_expect(hand, expected, __FILE__, __LINE__)

/* Returns: (transfer full): a line for each problem of a trace */
char *hand_problems(LttTrace *trace);

/* Compares what hand_problems() returns. */
void hand_expect_problems(LttTrace *trace, const char *expected, const char *file, int line);
#define HAND_EXPECT_PROBLEMS(trace, expected)                                                      \
	hand_expect_problems(trace, expected, __FILE__, __LINE__)

#endif
