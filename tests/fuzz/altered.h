/* altered.h - a trace with one file replaced by arbitrary bytes. */
#ifndef ALTERED_H
#define ALTERED_H

#include <ltt/ltt-trace.h>

#include <stddef.h>
#include <stdint.h>

/* Opens the trace at @path with @data as the file @name. Returns: (transfer full) (nullable): NULL
 * if it cannot be opened */
LttTrace *altered_trace(const char *path, const char *name, const uint8_t *data, size_t size);

/* Returns: (transfer full): the path of @sample in the test data */
char *altered_sample(const char *sample);

/* The altered samples and files. */
#define ALTERED_SAMPLES                                                                            \
	"ltt/every-type", "ltt/big-endian", "ltt/two-versions", "ltt-extra/tracer",                \
		"ltt-extra/wrapping-ids", "ltt-extra/load-in-cpu-file", "ltt-extra/dialect-2.2",   \
		"ltt-extra/numbers"
#define ALTERED_FILES "cpu/0", "control/facilities"

#endif
