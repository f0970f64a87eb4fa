/* system.h - info/system.xml of a live trace: what machine it is, and what layout. */
#ifndef LTTP_SYSTEM_H
#define LTTP_SYSTEM_H

#include "session-layout.h"

/* The text of info/system.xml, from uname(2) and the session; malloc'ed. NULL without memory. */
char *lttp_system_xml(const struct lttp_head *head);

/* One more than the greatest number that a CPU of this machine can have. */
uint32_t lttp_system_cpus(void);

#endif /* LTTP_SYSTEM_H */
