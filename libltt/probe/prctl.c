/* prctl.c - a prctl() that joins a requested session before the process gets a filter of system calls, and
 * keeps it from opening files afterwards.
 *
 * Such a filter may kill a process for the system calls of joining, or of opening. Without CAP_SYS_ADMIN a process needs
 * PR_SET_NO_NEW_PRIVS before it installs one, and libseccomp always sets it.
 */
#define _GNU_SOURCE
#include "probe/attach.h"
#include "probe/borrow.h"
#include "session/keeper.h"

#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
LTT_PROBE_API int prctl(int option, ...)
{
	unsigned long arguments[4];
	va_list more;

	/* Those that are not given are not used either. */
	va_start(more, option);
	for (int i = 0; i < 4; i++)
		arguments[i] = va_arg(more, unsigned long);
	va_end(more);
	if ((option == PR_SET_NO_NEW_PRIVS || option == PR_SET_SECCOMP) && !lttp_is_borrower()) {
		lttp_attach_heed();
		lttp_keeper_expect_filter();
	}
	return (int)syscall(SYS_prctl, option, arguments[0], arguments[1], arguments[2],
			    arguments[3]);
}
