/* ltt-partition.h - split a trace into parts that can be decoded independently.
 *
 * A partition is a run of blocks of one tracefile. A closed block has its own times and thread, so
 * partitions can be read by other threads, by other processes, or on other machines that have access
 * to the files. However a trace is partitioned, the partitions contain all its events, each exactly
 * once.
 *
 *	cpu/3 128 64 1700000000.000000000 1700000001.500000000
 *	|     |   |  |                    time of the last event
 *	|     |   |  time of the first event
 *	|     |   number of blocks
 *	|     first block, in the order of reading (doc/format.md, 3.5)
 *	tracefile; in joined traces (ltt-join.h) the second one of a name is "cpu/3~2"
 */
#ifndef LTT_PARTITION_H
#define LTT_PARTITION_H

#include <ltt/ltt-select.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

typedef struct LttPartition {
	LttTracefile *tracefile; /* borrowed from the trace */
	guint64 first_block;     /* in the order of reading */
	guint64 n_blocks;        /* at least 1 */
	guint64 first_ns; /* no event of its closed blocks is earlier; 0: no block is closed */
	guint64 last_ns;  /* no event of its closed blocks is later; 0: no block is closed */
} LttPartition;

/* A partition of this size takes some milliseconds to decode. */
#define LTT_DEFAULT_PARTITION_BYTES ((guint64)4 * 1024 * 1024)

/**
 * ltt_partitions_new:
 * @select: (nullable): its CPUs and its window limit the partitions, which omit blocks without events
 *   of the window. Its names and its filter are ignored. NULL: the whole trace
 * @part_bytes: approximate size of a partition, which has at least one block
 *
 * Reads the headers of blocks, not the events. Order: tracefiles in the order of the trace,
 * and the blocks of each in the order of reading.
 *
 * Returns: (transfer full) (element-type LttPartition): valid until @trace is freed; free it with
 *   g_array_unref()
 */
GArray *ltt_partitions_new(LttTrace *trace, const LttSelect *select, guint64 part_bytes);

/* Returns: (transfer full): the line above, without a newline */
char *ltt_partition_to_text(const LttPartition *partition);

/**
 * ltt_partition_from_text:
 * @partition: (out): set on success
 *
 * Returns: FALSE with LTT_ERROR_INVALID if @text is not such a line, names a tracefile that @trace
 *   does not have, or blocks that the tracefile does not have
 */
gboolean ltt_partition_from_text(LttTrace *trace, const char *text, LttPartition *partition,
				 GError **error);

G_END_DECLS

#endif /* LTT_PARTITION_H */
