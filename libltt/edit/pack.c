/* pack.c - a trace as one file; see ltt-archive.h.
 *
 * The files come from a store, so what is packed may be an archive itself. Of the tar headers all
 * is fixed that is not a name or a size: the same trace gives the same bytes, whoever packs it,
 * whenever and wherever.
 */
#include "archive/encode-priv.h"
#include "archive/members-priv.h"
#include "archive/store-priv.h"
#include "base/aside-priv.h"
#include "base/error-priv.h"
#include "base/job-priv.h"
#include "reader/live-priv.h"

#include <ltt/ltt-archive.h>

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>

#define BUFFER_BYTES  (128 * 1024)
#define FILE_MODE     0644
#define FOLDER_MODE   0755
#define FALLBACK_NAME "trace"

/* ---- forms ---- */

static const struct {
	const char *form;
	const char *suffix;
	LttPacking packing;
} forms[] = {
	/* The form comes first in the list under the suffix that it is named after. */
	{"tar.gz", ".tar.gz", LTT_PACKING_GZIP}, {"tar.zst", ".tar.zst", LTT_PACKING_ZSTD},
	{"tar", ".tar", LTT_PACKING_NONE},       {"tar.gz", ".tgz", LTT_PACKING_GZIP},
	{"tar.zst", ".tzst", LTT_PACKING_ZSTD},
};

const char *const *ltt_archive_forms(void)
{
	static const char *const names[] = {"tar.gz", "tar.zst", "tar", NULL};

	return names;
}

const char *ltt_archive_find_form(const char *path)
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
		form = ltt_archive_find_form(request->path);
	if (form == NULL && request->path != NULL)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: its name does not tell the form of the archive: expected one "
				"that ends in .tar.gz, .tar.zst or .tar",
				request->path);
	for (guint i = 0; i < G_N_ELEMENTS(forms); i++)
		if (g_str_equal(forms[i].form, form != NULL ? form : forms[0].form)) {
			*packing = forms[i].packing;
			return TRUE;
		}
	return ltt_fail(error, LTT_ERROR_INVALID, "%s: no such form of archive", form);
}

/* ---- what there is to pack ---- */

typedef struct Packing {
	const LttPackRequest *request;
	LttStore *store;
	GPtrArray *names; /* of files, and of folders with a slash behind; in order */
	guint64 n_total;  /* bytes of files */
	guint64 n_done;
	LttEncoder *encoder;
	GError *encoder_error; /* the first; NULL: none */
	gboolean is_given_up;  /* nothing more is written */
	struct archive *archive;
	char *root; /* name of the folder in the archive */
	guint8 *buffer;
} Packing;

static gboolean fail_at(const Packing *packing, const char *name, const GError *reason,
			GError **error)
{
	g_autofree char *place = ltt_store_dup_place(packing->store, name);

	return ltt_fail(error, (LttError)reason->code, "%s: %s", place, reason->message);
}

static void tell_left_out(const Packing *packing, const char *name)
{
	const LttProblem problem = {.tracefile = name,
				    .block = LTT_NOWHERE,
				    .byte = LTT_NOWHERE,
				    .message = "is no plain file: it is left out"};

	ltt_job_report(&packing->request->callbacks, &problem);
}

/* A file's size as it is now is the size it gets in the archive's header later, but for files that
 * change meanwhile. */
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
		ltt_fail(
			&reason, LTT_ERROR_INVALID,
			"is a symbolic link that leads out of the trace: expected the file itself");
		return fail_at(packing, name, reason, error);
	case LTT_STORED_OTHER:
	case LTT_STORED_NOTHING:
		break;
	}
	tell_left_out(packing, name);
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
				"%s: more than %d folders, one in another", place,
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

static char *find_root(const LttStore *store)
{
	char *name = ltt_store_dup_name(store);

	if (name != NULL && name[0] != '.' && strchr(name, '/') == NULL &&
	    ltt_name_check_part(name, NULL))
		return name;
	g_free(name);
	return g_strdup(FALLBACK_NAME);
}

/* ---- the archive ---- */

/* libarchive does not free all of an archive that could not be written. So it is not told; whoever
 * calls it looks at the error. */
static la_ssize_t take_bytes(struct archive *archive, void *data, const void *bytes, size_t length)
{
	Packing *packing = data;

	(void)archive;
	if (!packing->is_given_up)
		packing->is_given_up = !ltt_encoder_write(packing->encoder, bytes, length,
							  &packing->encoder_error);
	return (la_ssize_t)length;
}

static gboolean fail_to_write(Packing *packing, const char *name, GError **error)
{
	g_autofree char *place = ltt_store_dup_place(packing->store, name);

	if (packing->encoder_error != NULL) {
		g_propagate_error(error, g_steal_pointer(&packing->encoder_error));
		return FALSE;
	}
	return ltt_fail(error, LTT_ERROR_INVALID, "%s: could not pack: tar: %s", place,
			archive_error_string(packing->archive));
}

