/* tar-write.c - write tar archives with libarchive. See tar-write-priv.h.
 *
 * The format is GNU tar, in which a name is any sequence of bytes. In that of POSIX it has a
 * character set, which libarchive takes from the locale.
 */
#include "archive/tar-write-priv.h"

#include "archive/encode-priv.h"
#include "base/error-priv.h"

#include <archive.h>
#include <archive_entry.h>

#define FILE_MODE   0644
#define FOLDER_MODE 0755

struct LttTarWriter {
	struct archive *archive;
	LttEncoder *encoder;
	GError *encoder_error; /* the first; NULL: none */
	gboolean is_given_up;  /* nothing more is written */
	char *name;            /* of the entry begun last, for messages; NULL: none */
};

/* libarchive leaks memory if a write fails. So it never learns of a failure; its callers check
 * is_given_up. */
static la_ssize_t take_bytes(struct archive *archive, void *data, const void *bytes, size_t length)
{
	LttTarWriter *tar = data;

	(void)archive;
	if (!tar->is_given_up)
		tar->is_given_up =
			!ltt_encoder_write(tar->encoder, bytes, length, &tar->encoder_error);
	return (la_ssize_t)length;
}

static gboolean fail_to_write(LttTarWriter *tar, GError **error)
{
	if (tar->encoder_error != NULL) {
		g_propagate_error(error, g_steal_pointer(&tar->encoder_error));
		return FALSE;
	}
	return ltt_fail(error, LTT_ERROR_INVALID, "%s: could not pack: tar: %s",
			tar->name != NULL ? tar->name : "", archive_error_string(tar->archive));
}

LttTarWriter *ltt_tar_writer_new(LttPacking packing, LttWriteFunc write, gpointer user_data,
				 GError **error)
{
	LttTarWriter *tar = g_new0(LttTarWriter, 1);

	tar->encoder = ltt_encoder_new(packing, write, user_data, error);
	tar->archive = tar->encoder != NULL ? archive_write_new() : NULL;
	if (tar->encoder != NULL && tar->archive == NULL)
		ltt_fail(error, LTT_ERROR_LIMIT, "no memory to pack it");
	else if (tar->archive != NULL &&
		 (archive_write_set_format_gnutar(tar->archive) != ARCHIVE_OK ||
		  archive_write_open(tar->archive, tar, NULL, take_bytes, NULL) != ARCHIVE_OK))
		fail_to_write(tar, error);
	else if (tar->archive != NULL)
		return tar;
	ltt_tar_writer_free(tar);
	return NULL;
}

void ltt_tar_writer_free(LttTarWriter *tar)
{
	if (tar == NULL)
		return;
	/* Freeing an archive writes its end, even of one that is not complete. */
	tar->is_given_up = TRUE;
	if (tar->archive != NULL)
		archive_write_free(tar->archive);
	ltt_encoder_free(tar->encoder);
	g_clear_error(&tar->encoder_error);
	g_free(tar->name);
	g_free(tar);
}

gboolean ltt_tar_writer_begin(LttTarWriter *tar, const char *name, guint64 size_bytes,
			      GError **error)
{
	const gboolean is_folder = g_str_has_suffix(name, "/");
	struct archive_entry *entry = archive_entry_new2(tar->archive);
	int result;

	if (entry == NULL)
		return ltt_fail(error, LTT_ERROR_LIMIT, "%s: no memory to pack it", name);
	g_free(tar->name);
	tar->name = g_strdup(name);
	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, is_folder ? AE_IFDIR : AE_IFREG);
	archive_entry_set_perm(entry, is_folder ? FOLDER_MODE : FILE_MODE);
	archive_entry_set_mtime(entry, 0, 0);
	archive_entry_set_size(entry, (la_int64_t)size_bytes);
	result = archive_write_header(tar->archive, entry);
	archive_entry_free(entry);
	return (result == ARCHIVE_OK && !tar->is_given_up) || fail_to_write(tar, error);
}

gboolean ltt_tar_writer_add(LttTarWriter *tar, gconstpointer bytes, gsize length, GError **error)
{
	return (archive_write_data(tar->archive, bytes, length) == (la_ssize_t)length &&
		!tar->is_given_up) ||
	       fail_to_write(tar, error);
}

gboolean ltt_tar_writer_end(LttTarWriter *tar, GError **error)
{
	if (archive_write_close(tar->archive) != ARCHIVE_OK || tar->is_given_up)
		return fail_to_write(tar, error);
	return ltt_encoder_end(tar->encoder, error);
}
