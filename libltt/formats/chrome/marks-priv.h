/* marks-priv.h - write counters, bookmarks, and the running thread of each CPU. */
#ifndef LTT_FORMATS_CHROME_MARKS_PRIV_H
#define LTT_FORMATS_CHROME_MARKS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/chrome/marks-priv.h is private to libltt"
#endif

#include "formats/chrome/entries-priv.h"

#include <ltt/ltt-select.h>

/* ---- counters ---- */

/* The counters of event types: fields that are declared as counters (doc/format.md, 8.9). */
typedef struct LttChromeCounters LttChromeCounters;

LttChromeCounters *ltt_chrome_counters_new(void);
void ltt_chrome_counters_free(LttChromeCounters *counters);

/* Appends an entry for each counter in @event. */
void ltt_chrome_counters_add(LttChromeCounters *counters, LttChromeEntries *entries,
			     const LttEvent *event, guint32 pid, guint32 tid);

/* ---- CPUs ---- */

/* The running thread of each CPU, from context switch events. */
typedef struct LttChromeCpus LttChromeCpus;

LttChromeCpus *ltt_chrome_cpus_new(void);
void ltt_chrome_cpus_free(LttChromeCpus *cpus);

/* If @event is a context switch, appends the slice of the thread that stops. */
void ltt_chrome_cpus_take(LttChromeCpus *cpus, LttChromeEntries *entries, const LttEvent *event);

/* Appends the slices of the threads that are still running, which end at @last_ns, and names the
 * tracks. */
void ltt_chrome_cpus_end(LttChromeCpus *cpus, LttChromeEntries *entries, guint64 last_ns);

/* ---- bookmarks ---- */

/* Appends the bookmarks of a trace that overlap the time window of the selection. */
void ltt_chrome_add_bookmarks(LttChromeEntries *entries, LttTrace *trace, const LttSelect *select);

#endif
