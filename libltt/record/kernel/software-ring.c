/* software-ring.c - see software-ring-priv.h. */
#define _GNU_SOURCE
#include "record/kernel/software-ring-priv.h"

#include "base/error-priv.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX_RECORD_BYTES 65536

/* PERF_FORMAT_LOST, which headers before Linux 6.0 do not have. */
#define FORMAT_LOST (1u << 4)

/* Of a sample. All other records end with the members pid, tid and time. */
typedef struct Sample {
	guint64 ip;
	guint32 pid, tid;
	guint64 time;
	guint64 address;
} Sample;

typedef struct Trailer {
	guint32 pid, tid;
	guint64 time;
} Trailer;

/* A raw event, or none, follows with its size before it. */
#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_RAW)

/* ---- open ---- */

static int open_event(const LttSoftwareRequest *request, guint cpu, struct perf_event_attr *attr)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, request->pid, (int)cpu, -1,
			      PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && errno == EINVAL && attr->read_format != 0) {
		attr->read_format = 0; /* a kernel before Linux 6.0 */
		return open_event(request, cpu, attr);
	}
	return fd >= 0 ? fd : -errno;
}

static struct perf_event_attr make_attr(const LttSoftwareRequest *request, guint64 config)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = config,
		.sample_period = 1,
		.sample_type = SAMPLE_TYPE,
		.read_format = FORMAT_LOST,
		.sample_id_all = 1,
		.disabled = 1,
		.inherit = request->pid > 0,
		/* Required of users without privileges. */
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC_RAW,
		.watermark = 1,
		.wakeup_watermark = (guint32)(request->data_bytes / 2),
	};
}

static int map_ring(LttSoftwareRing *ring, gsize data_bytes)
{
	void *map = MAP_FAILED;

	ring->page_bytes = (gsize)sysconf(_SC_PAGESIZE);
	for (ring->data_bytes = data_bytes; ring->data_bytes >= ring->page_bytes;
	     ring->data_bytes /= 2) {
		map = mmap(NULL, ring->page_bytes + ring->data_bytes, PROT_READ | PROT_WRITE,
			   MAP_SHARED, ring->fd, 0);
		/* More than the user may lock. */
		if (map != MAP_FAILED || errno != EPERM)
			break;
	}
	if (map == MAP_FAILED)
		return -errno;
	ring->map = map;
	return 0;
}

static int open_faults(LttSoftwareRing *ring, const LttSoftwareRequest *request)
{
	struct perf_event_attr attr = make_attr(request, PERF_COUNT_SW_PAGE_FAULTS);
	const int fd = open_event(request, ring->cpu, &attr);

	if (fd < 0)
		return fd;
	ring->fault_fd = fd;
	return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) == 0 ? 0 : -errno;
}

/* Returns: a descriptor; -errno on failure */
static int open_tracepoint(const LttSoftwareRequest *request, guint cpu, guint16 tracepoint)
{
	struct perf_event_attr attr = make_attr(request, tracepoint);

	attr.type = PERF_TYPE_TRACEPOINT;
	attr.exclude_kernel = 0; /* they are in the kernel */
	return open_event(request, cpu, &attr);
}

gboolean ltt_software_ring_may_trace(const LttSoftwareRequest *request, guint16 tracepoint)
{
	const int fd = open_tracepoint(request, 0, tracepoint);

	if (fd >= 0)
		close(fd);
	return fd != -EACCES && fd != -EPERM && fd != -ENOENT;
}

static int open_tracepoints(LttSoftwareRing *ring, const LttSoftwareRequest *request)
{
	ring->tracepoint_fds = g_new(int, request->n_tracepoints);
	for (guint i = 0; i < request->n_tracepoints; i++) {
		const int fd = open_tracepoint(request, ring->cpu, request->tracepoints[i]);

		if (fd < 0)
			return fd;
		ring->tracepoint_fds[ring->n_tracepoints++] = fd;
		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) != 0)
			return -errno;
	}
	return 0;
}

