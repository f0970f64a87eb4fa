/* import.c - convert recordings of perf to traces (doc/perf.md).
 *
 * The first pass determines the properties of the trace and the order of the records
 * (import-pass.c). The second pass writes the records (import-write.c).
 */
#include "formats/perf/import-priv.h"

#include "formats/perf/file/records-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

/* Maximum size of the parts of an event that are not bytes of the recording. */
#define SPARE_BYTES ((gsize)4096)

#define MAGIC_BYTES 16

/* Limits for hostile recordings, in which thousands of samples share a deferred call chain: the size
 * of the events of perf_joined that is always allowed, and their size for each byte of the
 * recording and of its compressed records. With the 127 addresses that perf records by default,
 * these events take at most ten times the size of the samples. */
#define JOINED_FREE_BYTES           ((guint64)64 << 20)
#define JOINED_BYTES_PER_BYTE       ((guint64)100)
#define JOINED_BYTES_PER_COMPRESSED ((guint64)1000)

static gboolean recognise(LttImportJob *job)
{
	LttByteOrder order;
	guint version;
	const guint8 *bytes;

	if (job->input == NULL) {
		g_autofree char *path = g_build_filename(job->request->path, "data", NULL);

		return g_file_test(path, G_FILE_TEST_IS_REGULAR);
	}
	return ltt_input_get_size(job->input) >= MAGIC_BYTES &&
	       ltt_input_get(job->input, 0, MAGIC_BYTES, &bytes, NULL) &&
	       ltt_perf_detect(bytes, MAGIC_BYTES, &order, &version) != LTT_PERF_NOT;
}

static void tell(guint64 byte, const char *message, gpointer user_data)
{
	const LttPerfImport *import = user_data;

	ltt_import_tell(import->job, (gint64)byte, "%s", message);
}

/* ---- the trace ---- */

static void set(LttSystem *system, const char *name, const char *value)
{
	g_autofree char *readable = value != NULL ? g_utf8_make_valid(value, -1) : NULL;

	if (readable != NULL && readable[0] != '\0')
		ltt_system_set(system, name, readable);
}

static LttSystem *make_system(LttPerfImport *import)
{
	const LttPerfMeta *meta = import->meta;
	const LttArch arch = {.byte_order = meta->order, .size = LTT_LP64};
	/* An event can contain its record twice: packed and as raw bytes. An event of a feature is
	 * smaller than two pieces. */
	const gsize most_bytes =
		MAX(2 * import->most_record_bytes, 2 * (gsize)LTT_PERF_PIECE_BYTES) + SPARE_BYTES;
	g_autofree char *recording = g_strdup_printf("perf.data %u, %s", meta->version,
						     import->is_directory ? "directory"
						     : meta->is_pipe      ? "pipe"
									  : "file");
	g_autofree char *naming = ltt_perf_record_names_of(LTT_PERF_NEED_BEFORE, ' ');
	g_autofree char *lasting = ltt_perf_record_names_of(LTT_PERF_NEED_ALWAYS, ' ');
	const guint n_cpus = CLAMP(MAX(import->n_cpus, meta->n_cpus), 1, LTT_PERF_MOST_CPUS);
	g_autofree char *cpus = g_strdup_printf("%u", n_cpus);
	LttSystem *system =
		ltt_import_new_system(import->job, recording, &arch,
				      ltt_import_block_bytes(most_bytes + LTT_PERF_THREAD_BYTES));

	import->most_payload_bytes = most_bytes;
	ltt_system_set(system, LTT_SYSTEM_NAMING_EVENTS, naming);
	ltt_system_set(system, LTT_SYSTEM_LASTING_EVENTS, lasting);

	ltt_system_set(system, "cpu", cpus);
	set(system, "node_name", meta->hostname);
	set(system, "kernel_name", "Linux");
	set(system, "kernel_release", meta->osrelease);
	set(system, "machine", meta->machine);
	set(system, "perf_version", meta->perf_version);
	return system;
}

static void note_samples(LttPerfImport *import)
{
	const guint n_shapes = ltt_perf_catalog_get_n(import->catalog);

	import->samples = g_new0(LttPerfSampleKind, n_shapes);
	for (guint i = 0; i < n_shapes; i++) {
		const LttPerfShape *shape = ltt_perf_catalog_get(import->catalog, i);

		if (shape->attr < 0)
			continue;
		import->samples[shape->attr] = (LttPerfSampleKind){
			shape->steps, (guint16)g_array_index(import->ids, guint32, i)};
		import->n_samples = MAX(import->n_samples, (guint)shape->attr + 1);
	}
}

