/* export.c - ltt_export() and the table of exporters.
 *
 * ltt_export() creates the output under a temporary name and renames it when it is complete. So an
 * exporter only fills an empty directory or passes bytes to a function, and a failed export leaves
 * no partial output.
 */
#include "formats/export-priv.h"

#include "base/aside-priv.h"
#include "base/error-priv.h"
#include "base/job-priv.h"

static const LttExporter *const exporters[] = {
	&ltt_export_arrow, &ltt_export_ctf,    &ltt_export_json,
	&ltt_export_csv,   &ltt_export_chrome, &ltt_export_perf,
	&ltt_export_qemu,  &ltt_export_revent, &ltt_export_clickhouse_ddl,
};

const LttExportKind *const *ltt_export_kinds(void)
{
	static const LttExportKind *kinds[G_N_ELEMENTS(exporters) + 1];
	static gsize ready;

	if (g_once_init_enter(&ready)) {
		for (guint i = 0; i < G_N_ELEMENTS(exporters); i++)
			kinds[i] = &exporters[i]->kind;
		g_once_init_leave(&ready, 1);
	}
	return kinds;
}

static const LttExporter *find_exporter(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(exporters); i++)
		if (g_str_equal(exporters[i]->kind.name, name))
			return exporters[i];
	return NULL;
}

const LttExportKind *ltt_export_find_kind(const char *name)
{
	const LttExporter *exporter = find_exporter(name);

	return exporter != NULL ? &exporter->kind : NULL;
}

/* ---- output ---- */

static gboolean make_directory(const LttExporter *exporter, LttExportRequest request,
			       GError **error)
{
	LttAside aside;
	gboolean ok;

	if (request.path == NULL)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: creates a directory; expected a path", exporter->kind.name);
	if (!ltt_aside_make_directory(&aside, request.path, error))
		return FALSE;
	request.path = aside.path;
	ok = exporter->run(&request, error) && ltt_aside_settle(&aside, error);
	ltt_aside_clear(&aside);
	return ok;
}

static gboolean write_to_file(const char *bytes, gsize length, gpointer file, GError **error)
{
	return ltt_out_file_write(file, bytes, length, error);
}

static gboolean make_file(const LttExporter *exporter, LttExportRequest request, GError **error)
{
	LttOutFile file = LTT_OUT_FILE_NONE;
	LttAside aside;
	gboolean ok;

	if (!ltt_aside_make_file(&aside, request.path, &file, error))
		return FALSE;
	request.path = NULL;
	request.write = write_to_file;
	request.write_data = &file;
	ok = exporter->run(&request, error) && ltt_out_file_close(&file, error) &&
	     ltt_aside_settle(&aside, error);
	ltt_out_file_drop(&file);
	ltt_aside_clear(&aside);
	return ok;
}

/* Counts the problems and forwards them to the caller. */
typedef struct Counted {
	const LttJobCallbacks *callbacks;
	LttExportSummary summary;
} Counted;

static void count_problem(const LttProblem *problem, gpointer user_data)
{
	Counted *counted = user_data;

	counted->summary.n_problems++;
	ltt_job_report(counted->callbacks, problem);
}

static gboolean pass_progress(const LttProgress *progress, gpointer user_data)
{
	const LttJobCallbacks *callbacks = ((const Counted *)user_data)->callbacks;

	return callbacks->on_progress == NULL ||
	       callbacks->on_progress(progress, callbacks->user_data);
}

static gboolean run(const LttExporter *exporter, const LttExportRequest *request, GError **error)
{
	if (exporter->kind.makes_directory || request->split)
		return make_directory(exporter, *request, error);
	if (request->path != NULL)
		return make_file(exporter, *request, error);
	return exporter->run(request, error);
}

gboolean ltt_export(const LttExportRequest *request, LttExportSummary *summary, GError **error)
{
	const LttExporter *exporter = find_exporter(request->kind);
	Counted counted = {.callbacks = &request->callbacks};
	g_autoptr(LttSelect) usual = NULL;
	LttExportRequest settled = *request;

	if (exporter == NULL)
		return ltt_fail(error, LTT_ERROR_INVALID, "%s: unknown kind of export",
				request->kind);
	if (settled.split && !exporter->kind.can_split)
		return ltt_fail(error, LTT_ERROR_INVALID, "%s: cannot be split by event type",
				request->kind);
	if (settled.select == NULL) {
		usual = ltt_select_new();
		settled.select = usual;
	}
	counted.summary.kind = &exporter->kind;
	settled.callbacks = (LttJobCallbacks){count_problem, pass_progress, &counted};
	if (!run(exporter, &settled, error))
		return FALSE;
	if (summary != NULL)
		*summary = counted.summary;
	return TRUE;
}
