/* browser.c - see browser.h. */
#include "browser.h"

#include <signal.h>

/* In the child: the caller can have blocked signals. */
static void unblock_signals(gpointer data)
{
	sigset_t none;

	(void)data;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

gboolean browser_open(const char *url)
{
	const char *const words[] = {"xdg-open", url, NULL};

	if (g_getenv("DISPLAY") == NULL && g_getenv("WAYLAND_DISPLAY") == NULL)
		return FALSE;
	return g_spawn_async(NULL, (char **)words, NULL,
			     G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
				     G_SPAWN_STDERR_TO_DEV_NULL,
			     unblock_signals, NULL, NULL, NULL);
}
