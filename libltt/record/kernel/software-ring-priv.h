/* software-ring-priv.h - events of one CPU from perf_event_open(2).
 *
 * All share a ring buffer: a dummy, for records of switches, forks, ends and names of threads; page
 * faults; and tracepoints. The kernel allows the first two for processes of the same user if
 * kernel.perf_event_paranoid is at most 2, the last with CAP_PERFMON.
 */
#ifndef LTT_RECORD_KERNEL_SOFTWARE_RING_PRIV_H
#define LTT_RECORD_KERNEL_SOFTWARE_RING_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/software-ring-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include <ltt/ltt-error.h>

/* As much for each CPU as kernel.perf_event_mlock_kb allows by default, without the page of control
 * data. */
#define LTT_SOFTWARE_BUFFER_BYTES (512u << 10)

typedef struct LttSoftwareRing {
	guint cpu;
	int fd;              /* of the dummy, which owns the ring buffer */
	int fault_fd;        /* -1: none */
	int *tracepoint_fds; /* owned; of the request */
	guint n_tracepoints;
	guint8 *map; /* a page of control data, then the ring buffer */
	gsize page_bytes;
	gsize data_bytes; /* a power of two */
	guint64 head;     /* end of the records of this pass */
	guint64 tail;     /* start of the next record */
	guint64 n_lost;   /* records that PERF_RECORD_LOST has reported */
} LttSoftwareRing;

/* What to record. */
typedef struct LttSoftwareRequest {
	gint32 pid; /* this process and its children; -1: all processes */
	gboolean with_switches;
	gboolean with_faults;
	const guint16 *tracepoints; /* borrowed: the kernel's ids of tracepoints */
	guint n_tracepoints;
	gsize data_bytes; /* of the ring buffer, a power of two; halved until the kernel accepts it */
} LttSoftwareRequest;

/* Returns: whether the kernel allows a tracepoint for the processes of @request */
gboolean ltt_software_ring_may_trace(const LttSoftwareRequest *request, guint16 tracepoint);

/* Opens the events of a CPU, which begin disabled. Returns: 0; -ENODEV if the CPU is offline; otherwise
 * -errno */
int ltt_software_ring_open(LttSoftwareRing *ring, guint cpu, const LttSoftwareRequest *request);
/* Sets @error to why ltt_software_ring_open() failed with -@errnum. @is_program: whether the events of
 * one program were requested. Returns: FALSE */
gboolean ltt_software_ring_fail(int errnum, gboolean is_program, GError **error);
void ltt_software_ring_close(LttSoftwareRing *ring);

/* Starts or stops recording. */
void ltt_software_ring_enable(const LttSoftwareRing *ring, gboolean is_on);

/* A record. Fields that its kind does not have are 0. */
typedef struct LttSoftwareRecord {
	guint32 type; /* PERF_RECORD_ */
	guint16 misc;
	guint32 pid; /* of the thread; of a fork, an end or a name: of the subject */
	guint32 tid;
	guint32 other_pid; /* the creator, or the other thread of a switch */
	guint32 other_tid;
	guint64 raw_ns;
	guint64 ip; /* of a page fault */
	guint64 address;
	const guint8 *raw; /* of a tracepoint: as its format describes; valid until the next call */
	gsize raw_bytes;   /* 0: a page fault */
	guint64 n_lost;
	const char *name; /* ends with a NUL; valid until the next call */
} LttSoftwareRecord;

/* Notes the records that the ring buffer contains now. Returns: their bytes */
gsize ltt_software_ring_begin(LttSoftwareRing *ring);

/* Reads one of these records. Returns: FALSE if there is none left */
gboolean ltt_software_ring_next(LttSoftwareRing *ring, LttSoftwareRecord *record);

/* Returns: the number of lost records that no PERF_RECORD_LOST has reported, because the kernel writes it with the
 * next record; 0 on kernels before Linux 6.0, which do not count them */
guint64 ltt_software_ring_get_unreported(const LttSoftwareRing *ring);

#endif
