/* software-tracepoints-priv.h - tracepoints for perf_event_open(2), where tracefs can only be read. */
#ifndef LTT_RECORD_KERNEL_SOFTWARE_TRACEPOINTS_PRIV_H
#define LTT_RECORD_KERNEL_SOFTWARE_TRACEPOINTS_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/software-tracepoints-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "record/kernel/event-writer-priv.h"
#include "record/kernel/software-ring-priv.h"

typedef struct LttSoftwareTracepoints {
	LttKernelEvents events; /* without what other records have */
	GArray *ids;            /* of guint16: the kernel's ids */
	LttEventWriter writer;
	char *words; /* what is recorded; owned */
} LttSoftwareTracepoints;

void ltt_software_tracepoints_init(LttSoftwareTracepoints *tracepoints);
void ltt_software_tracepoints_clear(LttSoftwareTracepoints *tracepoints);

/* Finds the tracepoints of a selection whose formats this user may read.
 * Returns: FALSE with LTT_ERROR_INVALID if a part of @selection matches no tracepoint */
gboolean ltt_software_tracepoints_find(LttSoftwareTracepoints *tracepoints, const char *selection,
				       GError **error);

/* Adds those to @request that the kernel allows for its processes. */
void ltt_software_tracepoints_ask(LttSoftwareTracepoints *tracepoints, LttSoftwareRequest *request);

/* Returns: the size of the ring buffer of a CPU for what was allowed last. @bytes: as requested; 0: the
 *   default */
gsize ltt_software_tracepoints_choose_buffer(const LttSoftwareTracepoints *tracepoints,
					     guint64 bytes);

/* Loads the facilities of those that were allowed last. Returns: FALSE with LTT_ERROR_IO or
 *   LTT_ERROR_LIMIT */
gboolean ltt_software_tracepoints_load(LttSoftwareTracepoints *tracepoints,
				       struct lttp_session *session, GError **error);

/* Writes the event of a sample. Returns: FALSE if it is of no tracepoint */
gboolean ltt_software_tracepoints_write(LttSoftwareTracepoints *tracepoints, LttCpuFile *file,
					guint64 cycles, const LttSoftwareRecord *record);

#endif
