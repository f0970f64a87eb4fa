/* system.h - info/system.xml of a live trace: what machine it is, and what layout. */
#ifndef LTTP_SYSTEM_H
#define LTTP_SYSTEM_H

#include "session/session-layout.h"

#include <stdbool.h>

/* The text of info/system.xml, from uname(2) and the session; malloc'ed. NULL without memory. */
char *lttp_system_xml(const struct lttp_head *head);

/* One more than the greatest number that a CPU of this machine can have. */
uint32_t lttp_system_cpus(void);

/* Says for each of @cpus CPUs whether it is online; all are if the system does not say. */
void lttp_system_online(bool *online, uint32_t cpus);

#endif /* LTTP_SYSTEM_H */
