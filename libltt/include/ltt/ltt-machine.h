/* ltt-machine.h - the interrupts and processes of this machine, from /proc.
 *
 * They are recorded in control/interrupts and control/processes (doc/format.md, 4.6).
 */
#ifndef LTT_MACHINE_H
#define LTT_MACHINE_H

#include <ltt/ltt-writer.h>

G_BEGIN_DECLS

/* Interrupts that the kernel lists by name instead of number (NMI, LOC, ...) get numbers from here
 * on, in the order of the list. */
#define LTT_NAMED_INTERRUPTS ((guint32)1 << 31)

typedef struct LttInterrupt {
	guint32 number;
	guint32 count;    /* since boot, on all CPUs, modulo 2^32 */
	char *controller; /* with the number and trigger of its input if the kernel lists them:
			     "IO-APIC 2-edge", "GICv2 30 Level"; "" for a named interrupt */
	char *name;       /* devices: "i801_smbus, ehci_hcd:usb1"; for a named interrupt its name
			     and description: "LOC: Local timer interrupts" */
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
	guint32 uids[4]; /* real, effective, saved, file system */
	guint32 gids[4];
	guint32 state;        /* an LttProcessState, or the kernel's letter for any other state */
	guint64 monotonic_ns; /* CLOCK_MONOTONIC when it was read */
} LttProcess;

/**
 * ltt_machine_read_interrupts:
 * @proc: "/proc", or a directory with the same layout
 *
 * Returns: (transfer full) (element-type LttInterrupt) (nullable): all interrupts that the kernel
 *   lists, in its order; empty if the kernel has no list; frees its elements. NULL with
 *   LTT_ERROR_IO if the list could not be read
 */
GPtrArray *ltt_machine_read_interrupts(const char *proc, GError **error);

/**
 * ltt_machine_read_processes:
 * @proc: as above
 * @n_unreadable: (out): number of processes that could not be read, without those that exited
 *   meanwhile
 *
 * Returns: (transfer full) (element-type LttProcess) (nullable): all processes, sorted by pid;
 *   frees its elements. NULL with LTT_ERROR_IO if @proc could not be listed
 */
GPtrArray *ltt_machine_read_processes(const char *proc, guint *n_unreadable, GError **error);

/* Returns: the clock line for a trace of this machine. Cycles are the nanoseconds of
 *   CLOCK_MONOTONIC; the line equals the wall clock at the time of the call and ignores later
 *   changes of the wall clock */
LttLine ltt_machine_get_line(void);

/* Numbers of events written by ltt_machine_record(). */
typedef struct LttMachineCounts {
	guint n_interrupts;
	guint n_processes;
	guint n_unreadable; /* processes that could not be read */
} LttMachineCounts;

/**
 * ltt_machine_record:
 * @writer: of a trace with the line of ltt_machine_get_line()
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
