/* eventdef.c - write descriptions of facilities to eventdefs/. See eventdef.h. */
#define _GNU_SOURCE
#include "session/eventdef.h"

#include "session/atomic.h"
#include "session/file.h"
#include "session/sys.h"

#include <stdio.h>
#include <string.h>

/* For the longest name of a facility with its folder and suffix. */
enum { PATH_BYTES = sizeof(((struct lttp_facility *)0)->name) + 32 };

struct path {
	char text[PATH_BYTES];
};

static void append(struct path *path, const char *text)
{
	size_t have = strlen(path->text);

	strncpy(path->text + have, text, sizeof(path->text) - 1 - have);
	path->text[sizeof(path->text) - 1] = 0;
}

static void append_hex(struct path *path, uint64_t value, int digits)
{
	char text[17] = "";

	for (int i = digits - 1; i >= 0; i--, value >>= 4)
		text[i] = "0123456789abcdef"[value & 15];
	append(path, text);
}

static int write_aside(int directory, const char *path, const char *text)
{
	int fd = lttp_openat(directory, path, O_WRONLY | O_CREAT | O_EXCL, 0666);
	size_t size = strlen(text);
	int result;

	if (fd < 0)
		return fd;
	result = lttp_allocate(fd, 0, size);
	while (result == 0 && size > 0) {
		long written = lttp_write(fd, text, size);

		if (written > 0) {
			text += written;
			size -= (size_t)written;
		} else if (written != -EINTR) {
			result = written < 0 ? (int)written : -EIO;
		}
	}
	lttp_close(fd);
	return result;
}

static bool holds(int directory, const char *path, const char *text)
{
	int fd = lttp_openat(directory, path, O_RDONLY | O_NOFOLLOW, 0);
	size_t left = strlen(text);
	char bytes[256];
	long n = -1;

	if (fd < 0)
		return false;
	while ((n = lttp_read(fd, bytes, sizeof(bytes))) > 0) {
		if ((size_t)n > left || memcmp(bytes, text, (size_t)n) != 0)
			break;
		text += n;
		left -= (size_t)n;
	}
	lttp_close(fd);
	return n == 0 && left == 0;
}

/* Gives the file its name unless another file has it. */
static int give_name(int directory, const char *from, const char *to)
{
	if (linkat(directory, from, directory, to, 0) == 0)
		return 0;
	if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK)
		return -errno;
	/* A file system without links. */
	if (syscall(SYS_renameat2, directory, from, directory, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	return renameat(directory, from, directory, to) == 0 ? 0 : -errno;
}

int lttp_eventdef_write(const struct lttp_session *session, const char *name, uint32_t checksum,
			const char *xml)
{
	struct path plain = {"eventdefs/"}, exact, aside = {"eventdefs/."};
	int directory = lttp_session_directory(session), result;

	if (directory < 0)
		return directory;
	append(&plain, name);
	exact = plain;
	append(&plain, ".xml");
	append(&exact, "-");
	append_hex(&exact, checksum, 8);
	append(&exact, ".xml");
	append_hex(&aside, lttp_add(&session->head->serials, 1), 16);

	result = holds(directory, plain.text, xml) || holds(directory, exact.text, xml) ? 0
											: -ENOENT;
	if (result != 0) {
		result = write_aside(directory, aside.text, xml);
		if (result == 0)
			result = give_name(directory, aside.text, plain.text);
		if (result == -EEXIST && holds(directory, plain.text, xml))
			result = 0;
		if (result == -EEXIST)
			result = give_name(directory, aside.text, exact.text);
		/* The name has the checksum: the description differs in its texts only. */
		if (result == -EEXIST)
			result = 0;
		unlinkat(directory, aside.text, 0);
	}
	lttp_close(directory);
	return result;
}
