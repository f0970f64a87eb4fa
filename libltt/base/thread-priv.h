/* thread-priv.h - start a thread that a function cannot do without. */
#ifndef LTT_THREAD_PRIV_H
#define LTT_THREAD_PRIV_H

#ifndef LTT_BUILDING
#error "thread-priv.h is private to libltt"
#endif

#include "base/error-priv.h"

/* Returns: (transfer full): join it with g_thread_join(); NULL with LTT_ERROR_LIMIT, where g_thread_new()
 * would end the program: the limits of the user or of the machine admit no further thread */
static inline GThread *ltt_thread_start(const char *name, GThreadFunc function, gpointer data,
					GError **error)
{
	g_autoptr(GError) failure = NULL;
	GThread *thread = g_thread_try_new(name, function, data, &failure);

	if (thread == NULL)
		ltt_fail(error, LTT_ERROR_LIMIT, "could not start the thread %s: %s", name,
			 failure->message);
	return thread;
}

#endif
