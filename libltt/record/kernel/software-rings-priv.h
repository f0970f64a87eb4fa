/* software-rings-priv.h - the ring buffers of all CPUs from perf_event_open(2). */
#ifndef LTT_RECORD_KERNEL_SOFTWARE_RINGS_PRIV_H
#define LTT_RECORD_KERNEL_SOFTWARE_RINGS_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/software-rings-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "record/kernel/software-ring-priv.h"

/* Opens a ring buffer for each CPU that is online, smaller ones if the user may not lock so much memory.
 * @rings: room for @n_cpus. @n_rings: (out): those that were opened, also after a failure. Returns: 0 or
 * an errno */
int ltt_software_rings_open(LttSoftwareRing *rings, guint n_cpus, LttSoftwareRequest *request,
			    guint *n_rings);
void ltt_software_rings_close(LttSoftwareRing *rings, guint *n_rings);

/* Starts or stops recording. */
void ltt_software_rings_enable(const LttSoftwareRing *rings, guint n_rings, gboolean is_on);

#endif
