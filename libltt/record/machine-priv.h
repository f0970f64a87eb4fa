/* machine-priv.h - record the state of the machine at the start of a recording. */
#ifndef LTT_RECORD_MACHINE_PRIV_H
#define LTT_RECORD_MACHINE_PRIV_H

#ifndef LTT_BUILDING
#error "record/machine-priv.h is private to libltt; use <ltt/ltt-recording.h>"
#endif

#include "session/session.h"

#include <ltt/ltt-error.h>

/* Writes control/interrupts and the first events of control/processes. For a new session that no
 * process has joined. */
gboolean ltt_record_machine(struct lttp_session *session, GError **error);

#endif
