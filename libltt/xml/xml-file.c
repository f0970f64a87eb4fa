/* xml-file.c - read a whole XML file, up to a limit.
 *
 * A trace is untrusted, so its descriptions may be any kind of file. The file is opened without
 * blocking: a FIFO without a writer reads as empty instead of blocking forever. A FIFO with a
 * writer, such as <(...) of a shell, is read to its end.
 */
#include "base/error-priv.h"
#include "base/read-at-priv.h"
#include "xml/xml-file-priv.h"

#include <ltt/ltt-eventdefs.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#define PIECE_BYTES 65536

/* Returns: the number of bytes read, 0 at the end, -1 with errno set */
static gssize read_piece(int fd, char *buffer)
{
	for (;;) {
		struct pollfd wait = {.fd = fd, .events = POLLIN};
		gssize n_read = read(fd, buffer, PIECE_BYTES);

		if (n_read >= 0 || (errno != EAGAIN && errno != EINTR))
			return n_read;
		if (errno == EAGAIN && poll(&wait, 1, -1) < 0 && errno != EINTR)
			return -1;
	}
}

static gboolean read_all(int fd, const char *path, GString *text, GError **error)
{
	g_autofree char *buffer = g_malloc(PIECE_BYTES);
	gssize n_read;

	while ((n_read = read_piece(fd, buffer)) > 0) {
		g_string_append_len(text, buffer, n_read);
		if (text->len > LTT_MAX_XML_BYTES)
			return ltt_fail(error, LTT_ERROR_LIMIT,
					"%s: the file is larger than %d bytes", path,
					LTT_MAX_XML_BYTES);
	}
	return n_read == 0 || ltt_fail_io(error, path, "read", errno);
}

GString *ltt_xml_file_read(const char *path, GError **error)
{
	GString *text;
	gboolean is_read;
	int fd;

	do {
		fd = open(path, O_RDONLY | LTT_OPEN_FOREIGN);
	} while (fd < 0 && errno == EINTR);
	if (fd < 0) {
		ltt_fail_io(error, path, "open", errno);
		return NULL;
	}
	text = g_string_new(NULL);
	is_read = read_all(fd, path, text, error);
	close(fd);
	if (!is_read)
		text = (g_string_free(text, TRUE), NULL);
	return text;
}
