/* directory.c - files of a trace directory by their paths. See directory.h. */
#define _GNU_SOURCE
#include "session/directory.h"

#include "session/sys.h"

#include <dirent.h>
#include <string.h>

static bool is_of(const struct lttp_session *session, const struct stat *status)
{
	return status->st_dev == session->head->device && status->st_ino == session->head->inode;
}

bool lttp_session_is_in_place(const struct lttp_session *session)
{
	struct stat status;

	return stat(session->directory, &status) == 0 && is_of(session, &status);
}

int lttp_session_directory(const struct lttp_session *session)
{
	int fd = lttp_openat(AT_FDCWD, session->directory, O_PATH | O_DIRECTORY, 0);
	struct stat status;

	if (fd < 0 || session->head == NULL)
		return fd;
	if (fstat(fd, &status) == 0 && is_of(session, &status))
		return fd;
	lttp_close(fd);
	return -ENOENT;
}

int lttp_session_file(const struct lttp_session *session, const char *path, int flags)
{
	int directory = lttp_session_directory(session), fd;

	if (directory < 0)
		return directory;
	fd = lttp_openat(directory, path, flags | O_NOFOLLOW, 0666);
	lttp_close(directory);
	return fd;
}

int lttp_session_set_lock(int fd, enum lttp_lock which, short type)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = which, .l_len = 1};
	int result = (int)lttp_result(syscall(SYS_fcntl, fd, F_OFD_SETLK, &lock));

	return result == -EAGAIN || result == -EACCES ? -EBUSY : result;
}

int lttp_session_lock(const struct lttp_session *session, enum lttp_lock which, short type)
{
	int fd = lttp_session_file(session, "info/lock", O_RDWR), result;

	if (fd < 0)
		return fd;
	result = lttp_session_set_lock(fd, which, type);
	if (result == 0)
		return fd;
	lttp_close(fd);
	return result;
}

int lttp_folder_each(int parent, const char *path,
		     int (*visit)(int folder, const char *name, void *data), void *data)
{
	int fd = lttp_openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0), result = 0;
	DIR *files = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	if (files == NULL) {
		result = fd < 0 ? fd : -errno;
		lttp_close(fd);
		return result;
	}
	errno = 0;
	/* cppcheck-suppress readdirCalled ; the stream is private */
	while (result == 0 && (entry = readdir(files)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			result = visit(fd, entry->d_name, data);
		errno = 0;
	}
	if (result == 0)
		result = -errno;
	closedir(files);
	return result;
}

static struct lttp_file_name name_of(const char *folder, uint32_t number)
{
	struct lttp_file_name name = {""};
	size_t at = strlen(folder);
	char digits[10];
	unsigned n = 0;

	memcpy(name.text, folder, at);
	do {
		digits[n++] = (char)('0' + number % 10);
		number /= 10;
	} while (number != 0);
	while (n > 0)
		name.text[at++] = digits[--n];
	name.text[at] = 0;
	return name;
}

struct lttp_file_name lttp_file_name(uint32_t number)
{
	return name_of("cpu/", number);
}

struct lttp_file_name lttp_spare_name(uint32_t number)
{
	return name_of(LTTP_SPARE_FOLDER "/", number);
}
