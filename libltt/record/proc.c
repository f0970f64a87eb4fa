/* proc.c - read files of /proc.
 *
 * stat() reports 0 bytes for them, and a process may exit while its files are read.
 */
#include "record/proc-priv.h"

#include <ltt/ltt-time.h>

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

int ltt_proc_read(const char *path, char **text)
{
	g_autoptr(GString) all = g_string_new(NULL);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char piece[16384];
	ssize_t length;
	int errnum = 0;

	if (fd < 0)
		return errno;
	do {
		length = read(fd, piece, sizeof(piece));
		if (length > 0)
			g_string_append_len(all, piece, length);
		else if (length < 0 && errno != EINTR)
			errnum = errno;
	} while (length != 0 && errnum == 0);
	close(fd);
	if (errnum == 0)
		*text = g_string_free(g_steal_pointer(&all), FALSE);
	return errnum;
}

static guint64 now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (guint64)now.tv_sec * LTT_NS_PER_S + (guint64)now.tv_nsec;
}

guint64 ltt_monotonic_ns(void)
{
	return now_ns(CLOCK_MONOTONIC);
}

LttLine ltt_machine_get_line(void)
{
	return (LttLine){.cycles = now_ns(CLOCK_MONOTONIC),
			 .time_ns = now_ns(CLOCK_REALTIME),
			 .dt_ns = 1,
			 .dc_cycles = 1};
}
