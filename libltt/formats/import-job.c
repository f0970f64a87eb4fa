/* import-job.c - shared code of importers: the system and the facilities of the new trace, problems
 * and progress.
 */
#include "formats/import-priv.h"

#include "base/error-priv.h"
#include "base/job-priv.h"

#include <ltt/ltt-eventdefs.h>

#include <string.h>

#define LEAST_BLOCK_BYTES ((guint64)64 * 1024)

/* Number of problems that are reported individually. */
#define MOST_TOLD 1000

static void set_number(LttSystem *system, const char *name, guint64 number)
{
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, number);

	ltt_system_set(system, name, text);
}

LttSystem *ltt_import_new_system(const LttImportJob *job, const char *recording,
				 const LttArch *arch, guint64 block_bytes)
{
	LttSystem *system = ltt_system_new();
	g_autofree char *file = g_path_get_basename(job->name);
	g_autofree char *readable = g_utf8_make_valid(file, -1);

	ltt_system_set(system, "node_name", "unknown");
	ltt_system_set(system, "domainname", "");
	ltt_system_set(system, "cpu", "1");
	ltt_system_set(system, "arch_size", ltt_arch_size_name(arch->size));
	ltt_system_set(system, "endian", ltt_byte_order_name(arch->byte_order));
	ltt_system_set(system, "kernel_name", "unknown");
	ltt_system_set(system, "kernel_release", "unknown");
	ltt_system_set(system, "kernel_version", "unknown");
	ltt_system_set(system, "machine", "unknown");
	ltt_system_set(system, "processor", "unknown");
	ltt_system_set(system, "hardware_platform", "unknown");
	ltt_system_set(system, "operating_system", "unknown");
	ltt_system_set(system, "ltt_major_version", "2");
	ltt_system_set(system, "ltt_minor_version", "0");
	set_number(system, "ltt_block_size", block_bytes);
	ltt_system_set(system, "tracer", "libltt " LTT_VERSION);
	ltt_system_set(system, LTT_SYSTEM_RECORDING, recording);
	ltt_system_set(system, "recording_file", readable);
	return system;
}

void ltt_import_set_clock(LttSystem *system, const char *clock)
{
	ltt_system_set(system, LTT_SYSTEM_CLOCK, clock);
}

void ltt_import_set_clock_zero(LttSystem *system, guint64 wall_ns, guint64 clock_ns)
{
	if (clock_ns <= wall_ns && wall_ns <= LTT_MAX_TIME_NS)
		set_number(system, LTT_SYSTEM_CLOCK_ZERO, wall_ns - clock_ns);
}

guint64 ltt_import_block_bytes(gsize most_payload_bytes)
{
	const guint64 needed =
		most_payload_bytes + LTT_EVENT_HEADER_BYTES + LTT_BLOCK_OVERHEAD_BYTES;
	guint64 block_bytes = LEAST_BLOCK_BYTES;

	while (block_bytes < needed)
		block_bytes *= 2;
	return block_bytes;
}

gboolean ltt_import_begin(LttImportJob *job, LttSystem *system, const LttWriterOptions *options,
			  GError **error)
{
	if (!ltt_system_seal(system, error))
		return FALSE;
	job->writer = ltt_trace_writer_new(job->trace_path, system, options, error);
	return job->writer != NULL;
}

gboolean ltt_import_load(LttImportJob *job, const char *name, LttImportFacility *out,
			 GError **error)
{
	out->facility = ltt_eventdefs_get_shipped(name);
	return ltt_trace_writer_load(job->writer, out->facility, &out->base_code, error);
}

static void tell(LttImportJob *job, const LttProblem *problem)
{
	if (++job->n_problems <= MOST_TOLD)
		ltt_job_report(&job->request->callbacks, problem);
}

void ltt_import_tell_rest(LttImportJob *job)
{
	g_autofree char *message = NULL;

	if (job->n_problems <= MOST_TOLD)
		return;
	message =
		g_strdup_printf("%" G_GUINT64_FORMAT " more problems are not reported individually",
				job->n_problems - MOST_TOLD);
	ltt_job_report(&job->request->callbacks, &(LttProblem){.tracefile = job->name,
							       .block = LTT_NOWHERE,
							       .byte = LTT_NOWHERE,
							       .message = message});
}

void ltt_import_tell(LttImportJob *job, gint64 byte, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list arguments;

	va_start(arguments, format);
	message = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	tell(job, &(LttProblem){.tracefile = job->name,
				.block = LTT_NOWHERE,
				.byte = byte,
				.message = message});
}

gboolean ltt_import_take_damage(LttImportJob *job, GError *error, GError **out)
{
	LttProblem problem;

	if (!g_error_matches(error, LTT_ERROR, LTT_ERROR_CORRUPT)) {
		g_propagate_error(out, g_error_copy(error));
		return FALSE;
	}
	ltt_problem_from_error(error, &problem);
	tell(job, &problem);
	return TRUE;
}

gboolean ltt_import_progress(const LttImportJob *job, guint64 n_done, guint64 n_total,
			     GError **error)
{
	return ltt_job_progress(&job->request->callbacks, LTT_PROGRESS_BYTES, n_done, n_total,
				error);
}
