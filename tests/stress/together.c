/* together.c - many processes of a recording load a plugin with the same facility at once.
 *
 *	together N PLUGIN    N processes. The program itself has no facility
 */
#define _GNU_SOURCE
#include "use-plugin.h"

#include <errno.h>
#include <ltt/ltt-probe.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[1]) : 0, start[2], status = 0, failed = 0;

	/* Not joined. It also keeps the linker from leaving the library out. */
	if (ltt_probe_snapshot("/nowhere/at/all") == -ENOTCONN || n == 0 || pipe(start) != 0)
		return 2;
	for (int i = 0; i < n; i++) {
		if (fork() == 0) {
			char byte;

			close(start[1]);
			_exit(read(start[0], &byte, 1) != 0 || !use_plugin(argv[2]));
		}
	}
	close(start[1]);
	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}
