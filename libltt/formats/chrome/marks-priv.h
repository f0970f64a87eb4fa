/* marks-priv.h - counters, bookmarks, and which thread each CPU runs. */
#ifndef LTT_FORMATS_CHROME_MARKS_PRIV_H
#define LTT_FORMATS_CHROME_MARKS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/chrome/marks-priv.h is private to libltt"
#endif

#include "formats/chrome/entries-priv.h"

#include <ltt/ltt-select.h>

/* ---- counters ---- */

/* The fields of event types that are counters (doc/format.md, 8.9). */
typedef struct LttChromeCounters LttChromeCounters;

LttChromeCounters *ltt_chrome_counters_new(void);
void ltt_chrome_counters_free(LttChromeCounters *counters);

/* Adds an entry for each counter in @event. */
void ltt_chrome_counters_add(LttChromeCounters *counters, LttChromeEntries *entries,
			     const LttEvent *event, guint32 pid, guint32 tid);

/* ---- CPUs ---- */

/* The thread that runs on each CPU, according to the events that switch threads. */
typedef struct LttChromeCpus LttChromeCpus;

LttChromeCpus *ltt_chrome_cpus_new(void);
void ltt_chrome_cpus_free(LttChromeCpus *cpus);

/* Adds the slice that @event ends, if it switches threads. */
void ltt_chrome_cpus_take(LttChromeCpus *cpus, LttChromeEntries *entries, const LttEvent *event);

/* Adds the slices of the threads that still run, up to the last event, and names the tracks. */
void ltt_chrome_cpus_end(LttChromeCpus *cpus, LttChromeEntries *entries, guint64 last_ns);

/* ---- bookmarks ---- */

/* Adds the bookmarks of a trace that are in the window of the selection. */
void ltt_chrome_add_bookmarks(LttChromeEntries *entries, LttTrace *trace, const LttSelect *select);

#endif
