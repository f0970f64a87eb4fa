/* guard-priv.h - handle SIGBUS in a recorder whose mapped files are truncated. */
#ifndef LTT_RECORD_GUARD_PRIV_H
#define LTT_RECORD_GUARD_PRIV_H

#ifndef LTT_BUILDING
#error "record/guard-priv.h is private to libltt; use <ltt/ltt-recording.h>"
#endif

/* Between the first begin and the last end, loads and stores after the end of a mapped file access
 * an anonymous page, and do not kill the process with SIGBUS. Any thread may call these. */
void ltt_guard_begin(void);
void ltt_guard_end(void);

#endif