int ltt_software_ring_open(LttSoftwareRing *ring, guint cpu, const LttSoftwareRequest *request)
{
	struct perf_event_attr attr = make_attr(request, PERF_COUNT_SW_DUMMY);
	int result;

	attr.comm = 1;
	attr.comm_exec = 1;
	attr.task = 1;
	attr.context_switch = request->with_switches;
	*ring = (LttSoftwareRing){.cpu = cpu, .fault_fd = -1};
	ring->fd = open_event(request, cpu, &attr);
	result = ring->fd < 0 ? ring->fd : map_ring(ring, request->data_bytes);
	if (result == 0 && request->with_faults)
		result = open_faults(ring, request);
	if (result == 0)
		result = open_tracepoints(ring, request);
	if (result != 0)
		ltt_software_ring_close(ring);
	return result;
}

gboolean ltt_software_ring_fail(int errnum, gboolean is_program, GError **error)
{
	g_autofree char *text = NULL;

	if (errnum == ENOSYS || errnum == EOPNOTSUPP || errnum == ENOENT)
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
				"perf_event_open: this kernel does not have it");
	if (errnum != EACCES && errnum != EPERM)
		return ltt_fail_io(error, "perf_event_open", "open", errnum);
	if (!g_file_get_contents("/proc/sys/kernel/perf_event_paranoid", &text, NULL, NULL))
		text = g_strdup("unknown");
	return ltt_fail(
		error, LTT_ERROR_UNSUPPORTED,
		"perf_event_open: kernel.perf_event_paranoid is %s: expected at most %d, or "
		"CAP_PERFMON; in a container, its seccomp filter must allow the call, too",
		g_strstrip(text), is_program ? 2 : 0);
}

void ltt_software_ring_close(LttSoftwareRing *ring)
{
	if (ring->map != NULL)
		munmap(ring->map, ring->page_bytes + ring->data_bytes);
	if (ring->fault_fd >= 0)
		close(ring->fault_fd);
	for (guint i = 0; i < ring->n_tracepoints; i++)
		close(ring->tracepoint_fds[i]);
	g_free(ring->tracepoint_fds);
	if (ring->fd >= 0)
		close(ring->fd);
}

void ltt_software_ring_enable(const LttSoftwareRing *ring, gboolean is_on)
{
	const unsigned long request = is_on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;

	ioctl(ring->fd, request, 0);
	if (ring->fault_fd >= 0)
		ioctl(ring->fault_fd, request, 0);
	for (guint i = 0; i < ring->n_tracepoints; i++)
		ioctl(ring->tracepoint_fds[i], request, 0);
}

/* ---- records ---- */

static struct perf_event_mmap_page *get_control(const LttSoftwareRing *ring)
{
	return (struct perf_event_mmap_page *)(void *)ring->map;
}

gsize ltt_software_ring_begin(LttSoftwareRing *ring)
{
	ring->head = __atomic_load_n(&get_control(ring)->data_head, __ATOMIC_ACQUIRE);
	return (gsize)(ring->head - ring->tail);
}

/* Copies @size bytes of the ring buffer. */
static void copy(const LttSoftwareRing *ring, guint64 from, void *to, gsize size)
{
	const guint8 *data = ring->map + ring->page_bytes;
	const gsize at = (gsize)(from & (ring->data_bytes - 1));
	const gsize first = MIN(size, ring->data_bytes - at);

	memcpy(to, data + at, first);
	memcpy((guint8 *)to + first, data, size - first);
}

/* Bodies of the kernel's records. */
typedef struct Fork {
	guint32 pid, ppid, tid, ptid;
} Fork;

typedef struct Threads {
	guint32 pid, tid;
} Threads;

