/* tar-scan.c - read an untrusted archive, entry by entry.
 *
 * libarchive parses the tar format; a decoder supplies its bytes and enforces the limits on their
 * number. An archive without an end mark is truncated, though libarchive accepts it.
 */
#include "archive/tar-scan-priv.h"

#include "archive/decode-priv.h"
#include "archive/members-priv.h"
#include "base/error-priv.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#define BUFFER_BYTES (128 * 1024)

/* The ratio of the limits applies beyond this many bytes. */
#define FREE_BYTES ((guint64)1 << 30)

/* Overhead of an entry: headers, and padding to whole tar blocks. */
#define MAX_HEADER_BYTES 8192

#define SET_ID_BITS (S_ISUID | S_ISGID)

struct LttTarScan {
	char *place;
	LttArchiveLimits limits;
	LttDecoder *decoder;
	GError *decoder_error; /* error of the decoder under libarchive; NULL: none */
	guint8 *buffer;
	gsize n_given; /* bytes in the buffer, the last that libarchive received */
	struct archive *archive;
	LttMembers *members;
	char *name;         /* of the entry, as in the archive; NULL: none yet */
	char *settled;      /* the same, normalized */
	guint64 size_bytes; /* of the entry, from its header */
	guint64 n_read;     /* bytes of the entry returned so far */
	guint64 n_entries;  /* including hidden ones */
	guint64 n_bytes;    /* of all files so far */
	const char *root;   /* NULL: unknown yet */
};

/* ---- errors ---- */

