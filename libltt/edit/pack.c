/* pack.c - pack a trace into one file; see ltt-archive.h.
 *
 * The files come from a store, so an archive can be packed again. The files of a recording that are
 * not part of its trace are left out.
 */
#include "archive/members-priv.h"
#include "archive/store-priv.h"
#include "archive/tar-write-priv.h"
#include "base/aside-priv.h"
#include "base/error-priv.h"
#include "base/job-priv.h"
#include "edit/pack-priv.h"
#include "reader/live-priv.h"

#include <ltt/ltt-archive.h>

#include <string.h>

#define BUFFER_BYTES  (128 * 1024)
#define FALLBACK_NAME "trace"

/* ---- forms ---- */

static const struct {
	const char *form;
	const char *suffix;
	LttPacking packing;
} forms[] = {
	/* The first suffix of each form in the list is its name. */
	{"tar.gz", ".tar.gz", LTT_PACKING_GZIP}, {"tar.zst", ".tar.zst", LTT_PACKING_ZSTD},
	{"tar", ".tar", LTT_PACKING_NONE},       {"tar.gz", ".tgz", LTT_PACKING_GZIP},
	{"tar.zst", ".tzst", LTT_PACKING_ZSTD},
};

const char *const *ltt_archive_forms(void)
{
	static const char *const names[] = {"tar.gz", "tar.zst", "tar", NULL};

	return names;
}

/* Returns: (nullable): the form that the suffix of @path names */
static const char *find_form(const char *path)
{
	for (guint i = 0; i < G_N_ELEMENTS(forms); i++)
		if (g_str_has_suffix(path, forms[i].suffix))
			return forms[i].form;
	return NULL;
}

static gboolean find_packing(const LttPackRequest *request, LttPacking *packing, GError **error)
{
	const char *form = request->form;

	if (form == NULL && request->path != NULL)
		form = find_form(request->path);
	if (form == NULL && request->path != NULL)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: its name does not determine the archive format: expected one "
				"that ends in .tar.gz, .tar.zst or .tar",
				request->path);
	for (guint i = 0; i < G_N_ELEMENTS(forms); i++)
		if (g_str_equal(forms[i].form, form != NULL ? form : forms[0].form)) {
			*packing = forms[i].packing;
			return TRUE;
		}
	return ltt_fail(error, LTT_ERROR_INVALID, "%s: no such archive format", form);
}

/* ---- the files to pack ---- */

typedef struct Packing {
	const LttPackRequest *request;
	LttStore *store;
	GPtrArray *names; /* of files, and of folders with a trailing slash; sorted */
	guint64 n_total;  /* bytes of files */
	guint64 n_done;
	LttTarWriter *tar;
	LttPackSummary summary;
	char *root; /* name of the folder in the archive */
	guint8 *buffer;
} Packing;

gboolean ltt_pack_refuse_link(const LttStore *store, const char *name, GError **error)
{
	g_autofree char *place = ltt_store_dup_place(store, name);

	return ltt_fail(error, LTT_ERROR_INVALID,
			"%s: is a symbolic link that leads out of the trace: expected the file "
			"itself",
			place);
}

static gboolean fail_at(const Packing *packing, const char *name, const GError *reason,
			GError **error)
{
	g_autofree char *place = ltt_store_dup_place(packing->store, name);

	return ltt_fail(error, (LttError)reason->code, "%s: %s", place, reason->message);
}

static void report_left_out(Packing *packing, const char *name)
{
	const LttProblem problem = {.tracefile = name,
				    .block = LTT_NOWHERE,
				    .byte = LTT_NOWHERE,
				    .message = "is not a regular file: it is left out"};

	packing->summary.n_left_out++;
	ltt_job_report(&packing->request->callbacks, &problem);
}

/* The header in the archive declares the current size of the file, unless the file changes in the
 * meantime. */
static gboolean count_file(Packing *packing, const char *name, GError **error)
{
	g_autoptr(GError) reason = NULL;
	LttStoredFile file;

	if (!ltt_store_open(packing->store, name, &file, &reason))
		return fail_at(packing, name, reason, error);
	packing->n_total += file.size_bytes;
	ltt_stored_file_close(&file);
	g_ptr_array_add(packing->names, g_strdup(name));
	return TRUE;
}

