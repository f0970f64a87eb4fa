/* ondisk-priv.h - the constants of the trace format, in one place (doc/format.md, 3 and 4).
 *
 * Code never casts a pointer into a file to these structs: they define the offsets, which static
 * assertions pin.
 *
 *	0             26                             final word           S - 4        S
 *	+-------------+-------+-------+--  ...  -----+-----------+---------+------------+
 *	| block_start | event | event |              | block_end | padding | final word |
 *	+-------------+-------+-------+--  ...  -----+-----------+---------+------------+
 *	event: id (2 bytes), delta_cycles (4), payload (as many as its type says)
 */
#ifndef LTT_ONDISK_PRIV_H
#define LTT_ONDISK_PRIV_H

#ifndef LTT_BUILDING
#error "ondisk-priv.h is private to libltt"
#endif

#include <glib.h>

/* The folders of a trace directory, all of which exist (doc/format.md, 1). */
#define LTT_TRACE_FOLDERS ((const char *const[]){"info", "eventdefs", "control", "cpu", NULL})

/* The header of an event, before its payload. */
typedef struct LttDiskEvent {
	guint16 id;           /* 0  base code + index */
	guint32 delta_cycles; /* 2  since the last time value; dialect 2.2: counter, low 32 bits */
} __attribute__((packed)) LttDiskEvent;
G_STATIC_ASSERT(G_STRUCT_OFFSET(LttDiskEvent, delta_cycles) == 2);
G_STATIC_ASSERT(sizeof(LttDiskEvent) == 6);

/* Payload of a heartbeat, and first part of the payload of block_start and block_end. */
typedef struct LttDiskTime {
	guint32 seconds;     /* 0  since 1970-01-01 UTC */
	guint32 nanoseconds; /* 4 */
	guint64 cycles;      /* 8  the counter at that time */
} __attribute__((packed)) LttDiskTime;
G_STATIC_ASSERT(G_STRUCT_OFFSET(LttDiskTime, nanoseconds) == 4);
G_STATIC_ASSERT(G_STRUCT_OFFSET(LttDiskTime, cycles) == 8);
G_STATIC_ASSERT(sizeof(LttDiskTime) == 16);

/* Payload of block_start and block_end. */
typedef struct LttDiskBlock {
	LttDiskTime time; /*  0 */
	guint32 block_id; /* 16  increases by 1 from block to block of a file, modulo 2^32 */
} __attribute__((packed)) LttDiskBlock;
G_STATIC_ASSERT(G_STRUCT_OFFSET(LttDiskBlock, block_id) == 16);
G_STATIC_ASSERT(sizeof(LttDiskBlock) == 20);

/* Payload of tracer.clock (doc/format.md, 11). */
typedef struct LttDiskClock {
	guint64 cycles;           /*  0 */
	guint32 seconds;          /*  8 */
	guint32 nanoseconds;      /* 12 */
	guint64 next_cycles;      /* 16 */
	guint32 next_seconds;     /* 24 */
	guint32 next_nanoseconds; /* 28 */
} __attribute__((packed)) LttDiskClock;
G_STATIC_ASSERT(G_STRUCT_OFFSET(LttDiskClock, next_cycles) == 16);
G_STATIC_ASSERT(sizeof(LttDiskClock) == 32);

/* Ids of the builtin facility, whose base code is 0. */
enum {
	LTT_ID_FACILITY_LOAD = 0,
	LTT_ID_BLOCK_START = 1,
	LTT_ID_BLOCK_END = 2,
	LTT_ID_HEARTBEAT = 3,
	LTT_ID_FIRST_ORDINARY = 4,
};

#define LTT_EVENT_HEADER_BYTES sizeof(LttDiskEvent)
#define LTT_BLOCK_EVENT_BYTES  (sizeof(LttDiskEvent) + sizeof(LttDiskBlock))
#define LTT_HEARTBEAT_BYTES    (sizeof(LttDiskEvent) + sizeof(LttDiskTime))
#define LTT_FINAL_WORD_BYTES   sizeof(guint32)
/* Historical dialect: error in the final words of some writers (doc/format.md, 10.1). */
#define LTT_DIALECT_22_SLACK (LTT_BLOCK_EVENT_BYTES + LTT_FINAL_WORD_BYTES)
#define LTT_N_IDS            65536

#endif
