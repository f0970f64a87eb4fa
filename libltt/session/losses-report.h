/* losses-report.h - write the reasons of lost events into the trace.
 *
 * The session state counts each reason, and how many of these events the trace reports. A report
 * appends one event of the facility `losses` to control/processes for each reason with new losses.
 * The first loss is reported at once and later ones once per second, by the recorder or by the
 * process that loses events. The rest is reported when a process leaves, before a snapshot, and at
 * the end of the session. Thus the trace of a killed recorder has its reasons, too.
 */
#ifndef LTTP_LOSSES_REPORT_H
#define LTTP_LOSSES_REPORT_H

#include "session/session.h"

/* Reports all losses that have not been reported. */
void lttp_losses_report(struct lttp_session *session);

/* The same, but at most once per second in all processes of the session, and only while
 * control/processes has an unused block: its last block is for process events and the final report.
 * Blocks signals meanwhile. */
void lttp_losses_report_rarely(struct lttp_session *session);

#endif /* LTTP_LOSSES_REPORT_H */
