/* hostile.c - a hostile traced process: overwrites shared files of the session until it is killed.
 *
 *	hostile SEED WHAT
 *
 * WHAT: state     words anywhere in info/session
 *       region    words in 256 bytes of it
 *       files     words in the tracefiles as well
 *       truncate  also truncates files and makes them very long
 *
 * The same seed gives the same writes.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	WORDS = 64, /* consecutive writes before it yields */
	REGION_BYTES = 256,
	FILES_MAX = 64,
	PATH_BYTES = 512,
	FIXED_BYTES = 131072, /* of the state: half of it is fixed, and processes have private
			       * copies of that */
};

static uint64_t seed;

static uint64_t next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Values that are likely to be valid or at a limit. */
static uint64_t make_word(uint64_t old)
{
	switch (next() % 8) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return old ^ 1ull << next() % 64;
	case 3:
		return next() % 8;
	case 4:
		return old + next() % 16 - 8;
	case 5:
		return next() % (1 << 20) << 32 | next() % (1 << 20);
	default:
		return next();
	}
}

struct file {
	int fd;
	off_t size;
};

static void scribble(const struct file *file, off_t from, off_t bytes)
{
	for (int i = 0; i < WORDS && bytes >= 8; i++) {
		off_t at = from + (off_t)(next() % (uint64_t)(bytes - 7));
		uint64_t word = 0;

		if (pread(file->fd, &word, sizeof(word), at) != sizeof(word))
			return;
		word = make_word(word);
		if (pwrite(file->fd, &word, sizeof(word), at) != sizeof(word))
			return;
	}
}

static unsigned open_files(const char *folder, struct file *files, unsigned n)
{
	char path[2 * PATH_BYTES];
	DIR *directory = opendir(folder);
	struct dirent *entry;
	struct stat status;

	while (directory != NULL && n < FILES_MAX && (entry = readdir(directory)) != NULL) {
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		files[n].fd = open(path, O_RDWR);
		if (files[n].fd < 0)
			continue;
		if (fstat(files[n].fd, &status) == 0 && S_ISREG(status.st_mode))
			files[n++].size = status.st_size;
		else
			close(files[n].fd);
	}
	if (directory != NULL)
		closedir(directory);
	return n;
}

static void change_length(const struct file *file)
{
	static const off_t lengths[] = {0, 1, 100, 4096, 5000, 1 << 20, 1 << 26};
	off_t length = lengths[next() % (sizeof(lengths) / sizeof(lengths[0]))];

	if (ftruncate(file->fd, length) != 0)
		abort();
}

int main(int argc, char **argv)
{
	const char *trace = getenv("LTT_TRACE_DIR"), *what = argc > 2 ? argv[2] : "";
	char state_path[PATH_BYTES], folder[PATH_BYTES + 16];
	struct file state, files[FILES_MAX];
	uint64_t round = 0;
	struct stat status;
	off_t region;

	if (argc < 3 || trace == NULL)
		return 2;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	seed = strtoull(argv[1], NULL, 0) * 0x9e3779b97f4a7c15u + 1;
	for (int i = 0; i < 16; i++)
		next();
	snprintf(state_path, sizeof(state_path), "%s/info/session", trace);
	state.fd = open(state_path, O_RDWR);
	if (state.fd < 0 || fstat(state.fd, &status) != 0)
		return 1;
	state.size = status.st_size;
	region =
		(off_t)(next() % (uint64_t)(state.size - FIXED_BYTES - REGION_BYTES)) + FIXED_BYTES;
	for (;; round++) {
		unsigned n;

		if (strcmp(what, "region") == 0)
			scribble(&state, region, REGION_BYTES);
		else if (next() % 4 == 0)
			scribble(&state, 0, FIXED_BYTES);
		else
			scribble(&state, FIXED_BYTES, state.size - FIXED_BYTES);
		sched_yield();
		if (strcmp(what, "files") != 0 && strcmp(what, "truncate") != 0)
			continue;
		snprintf(folder, sizeof(folder), "%s/%s", trace, next() % 2 ? "cpu" : "control");
		n = open_files(folder, files, 0);
		for (unsigned i = 0; i < n; i++) {
			scribble(&files[i], 0, files[i].size);
			if (strcmp(what, "truncate") == 0 && next() % 8 == 0)
				change_length(&files[i]);
			close(files[i].fd);
		}
		if (strcmp(what, "truncate") == 0 && next() % 64 == 0)
			change_length(&state);
	}
}