/* Sets an error whose place is the archive, or the current entry in it. */
static gboolean fail(const LttTarScan *scan, LttError code, GError **error, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

static gboolean fail(const LttTarScan *scan, LttError code, GError **error, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list arguments;

	va_start(arguments, format);
	message = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	if (scan->name != NULL)
		ltt_fail(error, code, "%s: %s: %s", scan->place, scan->name, message);
	else
		ltt_fail(error, code, "%s: %s", scan->place, message);
	return FALSE;
}

/* Propagates an error without a place, adding the place. */
static gboolean fail_here(const LttTarScan *scan, GError *reason, GError **error)
{
	fail(scan, (LttError)reason->code, error, "%s", reason->message);
	g_error_free(reason);
	return FALSE;
}

static gboolean fail_to_read(LttTarScan *scan, GError **error)
{
	const char *reason = archive_error_string(scan->archive);

	if (scan->decoder_error != NULL)
		return fail_here(scan, g_steal_pointer(&scan->decoder_error), error);
	if (scan->n_entries == 0 && archive_format(scan->archive) == 0)
		return fail(
			scan, LTT_ERROR_UNSUPPORTED, error,
			"is not an archive of a trace: expected tar, as it is or packed by gzip or "
			"zstd");
	if (archive_errno(scan->archive) == ENOMEM)
		return fail(scan, LTT_ERROR_LIMIT, error, "no memory to read it");
	return fail(scan, LTT_ERROR_CORRUPT, error, "damaged or cut off: tar: %s",
		    reason != NULL ? reason : "no reason is known");
}

/* ---- bytes for libarchive ---- */

/* Supplies bytes to libarchive. Fills the buffer, so that no tar header is split. */
static la_ssize_t give_bytes(struct archive *archive, void *data, const void **bytes)
{
	LttTarScan *scan = data;
	gssize got = 1;

	if (scan->decoder_error != NULL)
		return -1;
	for (scan->n_given = 0; got > 0 && scan->n_given < BUFFER_BYTES;
	     scan->n_given += (gsize)MAX(got, 0))
		got = ltt_decoder_read(scan->decoder, scan->buffer + scan->n_given,
				       BUFFER_BYTES - scan->n_given, &scan->decoder_error);
	*bytes = scan->buffer;
	if (got >= 0 || scan->n_given > 0)
		return (la_ssize_t)scan->n_given;
	archive_set_error(archive, EIO, "unreadable");
	return -1;
}

static la_int64_t skip_bytes(struct archive *archive, void *data, la_int64_t length)
{
	LttTarScan *scan = data;

	(void)archive;
	return length > 0 ? (la_int64_t)ltt_decoder_skip(scan->decoder, (guint64)length) : 0;
}

static gboolean open_archive(LttTarScan *scan, GError **error)
{
	scan->archive = archive_read_new();
	if (scan->archive == NULL)
		return fail(scan, LTT_ERROR_LIMIT, error, "no memory to read it");
	if (archive_read_support_format_tar(scan->archive) != ARCHIVE_OK ||
	    archive_read_set_read_callback(scan->archive, give_bytes) != ARCHIVE_OK ||
	    archive_read_set_skip_callback(scan->archive, skip_bytes) != ARCHIVE_OK ||
	    archive_read_set_callback_data(scan->archive, scan) != ARCHIVE_OK ||
	    archive_read_open1(scan->archive) != ARCHIVE_OK)
		return fail_to_read(scan, error);
	return TRUE;
}

LttTarScan *ltt_tar_scan_new(int fd, const char *place, const LttArchiveLimits *limits,
			     GError **error)
{
	static const LttArchiveLimits usual = {LTT_MAX_ARCHIVE_BYTES, LTT_MAX_ARCHIVE_FILES,
					       LTT_MAX_ARCHIVE_RATIO};
	g_autoptr(LttTarScan) scan = g_new0(LttTarScan, 1);
	LttDecodeLimits decode = {.free_bytes = FREE_BYTES};

	scan->place = g_strdup(place);
	scan->limits = limits != NULL ? *limits : usual;
	scan->buffer = g_malloc(BUFFER_BYTES);
	scan->members = ltt_members_new();
	decode.max_ratio = scan->limits.max_ratio;
	decode.max_bytes = scan->limits.max_bytes;
	/* The product may overflow 64 bits. */
	if (scan->limits.max_files < (G_MAXUINT64 - decode.max_bytes) / MAX_HEADER_BYTES)
		decode.max_bytes += (scan->limits.max_files + 1) * MAX_HEADER_BYTES;
	else
		decode.max_bytes = G_MAXUINT64;
	scan->decoder = ltt_decoder_new(fd, &decode, &scan->decoder_error);
	if (scan->decoder == NULL) {
		fail_here(scan, g_steal_pointer(&scan->decoder_error), error);
		return NULL;
	}
	return open_archive(scan, error) ? g_steal_pointer(&scan) : NULL;
}

void ltt_tar_scan_free(LttTarScan *scan)
{
	if (scan == NULL)
		return;
	if (scan->archive != NULL)
		archive_read_free(scan->archive);
	ltt_decoder_free(scan->decoder);
	g_clear_error(&scan->decoder_error);
	ltt_members_free(scan->members);
	g_free(scan->buffer);
	g_free(scan->name);
	g_free(scan->settled);
	g_free(scan->place);
	g_free(scan);
}

/* ---- an entry ---- */

/* Returns: (nullable): why an entry cannot be part of a trace; NULL: it can */
static const char *find_fault(struct archive_entry *entry)
{
	if (archive_entry_hardlink(entry) != NULL || archive_entry_hardlink_w(entry) != NULL)
		return "is a hard link";
	switch (archive_entry_filetype(entry)) {
	case AE_IFREG:
		break;
	case AE_IFDIR:
		return NULL;
	case AE_IFLNK:
		return "is a symbolic link";
	case AE_IFCHR:
	case AE_IFBLK:
		return "is a device";
	case AE_IFIFO:
		return "is a FIFO";
	case AE_IFSOCK:
		return "is a socket";
	default:
		return "is of a kind that is not known";
	}
	/* On folders these bits are common, for files shared by a group; they are not restored. */
	if ((archive_entry_mode(entry) & SET_ID_BITS) != 0)
		return "is a set-id program";
	return archive_entry_size_is_set(entry) && archive_entry_size(entry) >= 0 ? NULL
										  : "has no size";
}

static gboolean check_size(LttTarScan *scan, GError **error)
{
	if (scan->n_entries > scan->limits.max_files ||
	    ltt_members_count(scan->members) > scan->limits.max_files)
		return fail(scan, LTT_ERROR_LIMIT, error,
			    "more than %" G_GUINT64_FORMAT " files and folders",
			    scan->limits.max_files);
	if (scan->size_bytes > scan->limits.max_bytes - scan->n_bytes)
		return fail(scan, LTT_ERROR_LIMIT, error,
			    "more than %" G_GUINT64_FORMAT " bytes of files",
			    scan->limits.max_bytes);
	scan->n_bytes += scan->size_bytes;
	return TRUE;
}

/* Uses the name as raw bytes, regardless of the character set in a pax header. */
static gboolean take_name(LttTarScan *scan, struct archive_entry *entry, GError **error)
{
	const char *name = archive_entry_pathname(entry);
	GError *reason = NULL;

	if (name == NULL)
		name = archive_entry_pathname_utf8(entry);
	g_clear_pointer(&scan->settled, g_free);
	g_free(scan->name);
	scan->name = g_strdup(name);
	if (name == NULL) {
		fail(scan, LTT_ERROR_UNSUPPORTED, error, "entry %" G_GUINT64_FORMAT " has no name",
		     scan->n_entries);
		return FALSE;
	}
	scan->settled = ltt_name_settle(name, &reason);
	return scan->settled != NULL || fail_here(scan, reason, error);
}

/* @shown: (out): whether the entry is visible, so to be returned. Returns: FALSE with @error set */
static gboolean take_entry(LttTarScan *scan, struct archive_entry *entry, gboolean *shown,
			   GError **error)
{
	const gboolean is_folder = archive_entry_filetype(entry) == AE_IFDIR;
	const char *fault;
	GError *reason = NULL;

	scan->n_entries++;
	if (!take_name(scan, entry, error))
		return FALSE;
	fault = find_fault(entry);
	if (fault != NULL)
		return fail(scan, LTT_ERROR_UNSUPPORTED, error,
			    "%s: expected regular files and directories only", fault);
	*shown = *scan->settled != '\0' && !ltt_name_is_hidden(scan->settled);
	scan->n_read = 0;
	scan->size_bytes = is_folder ? 0 : (guint64)archive_entry_size(entry);
	if (*shown && !ltt_members_add(scan->members, scan->settled, is_folder, &reason))
		return fail_here(scan, reason, error);
	if (!is_folder && *scan->settled == '\0')
		return fail(scan, LTT_ERROR_UNSUPPORTED, error, "is not a valid file name");
	return check_size(scan, error);
}

/* ---- the end ---- */

static gboolean check_zeros(const LttTarScan *scan, gsize from, gsize to, GError **error)
{
	for (gsize i = from; i < to; i++)
		if (scan->buffer[i] != 0)
			return fail(scan, LTT_ERROR_CORRUPT, error,
				    "data follows the end of the archive");
	return TRUE;
}

/* Reads to the end of the file. The padding of the last tape block must be zeros: other data would
 * be lost silently. The checksum of the compression follows it. */
static gboolean read_rest(LttTarScan *scan, GError **error)
{
	const guint64 n_left = ltt_decoder_get_n_plain(scan->decoder) -
			       (guint64)archive_filter_bytes(scan->archive, 0);
	gssize got;

	if (scan->decoder_error != NULL)
		return fail_to_read(scan, error);
	if (!check_zeros(scan, scan->n_given - MIN(n_left, scan->n_given), scan->n_given, error))
		return FALSE;
	while ((got = ltt_decoder_read(scan->decoder, scan->buffer, BUFFER_BYTES,
				       &scan->decoder_error)) > 0)
		if (!check_zeros(scan, 0, (gsize)got, error))
			return FALSE;
	return got == 0 || fail_to_read(scan, error);
}

static gboolean end(LttTarScan *scan, GError **error)
{
	g_clear_pointer(&scan->name, g_free);
	if (archive_filter_bytes(scan->archive, 0) <= archive_read_header_position(scan->archive))
		return fail(scan, LTT_ERROR_CORRUPT, error,
			    "it is cut off: expected the mark at the end of a tar archive");
	if (!read_rest(scan, error))
		return FALSE;
	scan->root = ltt_members_get_root(scan->members);
	return scan->root != NULL || fail(scan, LTT_ERROR_UNSUPPORTED, error,
					  "is not an archive of a trace: expected info/system.xml "
					  "in it, or one folder and "
					  "info/system.xml in that");
}

LttTarStep ltt_tar_scan_next(LttTarScan *scan, LttTarEntry *entry, GError **error)
{
	struct archive_entry *header;
	gboolean shown = FALSE;

	while (!shown) {
		const int result = archive_read_next_header(scan->archive, &header);

		if (result == ARCHIVE_EOF)
			return end(scan, error) ? LTT_TAR_END : LTT_TAR_FAILED;
		/* Warnings concern attributes that are not restored, such as the name of the
		 * owner. */
		if (result != ARCHIVE_OK && result != ARCHIVE_WARN) {
			fail_to_read(scan, error);
			return LTT_TAR_FAILED;
		}
		if (!take_entry(scan, header, &shown, error))
			return LTT_TAR_FAILED;
	}
	*entry = (LttTarEntry){
		.name = scan->settled,
		.is_folder = archive_entry_filetype(header) == AE_IFDIR,
		.size_bytes = scan->size_bytes,
		.is_in_place = ltt_decoder_is_in_place(scan->decoder) &&
			       archive_entry_sparse_count(header) == 0,
		.offset = (guint64)archive_filter_bytes(scan->archive, 0),
	};
	return LTT_TAR_ENTRY;
}

/* The map of a sparse file may give another size than the header. */
gssize ltt_tar_scan_read(LttTarScan *scan, gpointer bytes, gsize length, GError **error)
{
	const la_ssize_t got = archive_read_data(scan->archive, bytes, length);

	if (got < 0) {
		fail_to_read(scan, error);
		return -1;
	}
	scan->n_read += (guint64)got;
	if (scan->n_read > scan->size_bytes || (got == 0 && scan->n_read < scan->size_bytes)) {
		fail(scan, LTT_ERROR_CORRUPT, error,
		     "has another size than its header says: expected %" G_GUINT64_FORMAT " bytes",
		     scan->size_bytes);
		return -1;
	}
	return (gssize)got;
}

const char *ltt_tar_scan_get_root(const LttTarScan *scan)
{
	return scan->root;
}

guint64 ltt_tar_scan_get_n_packed(const LttTarScan *scan)
{
	return ltt_decoder_get_n_packed(scan->decoder);
}
