/* call-names-priv.h - names of system calls in the trace.
 *
 * Some events have the number of a system call without its name. Their descriptions in the trace get an enum
 * with the names, so that readers on other machines and of other architectures show them.
 */
#ifndef LTT_RECORD_KERNEL_CALL_NAMES_PRIV_H
#define LTT_RECORD_KERNEL_CALL_NAMES_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/call-names-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include <ltt/ltt-error.h>
#include <ltt/ltt-facility.h>

/* @facility: a shipped facility with a field "syscall_id" of 4 bytes
 *
 * Returns: (transfer full): the same facility, with an enum of the same size as that field */
LttFacility *ltt_call_names_add(const LttFacility *facility);

#endif