static gboolean gather(Packing *packing, const char *folder, guint depth, GError **error);

static gboolean gather_one(Packing *packing, const char *name, guint depth, GError **error)
{
	g_autoptr(GError) reason = NULL;
	const char *slash = strrchr(name, '/');

	if (ltt_live_owns(name))
		return TRUE;
	if (!ltt_name_check_part(slash != NULL ? slash + 1 : name, &reason))
		return fail_at(packing, name, reason, error);
	switch (ltt_store_look(packing->store, name)) {
	case LTT_STORED_FILE:
		return count_file(packing, name, error);
	case LTT_STORED_FOLDER:
		g_ptr_array_add(packing->names, g_strconcat(name, "/", NULL));
		return gather(packing, name, depth + 1, error);
	case LTT_STORED_LINK_OUT:
		return ltt_pack_refuse_link(packing->store, name, error);
	case LTT_STORED_OTHER:
	case LTT_STORED_NOTHING:
		break;
	}
	report_left_out(packing, name);
	return TRUE;
}

static gboolean gather(Packing *packing, const char *folder, guint depth, GError **error)
{
	g_autoptr(GError) reason = NULL;
	g_autoptr(GPtrArray) names = ltt_store_list(packing->store, folder, &reason);

	if (reason != NULL)
		return fail_at(packing, folder, reason, error);
	if (depth >= LTT_NAME_MAX_DEPTH) {
		g_autofree char *place = ltt_store_dup_place(packing->store, folder);

		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: directories are nested more than %d deep", place,
				LTT_NAME_MAX_DEPTH);
	}
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *name = *folder != '\0'
						? g_strconcat(folder, "/", names->pdata[i], NULL)
						: g_strdup(names->pdata[i]);

		if (!gather_one(packing, name, depth, error))
			return FALSE;
	}
	return TRUE;
}

char *ltt_pack_find_root(const LttStore *store, GError **error)
{
	char *name;

	if (!ltt_store_find_name(store, &name, error))
		return NULL;
	if (name != NULL && name[0] != '.' && strchr(name, '/') == NULL &&
	    ltt_name_check_part(name, NULL))
		return name;
	g_free(name);
	return g_strdup(FALLBACK_NAME);
}

/* ---- the archive ---- */

/* @name: as in the names; "" is the folder of the trace itself. */
static gboolean write_header(Packing *packing, const char *name, guint64 size_bytes, GError **error)
{
	g_autofree char *whole = g_strconcat(packing->root, "/", name, NULL);

	return ltt_tar_writer_begin(packing->tar, whole, size_bytes, error);
}

