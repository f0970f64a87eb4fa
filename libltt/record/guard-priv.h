/* guard-priv.h - a recorder outlives that somebody cuts the files short that it has mapped. */
#ifndef LTT_RECORD_GUARD_PRIV_H
#define LTT_RECORD_GUARD_PRIV_H

#ifndef LTT_BUILDING
#error "record/guard-priv.h is private to libltt; use <ltt/ltt-recording.h>"
#endif

/* From the first begin to the last end, a load or store behind the end of a mapped file finds
 * memory of no meaning there, instead of ending the process by SIGBUS. Any thread. */
void ltt_guard_begin(void);
void ltt_guard_end(void);

#endif
