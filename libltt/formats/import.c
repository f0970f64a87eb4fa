/* import.c - ltt_import() and the table of importers.
 *
 * ltt_import() writes the trace to a temporary directory and renames it when it is complete. The
 * temporary directory also contains a copy of the recording if it comes through a pipe.
 */
#include "formats/import-priv.h"

#include "base/aside-priv.h"
#include "base/error-priv.h"
#include "base/job-priv.h"

#include <ltt/ltt-eventdefs.h>

#include <string.h>

static const LttImporter *const importers[] = {
	&ltt_import_perf,
	&ltt_import_revent,
	&ltt_import_qemu,
};

const LttImportKind *const *ltt_import_kinds(void)
{
	static const LttImportKind *kinds[G_N_ELEMENTS(importers) + 1];
	static gsize ready;

	if (g_once_init_enter(&ready)) {
		for (guint i = 0; i < G_N_ELEMENTS(importers); i++)
			kinds[i] = &importers[i]->kind;
		g_once_init_leave(&ready, 1);
	}
	return kinds;
}

static const LttImporter *find_importer(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(importers); i++)
		if (g_str_equal(importers[i]->kind.name, name))
			return importers[i];
	return NULL;
}

const LttImportKind *ltt_import_find_kind(const char *name)
{
	const LttImporter *importer = find_importer(name);

	return importer != NULL ? &importer->kind : NULL;
}

/* ---- detection ---- */

static gboolean can_take(const LttImporter *importer, const LttImportJob *job)
{
	return job->input != NULL || importer->takes_directory;
}

/* Returns: (nullable): the importer of @kind if it accepts the input. If @kind is NULL, the
 * importer that recognises the contents */
static const LttImporter *find_taker(LttImportJob *job, const char *kind)
{
	for (guint i = 0; i < G_N_ELEMENTS(importers); i++)
		if (can_take(importers[i], job) &&
		    (kind != NULL ? g_str_equal(importers[i]->kind.name, kind)
				  : importers[i]->recognise(job)))
			return importers[i];
	return NULL;
}

static gboolean is_trace(const char *path)
{
	g_autofree char *system = g_build_filename(path, "info", "system.xml", NULL);

	return g_file_test(system, G_FILE_TEST_IS_REGULAR);
}

/* Describes a file that is not a recording. */
static const char *describe_unknown(LttInput *input)
{
	static const struct {
		guint offset;
		const char *magic;
		const char *what;
	} known[] = {
		{0, "\x1f\x8b", "is compressed with gzip"},
		{0, "\x28\xb5\x2f\xfd", "is compressed with zstd"},
		{0, "\3757zXZ", "is compressed with xz"},
		{0, "BZh", "is compressed with bzip2"},
		{257, "ustar", "is a tar archive"},
	};
	const guint8 *bytes;

	if (ltt_input_get_size(input) == 0)
		return "is empty";
	for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
		const gsize length = strlen(known[i].magic);

		if (ltt_input_get(input, known[i].offset, length, &bytes, NULL) &&
		    memcmp(bytes, known[i].magic, length) == 0)
			return known[i].what;
	}
	return "is of an unknown kind";
}

static void fail_unknown(const LttImportJob *job, GError **error)
{
	g_autoptr(GString) names = NULL;

	if (job->input == NULL) {
		ltt_fail(error, LTT_ERROR_UNSUPPORTED, "%s: %s", job->name,
			 is_trace(job->name) ? "is already a trace"
					     : "is a directory; expected a file, or a directory "
					       "that perf record --threads created");
		return;
	}
	names = g_string_new(NULL);
	for (guint i = 0; i < G_N_ELEMENTS(importers); i++) {
		if (i > 0)
			g_string_append(names, i + 1 < G_N_ELEMENTS(importers) ? ", " : " or ");
		g_string_append(names, importers[i]->kind.name);
	}
	ltt_fail(error, LTT_ERROR_UNSUPPORTED, "%s: %s: expected a recording of %s", job->name,
		 describe_unknown(job->input), names->str);
}

static const LttImporter *choose(LttImportJob *job, GError **error)
{
	const LttImporter *importer = find_taker(job, job->request->kind);

	if (importer == NULL)
		fail_unknown(job, error);
	return importer;
}

const LttImportKind *ltt_import_recognise(const char *path)
{
	const LttImportRequest request = {.path = path};
	LttImportJob job = {.request = &request, .name = path};
	const LttImporter *importer;

	if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
		job.input = ltt_input_open(path, NULL, NULL);
	if (job.input == NULL && !g_file_test(path, G_FILE_TEST_IS_DIR))
		return NULL;
	importer = find_taker(&job, NULL);
	ltt_input_free(job.input);
	return importer != NULL ? &importer->kind : NULL;
}

/* ---- the import ---- */

static gboolean run(LttImportJob *job, LttImportSummary *summary, GError **error)
{
	const LttImporter *importer = choose(job, error);
	const guint64 n_bytes = job->input != NULL ? ltt_input_get_size(job->input) : 0;

	if (importer == NULL || !ltt_import_progress(job, 0, n_bytes, error) ||
	    !importer->run(job, error) || !ltt_trace_writer_close(job->writer, error))
		return FALSE;
	ltt_import_tell_rest(job);
	*summary = (LttImportSummary){.kind = &importer->kind, .n_problems = job->n_problems};
	return TRUE;
}

static gboolean open_input(LttImportJob *job, const char *folder, GError **error)
{
	job->name = job->request->path;
	if (g_file_test(job->request->path, G_FILE_TEST_IS_DIR))
		return TRUE;
	job->input = ltt_input_open(job->request->path, folder, error);
	if (job->input == NULL)
		return FALSE;
	job->name = ltt_input_get_name(job->input);
	return TRUE;
}

gboolean ltt_import(const LttImportRequest *request, LttImportSummary *summary, GError **error)
{
	LttImportSummary found;
	LttImportJob job = {.request = request};
	LttAside aside;
	gboolean ok;

	if (request->kind != NULL && find_importer(request->kind) == NULL)
		return ltt_fail(error, LTT_ERROR_INVALID, "%s: unknown kind of recording",
				request->kind);
	if (!ltt_aside_make_directory(&aside, request->output, error))
		return FALSE;
	job.trace_path = g_build_filename(aside.path, LTT_ASIDE_TRACE, NULL);
	ok = open_input(&job, aside.path, error) && run(&job, &found, error) &&
	     ltt_aside_settle_part(&aside, LTT_ASIDE_TRACE, error);
	ltt_trace_writer_free(job.writer);
	ltt_input_free(job.input);
	g_free(job.trace_path);
	ltt_aside_clear(&aside);
	if (ok && summary != NULL)
		*summary = found;
	return ok;
}