/* In the form of GNU tar names are bytes of any number. In that of POSIX they have a character set,
 * which libarchive takes from the locale. */
static gboolean open_archive(Packing *packing, GError **error)
{
	packing->archive = archive_write_new();
	if (packing->archive == NULL)
		return ltt_fail(error, LTT_ERROR_LIMIT, "no memory to pack it");
	if (archive_write_set_format_gnutar(packing->archive) != ARCHIVE_OK ||
	    archive_write_open(packing->archive, packing, NULL, take_bytes, NULL) != ARCHIVE_OK)
		return fail_to_write(packing, "", error);
	return TRUE;
}

/* @name: as in the names; "" is the folder of the trace itself. */
static gboolean write_header(Packing *packing, const char *name, guint64 size_bytes, GError **error)
{
	g_autofree char *whole = g_strconcat(packing->root, "/", name, NULL);
	const gboolean is_folder = g_str_has_suffix(whole, "/");
	struct archive_entry *entry = archive_entry_new2(packing->archive);
	int result;

	archive_entry_set_pathname(entry, whole);
	archive_entry_set_filetype(entry, is_folder ? AE_IFDIR : AE_IFREG);
	archive_entry_set_perm(entry, is_folder ? FOLDER_MODE : FILE_MODE);
	archive_entry_set_mtime(entry, 0, 0);
	archive_entry_set_size(entry, (la_int64_t)size_bytes);
	result = archive_write_header(packing->archive, entry);
	archive_entry_free(entry);
	return (result == ARCHIVE_OK && !packing->is_given_up) ||
	       fail_to_write(packing, name, error);
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
		if (archive_write_data(packing->archive, packing->buffer, piece) !=
			    (la_ssize_t)piece ||
		    packing->is_given_up)
			return fail_to_write(packing, name, error);
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
	ltt_stored_file_close(&file);
	return ok;
}

static gboolean write_all(Packing *packing, GError **error)
{
	if (!open_archive(packing, error) || !write_header(packing, "", 0, error))
		return FALSE;
	for (guint i = 0; i < packing->names->len; i++) {
		const char *name = packing->names->pdata[i];

		if (!(g_str_has_suffix(name, "/") ? write_header(packing, name, 0, error)
						  : write_file(packing, name, error)))
			return FALSE;
	}
	return (archive_write_close(packing->archive) == ARCHIVE_OK && !packing->is_given_up) ||
	       fail_to_write(packing, "", error);
}

/* ---- the frame ---- */

static gboolean pack_to(Packing *packing, LttPacking how, LttWriteFunc write, gpointer write_data,
			GError **error)
{
	gboolean ok;

	packing->encoder = ltt_encoder_new(how, write, write_data, error);
	if (packing->encoder == NULL)
		return FALSE;
	ok = write_all(packing, error) && ltt_encoder_end(packing->encoder, error);
	/* One that is not complete would still write its end. */
	packing->is_given_up = TRUE;
	archive_write_free(packing->archive);
	ltt_encoder_free(packing->encoder);
	g_clear_error(&packing->encoder_error);
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
			   GError **error)
{
	Packing packing = {.request = request, .store = store};
	gboolean ok;

	packing.names = g_ptr_array_new_with_free_func(g_free);
	packing.root = find_root(store);
	packing.buffer = g_malloc(BUFFER_BYTES);
	ok = gather(&packing, "", 0, error);
	if (ok && request->path != NULL)
		ok = pack_to_file(&packing, how, error);
	else if (ok)
		ok = pack_to(&packing, how, request->write, request->write_data, error);
	g_ptr_array_unref(packing.names);
	g_free(packing.root);
	g_free(packing.buffer);
	return ok;
}

/* What was left by a recording that was killed, whole or not, is written by nobody. */
static gboolean is_live(const char *path)
{
	g_autoptr(LttLive) live = NULL;

	return ltt_live_open(path, &live, NULL) && live != NULL && !ltt_live_is_over(live, 0);
}

gboolean ltt_archive_pack(const LttPackRequest *request, GError **error)
{
	g_autoptr(LttStore) store = NULL;
	LttPacking how = LTT_PACKING_NONE;

	if (!find_packing(request, &how, error))
		return FALSE;
	store = ltt_store_open_any(request->trace, NULL, NULL, error);
	if (store == NULL)
		return FALSE;
	if (ltt_store_look(store, "info/system.xml") != LTT_STORED_FILE)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: is no trace: expected info/system.xml in it", request->trace);
	if (is_live(request->trace))
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: is being recorded: take a copy of it with `ltt snapshot` and "
				"pack that",
				request->trace);
	return pack_store(request, store, how, error);
}
