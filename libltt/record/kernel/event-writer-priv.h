/* event-writer-priv.h - write raw events of tracepoints as events of a tracefile. */
#ifndef LTT_RECORD_KERNEL_EVENT_WRITER_PRIV_H
#define LTT_RECORD_KERNEL_EVENT_WRITER_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/event-writer-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "record/kernel/cpu-file-priv.h"
#include "record/kernel/events-priv.h"
#include "tracepoint/ring-priv.h"

typedef struct LttEventWriter {
	LttCoreState core;
	LttPayload payload;
} LttEventWriter;

void ltt_event_writer_init(LttEventWriter *writer);
void ltt_event_writer_clear(LttEventWriter *writer);

/* Writes an event of a thread. One that is shorter than its fields is lost, and counted. */
void ltt_event_writer_write(LttEventWriter *writer, const LttKernelEvent *event, LttCpuFile *file,
			    guint32 pid, guint32 tid, const LttRingEvent *raw);

#endif
