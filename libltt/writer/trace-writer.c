/* trace-writer.c - write a trace: its directory, facilities and tracefiles.
 *
 * Loading a facility writes its description, but control/facilities is written last: all of its
 * events get the earliest time value of the trace, so that no event is older than the load of its
 * facility, whatever the order in which the files were filled. Without any time value they get the
 * time_ns of the line.
 *
 * No output depends on the time of day or on random numbers: the same calls write the same bytes.
 */
#include "writer/line-priv.h"
#include "writer/trace-writer-priv.h"

#include "base/directory-priv.h"
#include "base/error-priv.h"
#include "model/ondisk-priv.h"

#include <eventdefs/builtin.h>
#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-hash.h>

#include <string.h>

#define FACILITIES_NAME "control/facilities"
#define CPU_PREFIX      "cpu/"
#define CONTROL_PREFIX  "control/"

/* ---- creation ---- */

static gboolean set_options(LttTraceWriter *writer, const LttWriterOptions *options, GError **error)
{
	static const LttWriterOptions none;
	const guint64 heartbeat_ns = options != NULL && options->heartbeat_ns != 0
					     ? options->heartbeat_ns
					     : LTT_NS_PER_S;
	guint64 heartbeat_cycles;

	writer->line = options != NULL ? options->line : none.line;
	if (memcmp(&writer->line, &none.line, sizeof(none.line)) == 0)
		writer->line = (LttLine){.dt_ns = 1, .dc_cycles = 1};
	if (writer->line.dc_cycles == 0 || writer->line.time_ns > LTT_MAX_WRITTEN_NS)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"line from cycles to time: expected a number of cycles other than "
				"0 and a time whose seconds have 32 bits");
	heartbeat_cycles = ltt_line_cycles_in(&writer->line, heartbeat_ns);
	writer->most_delta = (guint32)MIN(heartbeat_cycles - 1, G_MAXUINT32);
	return TRUE;
}

static gboolean make_file(LttTraceWriter *writer, const char *name, GError **error)
{
	LttTracefileWriter *file = ltt_tracefile_writer_new(writer, name, error);

	if (file == NULL)
		return FALSE;
	g_ptr_array_add(writer->files, file);
	g_hash_table_insert(writer->by_name, file->name, file);
	return TRUE;
}

static gboolean write_system(const LttTraceWriter *writer, GError **error)
{
	g_autofree char *text = ltt_system_print(writer->system);

	return ltt_directory_write(writer->path, "info/system.xml", text, error);
}

static gboolean fill_directory(LttTraceWriter *writer, GError **error)
{
	return write_system(writer, error) && make_file(writer, FACILITIES_NAME, error);
}

LttTraceWriter *ltt_trace_writer_new(const char *path, const LttSystem *system,
				     const LttWriterOptions *options, GError **error)
{
	g_autoptr(LttTraceWriter) writer = g_new0(LttTraceWriter, 1);

	writer->path = g_strdup(path);
	writer->system = ltt_system_dup(system);
	writer->arch = *ltt_system_get_arch(system);
	writer->n_cpus = ltt_system_get_n_cpus(system);
	writer->block_bytes = ltt_system_get_block_bytes(system);
	ltt_loads_init(&writer->loads, &writer->arch);
	writer->files = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_tracefile_writer_free);
	writer->by_name = g_hash_table_new(ltt_hash_text, g_str_equal);
	g_return_val_if_fail(writer->block_bytes >= LTT_MIN_BLOCK_BYTES, NULL);

	if (ltt_system_is_dialect_22(system)) {
		ltt_fail(error, LTT_ERROR_INVALID,
			 "%s: ltt_minor_version=\"%s\": only version 2.0 can be written", path,
			 ltt_system_get(system, "ltt_minor_version"));
		return NULL;
	}
	if (!set_options(writer, options, error))
		return NULL;
	if (!ltt_directory_make(path, LTT_TRACE_FOLDERS, error))
		return NULL;
	if (!fill_directory(writer, error)) {
		ltt_directory_remove(path);
		return NULL;
	}
	return g_steal_pointer(&writer);
}

const LttArch *ltt_trace_writer_get_arch(const LttTraceWriter *writer)
{
	return &writer->arch;
}

/* ---- facilities ---- */

/* Returns: the size of the facility_load of @facility, including its header */
static gsize load_bytes(const LttFacility *facility)
{
	return LTT_EVENT_HEADER_BYTES + strlen(ltt_facility_get_name(facility)) + 1 +
	       2 * sizeof(guint32);
}

static gboolean describe(LttTraceWriter *writer, const LttFacility *facility, GError **error)
{
	g_autofree char *file_name = ltt_loads_get_file_name(&writer->loads, facility);
	g_autofree char *name = g_build_filename("eventdefs", file_name, NULL);
	g_autofree char *text = ltt_eventdefs_print(facility);

	if (strlen(text) > LTT_MAX_XML_BYTES)
		return ltt_fail(error, LTT_ERROR_LIMIT,
				"facility %s: its description takes %zu bytes, more than the %d "
				"that are read",
				ltt_facility_get_name(facility), strlen(text), LTT_MAX_XML_BYTES);
	return ltt_directory_write(writer->path, name, text, error);
}