static gboolean write_content(Packing *packing, const char *name, const LttStoredFile *file,
			      GError **error)
{
	for (guint64 at = 0; at < file->size_bytes;) {
		const gsize piece = (gsize)MIN(file->size_bytes - at, BUFFER_BYTES);
		const int errnum = ltt_stored_file_read(file, at, packing->buffer, piece);

		if (errnum != 0) {
			g_autofree char *place = ltt_store_dup_place(packing->store, name);

			return ltt_fail_io(error, place, "read", errnum);
		}
		if (!ltt_tar_writer_add(packing->tar, packing->buffer, piece, error))
			return FALSE;
		at += piece;
		packing->n_done += piece;
		if (!ltt_job_progress(&packing->request->callbacks, LTT_PROGRESS_BYTES,
				      packing->n_done, packing->n_total, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean write_file(Packing *packing, const char *name, GError **error)
{
	g_autoptr(GError) reason = NULL;
	LttStoredFile file;
	gboolean ok;

	if (!ltt_store_open(packing->store, name, &file, &reason))
		return fail_at(packing, name, reason, error);
	ok = write_header(packing, name, file.size_bytes, error) &&
	     write_content(packing, name, &file, error);
	packing->summary.n_files++;
	packing->summary.n_bytes += file.size_bytes;
	ltt_stored_file_close(&file);
	return ok;
}

static gboolean write_all(Packing *packing, GError **error)
{
	if (!write_header(packing, "", 0, error))
		return FALSE;
	for (guint i = 0; i < packing->names->len; i++) {
		const char *name = packing->names->pdata[i];

		if (!(g_str_has_suffix(name, "/") ? write_header(packing, name, 0, error)
						  : write_file(packing, name, error)))
			return FALSE;
	}
	return ltt_tar_writer_end(packing->tar, error);
}

/* ---- the frame ---- */

static gboolean pack_to(Packing *packing, LttPacking how, LttWriteFunc write, gpointer write_data,
			GError **error)
{
	gboolean ok;

	packing->tar = ltt_tar_writer_new(how, write, write_data, error);
	ok = packing->tar != NULL && write_all(packing, error);
	ltt_tar_writer_free(packing->tar);
	return ok;
}

static gboolean write_to_file(const char *bytes, gsize length, gpointer file, GError **error)
{
	return ltt_out_file_write(file, bytes, length, error);
}

static gboolean pack_to_file(Packing *packing, LttPacking how, GError **error)
{
	LttOutFile file = LTT_OUT_FILE_NONE;
	LttAside aside;
	gboolean ok;

	if (!ltt_aside_make_file(&aside, packing->request->path, &file, error))
		return FALSE;
	ok = pack_to(packing, how, write_to_file, &file, error) &&
	     ltt_out_file_close(&file, error) && ltt_aside_settle(&aside, error);
	ltt_out_file_drop(&file);
	ltt_aside_clear(&aside);
	return ok;
}

static gboolean pack_store(const LttPackRequest *request, LttStore *store, LttPacking how,
			   LttPackSummary *summary, GError **error)
{
	Packing packing = {.request = request, .store = store};
	gboolean ok;

	packing.names = g_ptr_array_new_with_free_func(g_free);
	packing.root = ltt_pack_find_root(store, error);
	packing.buffer = g_malloc(BUFFER_BYTES);
	ok = packing.root != NULL && gather(&packing, "", 0, error);
	if (ok && request->path != NULL)
		ok = pack_to_file(&packing, how, error);
	else if (ok)
		ok = pack_to(&packing, how, request->write, request->write_data, error);
	g_ptr_array_unref(packing.names);
	g_free(packing.root);
	g_free(packing.buffer);
	if (ok && summary != NULL)
		*summary = packing.summary;
	return ok;
}

/* After a recording was killed, no process writes to its trace any more, so it is not live. */
static gboolean is_live(const char *path)
{
	g_autoptr(LttLive) live = NULL;

	return ltt_live_open(path, &live, NULL) && live != NULL && !ltt_live_is_over(live, 0);
}

/* While an archive is read, nothing of the new one is written. */
static gboolean look(const LttProgress *progress, gpointer request)
{
	const LttJobCallbacks *callbacks = &((const LttPackRequest *)request)->callbacks;

	(void)progress;
	return ltt_job_progress(callbacks, LTT_PROGRESS_BYTES, 0, 0, NULL);
}

static gboolean check_is_over(const LttPackRequest *request, GError **error)
{
	return !is_live(request->trace) ||
	       ltt_fail(error, LTT_ERROR_INVALID,
			"%s: is being recorded: take a copy of it with `ltt snapshot` and "
			"pack that",
			request->trace);
}

gboolean ltt_pack_check(const LttPackRequest *request, GError **error)
{
	LttPacking how;

	if (request->path != NULL && g_file_test(request->path, G_FILE_TEST_EXISTS))
		return ltt_fail(error, LTT_ERROR_EXISTS,
				"%s: already exists; expected an unused name", request->path);
	return find_packing(request, &how, error) && check_is_over(request, error);
}

gboolean ltt_pack(const LttPackRequest *request, LttPackSummary *summary, GError **error)
{
	const LttJobCallbacks opening = {.on_progress = look, .user_data = (gpointer)request};
	g_autoptr(LttStore) store = NULL;
	LttPacking how = LTT_PACKING_NONE;

	if (!find_packing(request, &how, error))
		return FALSE;
	store = ltt_store_open_any(request->trace, &opening, error);
	if (store == NULL)
		return FALSE;
	if (ltt_store_look(store, "info/system.xml") != LTT_STORED_FILE)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: is not a trace: expected info/system.xml in it",
				request->trace);
	return check_is_over(request, error) && pack_store(request, store, how, summary, error);
}
