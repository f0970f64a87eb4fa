/* support-writer.h - writers for tests of their errors. */
#ifndef SUPPORT_WRITER_H
#define SUPPORT_WRITER_H

#include <ltt/ltt-facility.h>
#include <ltt/ltt-writer.h>

/* Returns: (transfer full): a path that does not exist, in the temporary folder of the test */
char *writer_fresh_path(void);

/* Returns: (transfer full): a facility with the events 4: without payload, 5: string, 6: a sequence
 * of pairs of bytes, 7: a union */
LttFacility *writer_facility(void);

/* Returns: (transfer full): a writer of a trace in a new directory */
LttTraceWriter *writer_new(const char *path, guint64 block_bytes);

/* Loads a facility, which must get the base code @expected. */
void writer_load(LttTraceWriter *writer, const LttFacility *facility, guint32 expected);

#endif
