/* use-plugin.h - load plugin.c and let it trace. */
#ifndef USE_PLUGIN_H
#define USE_PLUGIN_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns: false if it cannot be loaded */
static inline bool use_plugin(const char *path)
{
	union {
		void *address;
		void (*work)(uint64_t number);
	} found;
	void *library = dlopen(path, RTLD_NOW);

	found.address = library != NULL ? dlsym(library, "plugin_work") : NULL;
	if (found.address == NULL)
		return false;
	found.work(0);
	return true;
}

#endif
