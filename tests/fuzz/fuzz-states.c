/* fuzz-states.c - any events of scheduling, interrupts and system calls, in any order: the stretches of a
 * CPU cover the time of the trace, and those of a thread follow each other.
 *
 *	input   changed, 2 bytes | event, event, ...
 *	event   type | CPU and thread | two arguments | time since the last event
 *
 * Byte @changed of the tracefile cpu/0 is inverted, so that blocks may be damaged; 0: none.
 */
#include "fuzz.h"

#include "base/directory-priv.h"

#include <eventdefs/core.h>
#include <fcntl.h>
#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-states.h>
#include <ltt/ltt-system.h>
#include <ltt/ltt-writer.h>
#include <unistd.h>

#define EVENT_BYTES  5
#define MAX_EVENTS   2000
#define N_CPUS       4
#define N_THREADS    16
#define N_TYPES      12
#define BLOCK_BYTES  4096
#define TRACER_LOSES 11

/* ---- the trace ---- */

static void fill(LttPayload *payload, guint type, guint32 tid, guint a, guint b)
{
	switch (type) {
	case core_schedchange_index:
		write_core_schedchange(payload, &(const struct core_schedchange){
							.out = tid, .in = a, .out_state = b % 5});
		break;
	case core_wakeup_index:
		write_core_wakeup(payload, &(const struct core_wakeup){.pid = a, .state = b % 5});
		break;
	case core_irq_entry_index:
		write_core_irq_entry(payload, &(const struct core_irq_entry){.irq_id = a});
		break;
	case core_soft_irq_entry_index:
		write_core_soft_irq_entry(payload,
					  &(const struct core_soft_irq_entry){.vector = a});
		break;
	case core_trap_entry_index:
		write_core_trap_entry(payload, &(const struct core_trap_entry){.address = a});
		break;
	case core_syscall_entry_index:
		write_core_syscall_entry(payload,
					 &(const struct core_syscall_entry){.syscall_id = a});
		break;
	case core_syscall_exit_index:
		write_core_syscall_exit(payload, &(const struct core_syscall_exit){.result = b});
		break;
	case core_process_fork_index:
		write_core_process_fork(payload, &(const struct core_process_fork){
							 .parent_pid = tid, .child_pid = a});
		break;
	default: /* without fields */
		break;
	}
}

static guint map_type(guint8 byte)
{
	static const guint types[N_TYPES - 1] = {
		core_schedchange_index,  core_wakeup_index,         core_irq_entry_index,
		core_irq_exit_index,     core_soft_irq_entry_index, core_soft_irq_exit_index,
		core_trap_entry_index,   core_trap_exit_index,      core_syscall_entry_index,
		core_syscall_exit_index, core_process_fork_index};

	return byte % N_TYPES == TRACER_LOSES ? G_MAXUINT : types[byte % N_TYPES];
}

static void write_event(LttTracefileWriter *file, guint64 time_ns, guint32 id, LttPayload *payload)
{
	FUZZ_ASSERT(ltt_tracefile_writer_event(file, time_ns, (guint16)id, payload->bytes->data,
					       payload->bytes->len, NULL));
	ltt_payload_reset(payload);
}

static void add_event(LttTraceWriter *writer, const guint32 *bases, LttPayload *payload,
		      guint64 time_ns, const uint8_t *bytes)
{
	g_autofree char *name = g_strdup_printf("cpu/%u", bytes[1] % N_CPUS);
	LttTracefileWriter *file = ltt_trace_writer_open(writer, name, NULL);
	const guint32 tid = bytes[1] / N_CPUS % N_THREADS;
	const guint type = map_type(bytes[0]);

	if (type == G_MAXUINT) {
		/* A total may also be less than the last one. */
		ltt_payload_add_int(payload, LTT_WIDTH_8, bytes[2]);
		write_event(file, time_ns, bases[0] + 1, payload);
		return;
	}
	ltt_payload_add_int(payload, LTT_WIDTH_4, tid / 4 * 4);
	ltt_payload_add_int(payload, LTT_WIDTH_4, tid);
	write_event(file, time_ns, bases[0], payload);
	fill(payload, type, tid, bytes[2] % N_THREADS, bytes[3]);
	write_event(file, time_ns, bases[1] + type, payload);
}

