/* start.h - the start of the probe in its program.
 *
 * The probe starts in the constructor of the first library or program that has events, or of
 * libltt-probe itself, whichever runs first: it claims a slot for `ltt attach` and joins the session
 * that the environment names.
 */
#ifndef LTTP_START_H
#define LTTP_START_H

/* Starts the probe; only the first call has an effect. */
void lttp_start(void);

#endif /* LTTP_START_H */
