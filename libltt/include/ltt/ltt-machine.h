/* ltt-machine.h - this machine as it is now: its interrupts and processes, as the kernel lists
 * them under /proc, and as control/interrupts and control/processes tell them (doc/format.md, 4.6).
 */
#ifndef LTT_MACHINE_H
#define LTT_MACHINE_H

#include <ltt/ltt-payload.h>
#include <ltt/ltt-writer.h>

G_BEGIN_DECLS

/* Interrupts that the kernel lists by a name and not by a number (NMI, LOC, ...) are numbered from
 * here on, in the order of the list. */
#define LTT_NAMED_INTERRUPTS ((guint32)1 << 31)

typedef struct LttInterrupt {
	guint32 number;
	guint32 count;    /* taken so far, by all CPUs together, modulo 2^32 */
	char *controller; /* with the number and trigger of its input, where the kernel tells them:
			   * "IO-APIC 2-edge", "GICv2 30 Level"; "" of a named interrupt */
	char *name;       /* devices: "i801_smbus, ehci_hcd:usb1"; of a named interrupt its name and
			   * what it is: "LOC: Local timer interrupts" */
} LttInterrupt;

/* The labels of processes.process.state, by their values. */
typedef enum LttProcessState {
	LTT_PROCESS_RUNNING,
	LTT_PROCESS_WAIT_INTERRUPTIBLE,
	LTT_PROCESS_WAIT_UNINTERRUPTIBLE,
	LTT_PROCESS_ZOMBIE,
	LTT_PROCESS_TRACED,
	LTT_PROCESS_PAGING,
} LttProcessState;

typedef struct LttProcess {
	char *name;
	guint32 pid;
	guint32 ppid;
	guint32 tracer_pid;
	guint32 uids[4]; /* real, effective, saved, for files */
	guint32 gids[4];
	guint32 state;        /* an LttProcessState, or the kernel's letter for any other state */
	guint64 monotonic_ns; /* CLOCK_MONOTONIC when it was looked at */
} LttProcess;

/**
 * ltt_machine_read_interrupts:
 * @proc: "/proc", or a directory that looks like it
 *
 * Returns: (transfer full) (element-type LttInterrupt) (nullable): every interrupt that the kernel
 *   lists, in its order; none where the kernel has no such list; frees its elements. NULL with
 *   LTT_ERROR_IO if the list could not be read
 */
GPtrArray *ltt_machine_read_interrupts(const char *proc, GError **error);

/**
 * ltt_machine_read_processes:
 * @proc: as above
 * @n_unreadable: (out): processes that are there but could not be looked at. One that ends
 *   meanwhile is not among them
 *
 * Returns: (transfer full) (element-type LttProcess) (nullable): every process, in the order of
 *   their ids; frees its elements. NULL with LTT_ERROR_IO if @proc could not be listed
 */
GPtrArray *ltt_machine_read_processes(const char *proc, guint *n_unreadable, GError **error);

/* Append the payload of an interrupts.interrupt and of a processes.process. */
void ltt_interrupt_add_payload(const LttInterrupt *interrupt, LttPayload *payload);
void ltt_process_add_payload(const LttProcess *process, LttPayload *payload);

/* Returns: the line on which a trace of this machine lies: its cycles are the nanoseconds of
 * CLOCK_MONOTONIC, from the wall time of now on, whatever is done to the wall clock later */
LttLine ltt_machine_get_line(void);

/* What was written of a machine. */
typedef struct LttMachineCounts {
	guint n_interrupts;
	guint n_processes;
	guint n_unreadable; /* processes, as above */
} LttMachineCounts;

/**
 * ltt_machine_record:
 * @writer: of a trace on ltt_machine_get_line()
 * @proc: as above
 * @counts: (out): set on success
 *
 * Writes control/interrupts and control/processes.
 *
 * Returns: FALSE with LTT_ERROR_IO, or as ltt_tracefile_writer_event()
 */
gboolean ltt_machine_record(LttTraceWriter *writer, const char *proc, LttMachineCounts *counts,
			    GError **error);

G_END_DECLS

#endif /* LTT_MACHINE_H */
