/* expected-trace.h - write the events of a random program with the offline writer. */
#ifndef EXPECTED_TRACE_H
#define EXPECTED_TRACE_H

#include <ltt/ltt-payload.h>
#include <ltt/ltt-writer.h>

typedef struct ExpectedTrace {
	LttTraceWriter *writer;
	LttTracefileWriter *file;
	guint64 cycles;    /* of the next event */
	guint32 base_code; /* of the facility added last */
} ExpectedTrace;

/* End the program on an error. */
void expected_trace_open(ExpectedTrace *trace, const char *path, const LttArch *arch);
void expected_trace_load(ExpectedTrace *trace, const LttFacility *facility);
void expected_trace_add(ExpectedTrace *trace, const LttEventType *event, const LttPayload *payload);
void expected_trace_close(ExpectedTrace *trace);

#endif
