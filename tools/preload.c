/* preload.c - see preload.h. */
#include "preload.h"

#include "apart.h"
#include "loadable.h"
#include "tool.h"

#include <string.h>

#define LIBRARY "ltt-preload.so"

static const char *const known_sets[] = {"malloc", "lock", "io", "functions", NULL};

static gboolean check_library(void)
{
	g_autofree char *path = apart_find(LIBRARY);

	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
		tool_fail("--preload: %s: not found; expected it where `ltt` was installed", path);
		return FALSE;
	}
	if (strpbrk(path, ": ") != NULL) {
		tool_fail("--preload: %s: the dynamic linker accepts no path with blanks or colons",
			  path);
		return FALSE;
	}
	return TRUE;
}

gboolean preload_check(const char *sets)
{
	g_auto(GStrv) words = sets != NULL ? g_strsplit(sets, ",", 0) : NULL;

	if (words == NULL)
		return TRUE;
	for (guint i = 0; words[i] != NULL || i == 0; i++) {
		if (words[i] == NULL || !g_strv_contains(known_sets, words[i])) {
			tool_fail("--preload %s: expected malloc, lock, io or functions, with "
				  "commas between",
				  sets);
			return FALSE;
		}
	}
	return check_library();
}

char **preload_add(char **environment, const char *sets, const char *program)
{
	g_autofree char *path = NULL;
	g_autofree char *list = NULL;
	const char *others;
	const char *why_not;

	if (sets == NULL)
		return environment;
	environment = g_environ_setenv(environment, "LTT_TRACE_PRELOAD", sets, TRUE);
	why_not = loadable_why_not(program);
	if (why_not != NULL) {
		tool_warn("%s: --preload has no effect: the program %s", program, why_not);
		return environment;
	}
	path = apart_find(LIBRARY);
	others = g_environ_getenv(environment, "LD_PRELOAD");
	list = g_strjoin(":", path, others != NULL && *others != '\0' ? others : NULL, NULL);
	return g_environ_setenv(environment, "LD_PRELOAD", list, TRUE);
}
