/* guard.c - see guard-priv.h.
 *
 * A traced process of the same user can truncate the files of the trace at any time. The recorder
 * then accesses a mapping after the end of the file. The handler maps an empty page there, and the
 * access is repeated on it. Other causes of SIGBUS, such as a memory error, have their usual
 * effect.
 */
#define _GNU_SOURCE
#include "record/guard-priv.h"

#include <glib.h>

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static GMutex mutex;
static guint n_guards;
static struct sigaction before;
static gsize page_bytes;

static void put_page(int number, siginfo_t *info, void *context)
{
	void *page = (void *)((gsize)info->si_addr & ~(page_bytes - 1)), *at = MAP_FAILED;

	(void)context;
	if (info->si_code == BUS_ADRERR)
		at = mmap(page, page_bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (at == page)
		return;
	/* The instruction is repeated, and raises the signal again. */
	sigaction(number, &before, NULL);
}

void ltt_guard_begin(void)
{
	struct sigaction action = {.sa_sigaction = put_page, .sa_flags = SA_SIGINFO};

	g_mutex_lock(&mutex);
	page_bytes = (gsize)sysconf(_SC_PAGESIZE);
	if (n_guards++ == 0)
		sigaction(SIGBUS, &action, &before);
	g_mutex_unlock(&mutex);
}

void ltt_guard_end(void)
{
	g_mutex_lock(&mutex);
	if (--n_guards == 0)
		sigaction(SIGBUS, &before, NULL);
	g_mutex_unlock(&mutex);
}
