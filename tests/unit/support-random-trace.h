/* support-random-trace.h - a random trace, with a list of its events. */
#ifndef SUPPORT_RANDOM_TRACE_H
#define SUPPORT_RANDOM_TRACE_H

#include "support-random.h"

#include <ltt/ltt-writer.h>

#define RANDOM_N_FACILITIES 3
#define RANDOM_N_FILES      4
extern const char *const random_file_names[RANDOM_N_FILES];

/* One event that was accepted. */
typedef struct RandomEvent {
	guint64 cycles;
	char *text; /* "NAME/CHECKSUM VALUE" */
} RandomEvent;

typedef struct RandomTrace {
	char *label; /* for messages: the seed and the parameters */
	LttArch arch;
	guint64 block_bytes;
	LttWriterOptions options; /* may be set before the trace is written */
	GRand *random;
	LttFacility *facilities[RANDOM_N_FACILITIES];
	LttLayouts *layouts[RANDOM_N_FACILITIES];
	guint32 base_codes[RANDOM_N_FACILITIES];
	GArray *events[RANDOM_N_FILES]; /* of RandomEvent: the written events */
	guint n_accepted;
	guint n_too_large; /* events that fit no block, and were rejected */
} RandomTrace;

/* All other parameters follow from these. */
void random_trace_init(RandomTrace *trace, LttArch arch, guint64 block_bytes, guint32 seed);
void random_trace_clear(RandomTrace *trace);

/* Writes the trace to @path, once. */
void random_trace_write(RandomTrace *trace, const char *path);

#endif
