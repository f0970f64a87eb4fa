/* hosts-priv.h - the machines whose events a trace contains.
 *
 *	client           server           client + server, or merged
 *	cpu/0            cpu/0            cpu/0                  client
 *	cpu/1            processes        cpu/1                  client
 *	processes                         cpu/2                  server
 *	                                  control/processes      client
 *	                                  control/processes.2    server
 *
 * Two machines can have processes with the same id, so a process is identified by its host and its id.
 */
#ifndef LTT_HOSTS_PRIV_H
#define LTT_HOSTS_PRIV_H

#ifndef LTT_BUILDING
#error "hosts-priv.h is private to libltt; use <ltt/ltt-trace.h>"
#endif

#include "reader/trace-priv.h"

typedef struct LttHost {
	char *name;    /* its node_name */
	char *boot_id; /* identifies the machine; "": unknown */
	guint member;  /* the first member of a joined trace with its events */
} LttHost;

/* Sets the hosts of an opened trace, and that of each tracefile, from its system. */
void ltt_hosts_read(LttTrace *trace);

/* The same for a joined trace, from the hosts of its members. */
void ltt_hosts_join(LttTrace *joined);

/* Sets or removes the attribute of @system that describes the hosts of @trace. */
void ltt_hosts_describe(const LttTrace *trace, LttSystem *system);

/* Removes the names and the boot ids from the attribute of a system that has it. */
void ltt_hosts_hide_names(LttSystem *system);

#endif