static gboolean load_types(LttPerfImport *import, GError **error)
{
	g_autoptr(GArray) bases = g_array_new(FALSE, TRUE, sizeof(guint32));

	import->ids = g_array_new(FALSE, FALSE, sizeof(guint32));
	if (!ltt_perf_types_init(&import->types, import->catalog, error))
		return FALSE;
	g_array_set_size(bases, import->types.facilities->len);
	for (guint i = 0; i < bases->len; i++)
		if (!ltt_trace_writer_load(import->job->writer, import->types.facilities->pdata[i],
					   &g_array_index(bases, guint32, i), error))
			return FALSE;
	for (guint i = 0; i < import->types.events->len; i++) {
		const LttPerfEventOf *of = &g_array_index(import->types.events, LttPerfEventOf, i);
		const guint32 id = g_array_index(bases, guint32, of->facility) + of->event;

		g_array_append_val(import->ids, id);
	}
	note_samples(import);
	return TRUE;
}

/* Returns: maximum size of the events of perf_joined */
static guint64 joined_budget(const LttPerfImport *import)
{
	guint64 most_bytes = ltt_window_get_size(import->flat) * JOINED_BYTES_PER_BYTE;

	if (import->what.n_compressed > 0)
		most_bytes = MIN(most_bytes,
				 import->what.compressed_bytes * JOINED_BYTES_PER_COMPRESSED);
	return MAX(most_bytes, JOINED_FREE_BYTES);
}

static gboolean load_joined(LttPerfImport *import, GError **error)
{
	const gboolean has_groups = ltt_perf_has_groups(import->meta);
	const gboolean has_deferred = import->deferred->len > 0;

	/* Key and value are one allocation. */
	if (has_groups)
		import->counts = g_hash_table_new_full(ltt_hash_int64, g_int64_equal, g_free, NULL);
	if (has_deferred && !ltt_perf_deferred_begin(import, error))
		return FALSE;
	import->joined_budget_bytes = joined_budget(import);
	return (!has_groups && !has_deferred) ||
	       ltt_import_load(import->job, "perf_joined", &import->joined, error);
}

static gboolean begin(LttPerfImport *import, GError **error)
{
	g_autoptr(LttSystem) system = make_system(import);

	import->catalog = ltt_perf_catalog_new(import->meta);
	return ltt_perf_import_clock(import, system, error) &&
	       ltt_import_begin(import->job, system, NULL, error) &&
	       ltt_import_load(import->job, LTT_PERF_FILE_FACILITY, &import->file, error) &&
	       ltt_import_load(import->job, "tracer", &import->tracer, error) &&
	       ltt_import_load(import->job, "threads", &import->threads, error) &&
	       load_joined(import, error) && load_types(import, error);
}

static gboolean import_all(LttPerfImport *import, GError **error)
{
	if (!ltt_perf_import_survey(import, error) || !begin(import, error))
		return FALSE;
	ltt_payload_init(&import->payload, ltt_trace_writer_get_arch(import->job->writer));
	import->names = g_hash_table_new_full(ltt_hash_word, NULL, NULL, g_free);
	import->thread_id = (guint16)(import->tracer.base_code + tracer_thread_index);
	if (!ltt_perf_import_file(import, error) || !ltt_perf_import_records(import, error))
		return FALSE;
	ltt_perf_catalog_end(import->catalog, &import->tell);
	return TRUE;
}

static gboolean run(LttImportJob *job, GError **error)
{
	LttPerfImport import = {.job = job};
	gboolean ok;

	import.deferred = ltt_perf_deferred_new();
	import.tell = (LttPerfTell){.func = tell, .user_data = &import};
	ok = import_all(&import, error);
	ltt_payload_clear(&import.payload);
	g_clear_pointer(&import.names, g_hash_table_unref);
	g_clear_pointer(&import.ids, g_array_unref);
	g_free(import.samples);
	g_clear_pointer(&import.counts, g_hash_table_unref);
	g_array_unref(import.deferred);
	ltt_window_free(import.aside);
	g_clear_pointer(&import.what.damage, g_array_unref);
	ltt_perf_types_clear(&import.types);
	ltt_perf_catalog_free(import.catalog);
	ltt_perf_meta_free(import.meta);
	ltt_key_sort_free(import.keys);
	if (import.flat != import.source)
		ltt_window_free(import.flat);
	ltt_window_free(import.source);
	return ok;
}

const LttImporter ltt_import_perf = {
	.kind = {.name = "perf",
		 .summary = "perf.data files, pipes and directories of perf record"},
	.takes_directory = TRUE,
	.recognise = recognise,
	.run = run,
};