static void write_trace(const char *path, const uint8_t *data, size_t size)
{
	g_autoptr(LttSystem) system = ltt_system_new_local(BLOCK_BYTES);
	LttPayload payload;
	LttTraceWriter *writer;
	guint64 time_ns = 1;
	guint32 bases[2];

	ltt_system_set(system, "cpu", G_STRINGIFY(N_CPUS));
	FUZZ_ASSERT(ltt_system_seal(system, NULL));
	writer = ltt_trace_writer_new(path, system, NULL, NULL);
	FUZZ_ASSERT(writer != NULL);
	ltt_payload_init(&payload, ltt_trace_writer_get_arch(writer));
	FUZZ_ASSERT(
		ltt_trace_writer_load(writer, ltt_eventdefs_get_shipped("tracer"), &bases[0],
				      NULL) &&
		ltt_trace_writer_load(writer, ltt_eventdefs_get_shipped("core"), &bases[1], NULL));
	for (size_t i = 0; i < MIN(size / EVENT_BYTES, MAX_EVENTS); i++) {
		time_ns += data[i * EVENT_BYTES + 4];
		add_event(writer, bases, &payload, time_ns, data + i * EVENT_BYTES);
	}
	FUZZ_ASSERT(ltt_trace_writer_close(writer, NULL));
	ltt_trace_writer_free(writer);
	ltt_payload_clear(&payload);
}

static void invert(const char *trace, guint offset)
{
	g_autofree char *path = g_build_filename(trace, "cpu/0", NULL);
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	guint8 byte;

	if (fd >= 0 && pread(fd, &byte, 1, offset) == 1) {
		byte = (guint8)~byte;
		FUZZ_ASSERT(pwrite(fd, &byte, 1, offset) == 1);
	}
	if (fd >= 0)
		close(fd);
}

/* ---- the states ---- */

static guint64 *find_end(GHashTable *ends, const LttStretch *stretch)
{
	const gboolean is_cpu = stretch->subject == LTT_STRETCH_OF_CPU;
	const guint64 key = is_cpu ? (guint64)1 << 32 | (guint64)ltt_tracefile_get_cpu(stretch->cpu)
				   : stretch->tid;
	guint64 *end = g_hash_table_lookup(ends, &key);

	if (end == NULL) {
		end = g_new0(guint64, 1);
		g_hash_table_insert(ends, g_memdup2(&key, sizeof(key)), end);
	}
	return end;
}

static void check_order(GHashTable *ends, const LttStretch *stretch, guint64 start_ns)
{
	guint64 *end = find_end(ends, stretch);

	FUZZ_ASSERT(stretch->begin_ns >= *end);
	if (stretch->subject == LTT_STRETCH_OF_CPU)
		FUZZ_ASSERT(stretch->begin_ns == MAX(*end, start_ns));
	/* The next thread may have the same id. */
	*end = stretch->has_exited ? 0 : stretch->end_ns;
}

static void check_end(gpointer key, gpointer value, gpointer end_ns)
{
	if (*(guint64 *)key >> 32 != 0)
		FUZZ_ASSERT(*(guint64 *)value == *(guint64 *)end_ns);
}

static void check_stretch(const LttStretch *stretch)
{
	g_autofree char *wait = ltt_wait_to_text(&stretch->wait);

	FUZZ_ASSERT(wait != NULL && stretch->begin_ns < stretch->end_ns);
}

/* In a damaged trace, time may go back. */
static void try_states(LttTrace *trace, gboolean is_damaged, guint64 start_ns, guint64 end_ns)
{
	g_autoptr(GHashTable) ends =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	g_autoptr(LttStates) states = ltt_states_new(trace, 0, G_MAXUINT64);
	const LttStretch *stretch;
	LttStep step;

	while ((step = ltt_states_next(states, &stretch, NULL)) != LTT_STEP_END) {
		if (step == LTT_STEP_ERROR) {
			ltt_states_skip_block(states);
			continue;
		}
		check_stretch(stretch);
		if (!is_damaged)
			check_order(ends, stretch, start_ns);
	}
	g_hash_table_foreach(ends, check_end, &end_ns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *name = g_strdup_printf("ltt-fuzz-states-%d", (int)getpid());
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), name, NULL);
	LttTrace *trace;
	guint64 start_ns;
	guint64 end_ns;
	guint offset;

	if (size < 2)
		return 0;
	ltt_directory_remove(path);
	write_trace(path, data + 2, size - 2);
	offset = (guint)data[0] << 8 | data[1];
	if (offset != 0)
		invert(path, offset);
	trace = ltt_trace_open(path, NULL);
	if (trace != NULL && ltt_trace_get_span(trace, &start_ns, &end_ns))
		try_states(trace, offset != 0, start_ns, end_ns);
	ltt_trace_free(trace);
	ltt_directory_remove(path);
	return 0;
}