gboolean ltt_trace_writer_load(LttTraceWriter *writer, const LttFacility *facility,
			       guint32 *base_code, GError **error)
{
	const LttLoaded *loaded = ltt_loads_find(&writer->loads, facility);

	g_return_val_if_fail(!writer->is_closed, FALSE);
	if (loaded == NULL) {
		if (!ltt_loads_check(&writer->loads, facility, error))
			return FALSE;
		if (load_bytes(facility) > writer->block_bytes - LTT_BLOCK_OVERHEAD_BYTES)
			return ltt_fail(error, LTT_ERROR_LIMIT,
					"facility %s: its name is too long for blocks of %zu bytes",
					ltt_facility_get_name(facility), writer->block_bytes);
		if (!describe(writer, facility, error))
			return FALSE;
		loaded = ltt_loads_add(&writer->loads, facility);
	}
	*base_code = loaded->base_code;
	return TRUE;
}

static gboolean write_load(LttTracefileWriter *file, LttPayload *payload, const LttLoaded *loaded,
			   GError **error)
{
	const struct builtin_facility_load load = {
		.name = ltt_facility_get_name(loaded->facility),
		.checksum = ltt_facility_get_checksum(loaded->facility),
		.base_code = loaded->base_code,
	};

	write_builtin_facility_load(payload, &load);
	return ltt_tracefile_writer_append(file, file->least_cycles, LTT_ID_FACILITY_LOAD,
					   payload->bytes->data, payload->bytes->len, error);
}

static gboolean write_loads(LttTraceWriter *writer, GError **error)
{
	LttTracefileWriter *file = writer->files->pdata[0];
	const guint64 cycles = writer->has_times ? writer->first_cycles : writer->line.cycles;
	const guint64 time_ns = writer->has_times ? writer->first_ns : writer->line.time_ns;
	g_auto(LttPayload) payload;

	ltt_payload_init(&payload, &writer->arch);
	if (writer->loads.loaded->len == 0)
		return TRUE;
	if (!ltt_tracefile_writer_time_value(file, cycles, time_ns, error))
		return FALSE;
	for (guint i = 0; i < writer->loads.loaded->len; i++)
		if (!write_load(file, &payload, writer->loads.loaded->pdata[i], error))
			return FALSE;
	return TRUE;
}

/* ---- tracefiles ---- */

static gboolean is_cpu_name(const LttTraceWriter *writer, const char *name)
{
	g_autofree char *canonical = NULL;
	guint64 cpu;

	if (!g_str_has_prefix(name, CPU_PREFIX) || writer->n_cpus == 0 ||
	    !g_ascii_string_to_unsigned(name + strlen(CPU_PREFIX), 10, 0, writer->n_cpus - 1, &cpu,
					NULL))
		return FALSE;
	canonical = g_strdup_printf(CPU_PREFIX "%u", (guint)cpu);
	return g_str_equal(name, canonical);
}

static gboolean is_control_name(const char *name)
{
	const char *rest = name + strlen(CONTROL_PREFIX);

	return g_str_has_prefix(name, CONTROL_PREFIX) && rest[0] != '\0' && rest[0] != '.' &&
	       strchr(rest, '/') == NULL && !g_str_equal(name, FACILITIES_NAME);
}

LttTracefileWriter *ltt_trace_writer_open(LttTraceWriter *writer, const char *name, GError **error)
{
	LttTracefileWriter *file = NULL;

	g_return_val_if_fail(!writer->is_closed, NULL);
	if (!is_control_name(name) && !is_cpu_name(writer, name)) {
		ltt_fail(error, LTT_ERROR_INVALID,
			 "%s: no name for a tracefile: expected cpu/N with N below %u, or "
			 "control/NAME with a NAME other than facilities",
			 name, writer->n_cpus);
		return NULL;
	}
	file = g_hash_table_lookup(writer->by_name, name);
	if (file == NULL && make_file(writer, name, error))
		file = g_ptr_array_index(writer->files, writer->files->len - 1);
	return file;
}

/* ---- closing ---- */

gboolean ltt_trace_writer_close(LttTraceWriter *writer, GError **error)
{
	gboolean ok;

	g_return_val_if_fail(!writer->is_closed, FALSE);
	ok = write_loads(writer, error);
	for (guint i = 0; ok && i < writer->files->len; i++)
		ok = ltt_tracefile_writer_finish(writer->files->pdata[i], error);
	if (ok && writer->falls) {
		ltt_system_set(writer->system, LTT_SYSTEM_FALLING_TIMES, "yes");
		ok = write_system(writer, error);
	}
	writer->is_closed = TRUE;
	return ok;
}

void ltt_trace_writer_free(LttTraceWriter *writer)
{
	if (writer == NULL)
		return;
	g_hash_table_unref(writer->by_name);
	g_ptr_array_unref(writer->files);
	ltt_loads_clear(&writer->loads);
	ltt_system_free(writer->system);
	g_free(writer->path);
	g_free(writer);
}

void ltt_trace_writer_abandon(LttTraceWriter *writer)
{
	if (writer == NULL)
		return;
	ltt_directory_remove(writer->path);
	ltt_trace_writer_free(writer);
}
