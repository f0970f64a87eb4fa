/* late.c - a program that loads a plugin after it has got a filter of system calls. The program itself has no facility.
 *
 *	late PLUGIN    the filter kills the process for calls that loading the plugin does not need. Exit status 77: not permitted
 */
#include "use-plugin.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <ltt/ltt-probe.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static void filter_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_linkat, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unlinkat, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fallocate, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		exit(77);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	/* It keeps the linker from leaving the library out. */
	ltt_probe_snapshot("/nowhere/at/all");
	filter_calls();
	return !use_plugin(argv[1]);
}
