/* system.h - describe the machine in info/system.xml of a live trace. */
#ifndef LTTP_SYSTEM_H
#define LTTP_SYSTEM_H

#include "session/session-layout.h"

#include <stdbool.h>

/* Returns: the text of info/system.xml, to be freed by free(3); NULL without memory */
char *lttp_system_xml(const struct lttp_head *head);

/* Returns: one more than the greatest possible number of a CPU of this machine */
uint32_t lttp_system_cpus(void);

/* Finds which of the CPUs below @cpus are online; all, if this is unknown. */
void lttp_system_online(bool *online, uint32_t cpus);

#endif /* LTTP_SYSTEM_H */
