/* software-source.c - events of the kernel from perf_event_open(2), for users who may not use tracefs.
 *
 *	record                  event
 *	SWITCH, out             core.schedchange of the thread and UNKNOWN_TID
 *	SWITCH, in              core.schedchange of UNKNOWN_TID and the thread
 *	SWITCH_CPU_WIDE, out    core.schedchange of both threads
 *	FORK                    core.process_fork
 *	EXIT                    of one program: core.schedchange to UNKNOWN_TID with the state Zombie;
 *	                        of a CPU: the next switch of the thread has this state
 *	COMM after exec         core.process_exec, with the name of the thread as file name
 *	sample of a page fault  exceptions.page_fault_user
 *	sample of a tracepoint  as from tracefs (software-tracepoints-priv.h)
 */
#include "record/kernel/source-priv.h"

#include "base/error-priv.h"
#include "record/description-priv.h"
#include "record/kernel/call-names-priv.h"
#include "record/kernel/sets-priv.h"
#include "record/kernel/software-rings-priv.h"
#include "record/kernel/software-tracepoints-priv.h"

#include <eventdefs/core.h>
#include <ltt/ltt-eventdefs.h>

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

/* The other thread of a switch, if this user may not see it. */
#define UNKNOWN_TID G_MAXUINT32

typedef struct SoftwareCpu {
	LttKernelFile *file; /* borrowed */
	guint32 tid;         /* the running thread, if all processes are recorded */
} SoftwareCpu;

typedef struct SoftwareSource {
	LttKernelSource source;
	LttSoftwareRequest request;
	LttSoftwareTracepoints tracepoints;
	LttRawClock clock;
	LttSoftwareRing *rings;
	SoftwareCpu *cpus; /* by ring */
	guint n_rings;
	guint16 core_base;
	guint16 fault_id;
	LttPayload payload;
} SoftwareSource;

static SoftwareSource *take(LttKernelSource *source)
{
	return (SoftwareSource *)source;
}

/* ---- open ---- */

/* Selects what this source has of the sets. */
static gboolean select_events(SoftwareSource *source, const LttKernelOptions *options,
			      GError **error)
{
	g_autoptr(GPtrArray) globs = ltt_kernel_sets_parse(options->selection);

	source->request.with_switches = ltt_kernel_sets_match(globs, "sched", "sched_switch");
	source->request.with_faults = ltt_kernel_sets_match(globs, "exceptions", "page_fault_user");
	if (options->filter != NULL)
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
				"perf_event_open: filters require tracefs");
	if (!ltt_software_tracepoints_find(&source->tracepoints, options->selection, error))
		return FALSE;
	if (source->request.with_switches || source->request.with_faults ||
	    source->tracepoints.events.events->len > 0)
		return TRUE;
	return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
			"perf_event_open: only the sets sched and faults can be recorded without "
			"the formats in tracefs");
}

static gboolean load_events(SoftwareSource *source, GError **error)
{
	struct lttp_session *session = source->source.files->session;
	g_autoptr(LttFacility) core = ltt_call_names_add(ltt_eventdefs_get_shipped("core"));
	g_autoptr(LttFacility) exceptions = ltt_facility_new("exceptions");
	LttType *fault = ltt_type_new_struct();
	static const char *const fields[] = {"address", "ip"};
	guint32 core_base = 0;
	guint32 base = 0;

	for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
		LttType *number = ltt_type_new_uint(LTT_WIDTH_LONG);

		ltt_type_set_format(number, "0x%x");
		ltt_type_add_field(fault, fields[i], NULL, number);
	}
	ltt_facility_add_event(exceptions, "page_fault_user", NULL, fault);
	if (!ltt_facility_seal(exceptions, error) ||
	    !ltt_record_load(session, core, &core_base, error) ||
	    !ltt_software_tracepoints_load(&source->tracepoints, session, error) ||
	    (source->request.with_faults && !ltt_record_load(session, exceptions, &base, error)))
		return FALSE;
	source->core_base = (guint16)core_base;
	source->fault_id = (guint16)base;
	return TRUE;
}

static void close_rings(SoftwareSource *source)
{
	ltt_software_rings_close(source->rings, &source->n_rings);
}

/* Returns: 0 or an errno */
static int open_rings(SoftwareSource *source, guint64 buffer_bytes)
{
	ltt_software_tracepoints_ask(&source->tracepoints, &source->request);
	source->request.data_bytes =
		ltt_software_tracepoints_choose_buffer(&source->tracepoints, buffer_bytes);
	return ltt_software_rings_open(source->rings, source->source.files->session->head->cpus,
				       &source->request, &source->n_rings);
}

/* Opens the rings for all processes, or, if that is forbidden, for the program. */
static gboolean open_allowed(SoftwareSource *source, const LttKernelOptions *options,
			     GError **error)
{
	int errnum = EACCES;

	if (!options->only_program) {
		source->request.pid = -1;
		errnum = open_rings(source, options->buffer_bytes);
	}
	if (options->pid != 0 && (errnum == EACCES || errnum == EPERM)) {
		close_rings(source);
		source->request.pid = (gint32)options->pid;
		errnum = open_rings(source, options->buffer_bytes);
	}
	return errnum == 0 || ltt_software_ring_fail(errnum, options->pid != 0, error);
}

