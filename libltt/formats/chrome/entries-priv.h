/* entries-priv.h - write the entries of a Trace Event JSON file. */
#ifndef LTT_FORMATS_CHROME_ENTRIES_PRIV_H
#define LTT_FORMATS_CHROME_ENTRIES_PRIV_H

#ifndef LTT_BUILDING
#error "formats/chrome/entries-priv.h is private to libltt"
#endif

#include "base/sink-priv.h"

#include <ltt/ltt-event.h>

/* Ids of pseudo-processes, above the maximum process id of Linux, 4194304. */
#define LTT_CHROME_TRACE_PID 5000000 /* its threads represent the tracefiles */
#define LTT_CHROME_CPUS_PID  5000001 /* its threads represent the CPUs */

typedef struct LttChromeEntries {
	LttSink sink;
	guint64 start_ns;   /* time that is written as 0 */
	const char *before; /* separator to write before the next entry */
} LttChromeEntries;

void ltt_chrome_add_text(LttChromeEntries *entries, const char *text);

/* Appends a JSON string. */
void ltt_chrome_add_string(LttChromeEntries *entries, const char *text);

/**
 * ltt_chrome_begin:
 * @name: members of a JSON object: name and category, or only the name: "\"name\":\"core.irq\""
 * @phase: "B", "i", ...
 *
 * Begins an entry. The caller appends further members, each after a comma, and the closing brace.
 */
void ltt_chrome_begin(LttChromeEntries *entries, const char *name, const char *phase,
		      guint64 time_ns, guint32 pid, guint32 tid);

/* Appends an entry that names a track. @key: "process_name" or "thread_name" */
void ltt_chrome_add_naming(LttChromeEntries *entries, const char *key, guint32 pid, guint32 tid,
			   const char *name);

/* Returns: (transfer full): the members "name" and "cat". @category: (nullable): NULL: only
 * "name" */
char *ltt_chrome_describe(const char *name, const char *category);

#endif
