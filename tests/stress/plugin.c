/* plugin.c - a shared library with its own facility, which unload.c loads and unloads. */
#include "probe/demo-trace.h"

enum { EVENTS = 100 };

void plugin_work(uint64_t number);

void plugin_work(uint64_t number)
{
	for (uint64_t i = 0; i < EVENTS; i++)
		trace_demo_pair(number, i);
}
