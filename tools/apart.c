/* apart.c - commands that are programs of their own.
 *
 * They need libraries that take longer to load than a small command runs, so they are not part of
 * `ltt`, which executes them:
 *
 *	PREFIX/bin/ltt
 *	PREFIX/libexec/ltt/ltt-sql
 */
#include "apart.h"

#include "tool.h"

#include <errno.h>
#include <unistd.h>

char *apart_find(const char *name)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *bin = self != NULL ? g_path_get_dirname(self) : NULL;
	g_autofree char *prefix = bin != NULL ? g_path_get_dirname(bin) : g_strdup("/usr");

	return g_build_filename(prefix, "libexec", "ltt", name, NULL);
}

int apart_run(const char *command, int argc, char **argv)
{
	g_autofree char *name = g_strconcat("ltt-", command, NULL);
	g_autofree char *path = apart_find(name);

	(void)argc;
	execv(path, argv);
	return tool_fail("%s: could not run: %s; expected it where `ltt` was installed", path,
			 g_strerror(errno));
}
