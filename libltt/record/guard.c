/* guard.c - see guard-priv.h.
 *
 * A traced process may do with the files of the trace what it likes, as it is the same user's. What
 * a recorder reads or writes through a mapping may so be behind the end of the file from one
 * instruction to the next. The handler puts an empty page there; the load or store is then done on
 * that. Other signals of that kind, such as a memory error, have their usual effect.
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
	/* The instruction is carried out again, and ends as it would have. */
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
