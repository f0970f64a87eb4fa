/* folder.c - the files of a folder, one after the other. See folder.h. */
#define _GNU_SOURCE
#include "session/folder.h"

#include "session/sys.h"

#include <dirent.h>
#include <string.h>

int lttp_folder_each(int parent, const char *path,
		     int (*visit)(int folder, const char *name, void *data), void *data)
{
	int fd = lttp_openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0), result = 0;
	DIR *files = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	if (files == NULL) {
		lttp_close(fd);
		return fd < 0 ? fd : -ENOMEM;
	}
	/* cppcheck-suppress readdirCalled ; nobody else has this stream */
	while (result == 0 && (entry = readdir(files)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			result = visit(fd, entry->d_name, data);
	}
	closedir(files);
	return result;
}