static void decode_body(LttSoftwareRecord *record, const guint8 *body, gsize size)
{
	Fork fork = {0, 0, 0, 0};
	Threads threads = {0, 0};

	memcpy(&fork, body, MIN(size, sizeof(fork)));
	memcpy(&threads, body, MIN(size, sizeof(threads)));
	switch (record->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		record->pid = fork.pid;
		record->tid = fork.tid;
		record->other_pid = fork.ppid;
		record->other_tid = fork.ptid;
		break;
	case PERF_RECORD_COMM:
		record->pid = threads.pid;
		record->tid = threads.tid;
		/* Padded with at least one NUL. */
		record->name = size > sizeof(threads) ? (const char *)body + sizeof(threads) : "";
		break;
	case PERF_RECORD_SWITCH_CPU_WIDE:
		record->other_pid = threads.pid;
		record->other_tid = threads.tid;
		break;
	case PERF_RECORD_LOST:
		if (size >= 2 * sizeof(guint64))
			memcpy(&record->n_lost, body + sizeof(guint64), sizeof(guint64));
		break;
	default:
		break;
	}
}

static void decode_raw(LttSoftwareRecord *record, const guint8 *body, gsize size)
{
	guint32 n_bytes = 0;

	if (size >= sizeof(n_bytes))
		memcpy(&n_bytes, body, sizeof(n_bytes));
	if (n_bytes == 0 || n_bytes > size - sizeof(n_bytes))
		return;
	record->raw = body + sizeof(n_bytes);
	record->raw_bytes = n_bytes;
}

static void decode(LttSoftwareRecord *record, guint8 *body, gsize size)
{
	Sample sample;
	Trailer trailer;

	if (record->type == PERF_RECORD_SAMPLE && size >= sizeof(sample)) {
		memcpy(&sample, body, sizeof(sample));
		record->pid = sample.pid;
		record->tid = sample.tid;
		record->raw_ns = sample.time;
		record->ip = sample.ip;
		record->address = sample.address;
		decode_raw(record, body + sizeof(sample), size - sizeof(sample));
	} else if (size >= sizeof(trailer)) {
		memcpy(&trailer, body + size - sizeof(trailer), sizeof(trailer));
		record->pid = trailer.pid;
		record->tid = trailer.tid;
		record->raw_ns = trailer.time;
		body[size - sizeof(trailer)] = 0;
		decode_body(record, body, size - sizeof(trailer));
	}
}

gboolean ltt_software_ring_next(LttSoftwareRing *ring, LttSoftwareRecord *record)
{
	static __thread guint8 body[MAX_RECORD_BYTES];
	struct perf_event_header header;
	gsize size;

	if (ring->head - ring->tail < sizeof(header))
		return FALSE;
	copy(ring, ring->tail, &header, sizeof(header));
	if (header.size < sizeof(header) || header.size > ring->head - ring->tail) {
		ring->tail = ring->head;
		return FALSE;
	}
	size = header.size - sizeof(header);
	copy(ring, ring->tail + sizeof(header), body, size);
	ring->tail += header.size;
	__atomic_store_n(&get_control(ring)->data_tail, ring->tail, __ATOMIC_RELEASE);
	*record = (LttSoftwareRecord){.type = header.type, .misc = header.misc};
	decode(record, body, size);
	ring->n_lost += record->n_lost;
	return TRUE;
}

/* The lost records of an event, by the kernel's own count. */
static guint64 read_lost(int fd)
{
	struct {
		guint64 value;
		guint64 n_lost;
	} counts = {0, 0};

	/* Without PERF_FORMAT_LOST only the value is read. */
	return fd >= 0 && read(fd, &counts, sizeof(counts)) == sizeof(counts) ? counts.n_lost : 0;
}

guint64 ltt_software_ring_get_unreported(const LttSoftwareRing *ring)
{
	guint64 n_lost = read_lost(ring->fd) + read_lost(ring->fault_fd);

	for (guint i = 0; i < ring->n_tracepoints; i++)
		n_lost += read_lost(ring->tracepoint_fds[i]);
	return n_lost > ring->n_lost ? n_lost - ring->n_lost : 0;
}
