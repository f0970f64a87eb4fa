/* altered.h - a trace with one file replaced by arbitrary bytes. */
#ifndef ALTERED_H
#define ALTERED_H

#include <ltt/ltt-trace.h>

#include <stddef.h>
#include <stdint.h>

/* The trace at @path, but for the file called @name, which is @data. Returns: (transfer full)
 * (nullable): NULL: it cannot be opened */
LttTrace *altered_trace(const char *path, const char *name, const uint8_t *data, size_t size);

/* Returns: (transfer full): the path of what lies at @sample in the data of the tests */
char *altered_sample(const char *sample);

/* The samples that are altered, and the files of them that are. */
#define ALTERED_SAMPLES                                                                            \
	"ltt/every-type", "ltt/big-endian", "ltt/two-versions", "ltt-extra/tracer",                \
		"ltt-extra/wrapping-ids", "ltt-extra/load-in-cpu-file", "ltt-extra/dialect-2.2",   \
		"ltt-extra/numbers"
#define ALTERED_FILES "cpu/0", "control/facilities"

#endif