static gboolean open_files(SoftwareSource *source, GError **error)
{
	for (guint i = 0; i < source->n_rings; i++) {
		source->cpus[i] = (SoftwareCpu){
			ltt_kernel_files_add(source->source.files, source->rings[i].cpu, error),
			UNKNOWN_TID};
		if (source->cpus[i].file == NULL)
			return FALSE;
		source->source.polls[source->source.n_polls++] =
			(struct pollfd){.fd = source->rings[i].fd, .events = POLLIN};
	}
	return TRUE;
}

/* ---- events ---- */

static void write_payload(SoftwareSource *source, LttCpuFile *file, const LttSoftwareRecord *record,
			  guint16 id)
{
	const GByteArray *bytes = source->payload.bytes;
	const guint64 cycles = ltt_raw_clock_convert(&source->clock, record->raw_ns);
	guint8 *payload = ltt_cpu_file_add(file, cycles, record->pid, record->tid, id, bytes->len);

	ltt_kernel_threads_see(source->source.threads, record->tid);
	if (payload != NULL)
		memcpy(payload, bytes->data, bytes->len);
	ltt_payload_reset(&source->payload);
}

/* The state of the thread that leaves. */
static guint32 get_state(const SoftwareSource *source, const LttSoftwareRecord *record)
{
	if (ltt_kernel_threads_has_ended(source->source.threads, record->tid))
		return core_schedchange_out_state_Zombie;
	return (record->misc & PERF_RECORD_MISC_SWITCH_OUT) == 0 ||
			       (record->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0
		       ? core_schedchange_out_state_Running
		       : core_schedchange_out_state_WaitInterruptible;
}

static void write_switch(SoftwareSource *source, LttCpuFile *file, const LttSoftwareRecord *record,
			 guint32 out, guint32 in, guint32 state)
{
	write_core_schedchange(&source->payload, &(const struct core_schedchange){
							 .out = out, .in = in, .out_state = state});
	write_payload(source, file, record, (guint16)(source->core_base + core_schedchange_index));
}

/* A switch of the program. */
static void take_switch(SoftwareSource *source, LttCpuFile *file, const LttSoftwareRecord *record)
{
	const gboolean is_out = (record->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;

	write_switch(source, file, record, is_out ? record->tid : UNKNOWN_TID,
		     is_out ? UNKNOWN_TID : record->tid, get_state(source, record));
}

/* A switch of a CPU. There is a record of the thread that leaves, which suffices, and one of the thread
 * that follows. The kernel makes no records of the idle threads of CPUs other than 0. A thread that has
 * ended has no id any more. */
static void take_wide_switch(SoftwareSource *source, SoftwareCpu *cpu, LttSoftwareRecord *record)
{
	LttCpuFile *file = &cpu->file->file;

	if (!(record->misc & PERF_RECORD_MISC_SWITCH_OUT)) {
		if (record->other_tid == 0 && cpu->tid != record->tid)
			write_switch(source, file, record, 0, record->tid,
				     get_state(source, record));
		cpu->tid = record->tid;
		return;
	}
	if (record->tid == UNKNOWN_TID) {
		record->tid = cpu->tid;
		record->pid = ltt_kernel_threads_find(source->source.threads, cpu->tid);
	}
	write_switch(source, file, record, record->tid, record->other_tid,
		     get_state(source, record));
	cpu->tid = record->other_tid;
}

static void take_fork(SoftwareSource *source, LttCpuFile *file, LttSoftwareRecord *record)
{
	write_core_process_fork(&source->payload,
				&(const struct core_process_fork){.parent_pid = record->other_tid,
								  .child_pid = record->tid});
	ltt_kernel_threads_create(source->source.threads, record->other_tid, record->tid,
				  record->pid == record->other_pid);
	/* The creator makes the record. */
	record->pid = record->other_pid;
	record->tid = record->other_tid;
	write_payload(source, file, record, (guint16)(source->core_base + core_process_fork_index));
}

static void take_name(SoftwareSource *source, LttCpuFile *file, const LttSoftwareRecord *record)
{
	guint8 comm[LTT_COMM_BYTES] = {0};

	g_strlcpy((char *)comm, record->name, sizeof(comm));
	ltt_kernel_threads_name(source->source.threads,
				ltt_raw_clock_convert(&source->clock, record->raw_ns), record->tid,
				comm);
	if (!(record->misc & PERF_RECORD_MISC_COMM_EXEC))
		return;
	write_core_process_exec(&source->payload,
				&(const struct core_process_exec){
					.pid = record->pid, .file_name = (char *)record->name});
	write_payload(source, file, record, (guint16)(source->core_base + core_process_exec_index));
}

static void take_fault(SoftwareSource *source, LttCpuFile *file, const LttSoftwareRecord *record)
{
	const gulong words[] = {(gulong)record->address, (gulong)record->ip};

	g_byte_array_append(source->payload.bytes, (const guint8 *)words, sizeof(words));
	write_payload(source, file, record, source->fault_id);
}

static void take_record(SoftwareSource *source, SoftwareCpu *cpu, LttSoftwareRecord *record)
{
	LttCpuFile *file = &cpu->file->file;

	switch (record->type) {
	case PERF_RECORD_SWITCH:
		take_switch(source, file, record);
		break;
	case PERF_RECORD_SWITCH_CPU_WIDE:
		take_wide_switch(source, cpu, record);
		break;
	case PERF_RECORD_FORK:
		take_fork(source, file, record);
		break;
	case PERF_RECORD_EXIT:
		/* The kernel detaches the thread before it leaves the CPU. */
		if (source->request.with_switches && source->request.pid > 0)
			write_switch(source, file, record, record->tid, UNKNOWN_TID,
				     core_schedchange_out_state_Zombie);
		ltt_kernel_threads_end(source->source.threads, record->tid);
		break;
	case PERF_RECORD_COMM:
		take_name(source, file, record);
		break;
	case PERF_RECORD_SAMPLE:
		ltt_kernel_threads_see(source->source.threads, record->tid);
		if (!ltt_software_tracepoints_write(
			    &source->tracepoints, file,
			    ltt_raw_clock_convert(&source->clock, record->raw_ns), record))
			take_fault(source, file, record);
		break;
	case PERF_RECORD_LOST:
		ltt_cpu_file_lose(file, record->n_lost);
		break;
	default:
		break;
	}
}

/* ---- the source ---- */

static void enable(LttKernelSource *base, gboolean is_on)
{
	ltt_software_rings_enable(take(base)->rings, take(base)->n_rings, is_on);
}

static gboolean start(LttKernelSource *base, GError **error)
{
	(void)error;
	enable(base, TRUE);
	return TRUE;
}

static guint64 pass(LttKernelSource *base)
{
	SoftwareSource *source = take(base);
	const guint64 ready_cycles = ltt_kernel_files_begin(base->files);
	guint64 n_bytes = 0;

	for (guint i = 0; i < source->n_rings; i++)
		n_bytes += ltt_software_ring_begin(&source->rings[i]);
	ltt_raw_clock_update(&source->clock);
	ltt_kernel_files_take_cut(base->files);
	for (guint i = 0; i < source->n_rings; i++) {
		SoftwareCpu *cpu = &source->cpus[i];
		LttSoftwareRecord record;

		while (ltt_software_ring_next(&source->rings[i], &record))
			take_record(source, cpu, &record);
		cpu->file->is_drained = TRUE;
	}
	ltt_kernel_threads_flush(base->threads, ltt_kernel_files_get_horizon(base->files));
	ltt_kernel_files_end(base->files, ready_cycles);
	return n_bytes;
}

static gboolean stop(LttKernelSource *base)
{
	enable(base, FALSE);
	return TRUE;
}

/* Each loss has a record, but the last one may have had no room. */
static void count(LttKernelSource *base)
{
	const SoftwareSource *source = take(base);

	for (guint i = 0; i < source->n_rings; i++) {
		const guint64 n_lost = ltt_software_ring_get_unreported(&source->rings[i]);

		if (n_lost > 0)
			ltt_cpu_file_lose(&source->cpus[i].file->file, n_lost);
	}
}

static void free_source(LttKernelSource *base)
{
	SoftwareSource *source = take(base);

	close_rings(source);
	g_free(source->rings);
	g_free(source->cpus);
	ltt_payload_clear(&source->payload);
	ltt_software_tracepoints_clear(&source->tracepoints);
	g_free(base->polls);
	g_free(source);
}

const char *ltt_software_source_describe(LttKernelSource *base)
{
	return take(base)->tracepoints.words;
}

static const LttKernelSourceType type = {start, pass, stop, count, free_source};

LttKernelSource *ltt_software_source_new(LttKernelFiles *files, LttKernelThreads *threads,
					 const LttKernelOptions *options, GError **error)
{
	const guint n_cpus = files->session->head->cpus;
	const LttArch arch = ltt_arch_native();
	SoftwareSource *source = g_new0(SoftwareSource, 1);

	source->source = (LttKernelSource){
		.type = &type, .files = files, .threads = threads, .clock = &source->clock};
	source->source.polls = g_new0(struct pollfd, n_cpus);
	source->rings = g_new0(LttSoftwareRing, n_cpus);
	source->cpus = g_new0(SoftwareCpu, n_cpus);
	ltt_payload_init(&source->payload, &arch);
	ltt_software_tracepoints_init(&source->tracepoints);
	ltt_raw_clock_init(&source->clock, files->session->head);
	if (select_events(source, options, error) && open_allowed(source, options, error) &&
	    load_events(source, error) && open_files(source, error))
		return &source->source;
	free_source(&source->source);
	return NULL;
}
