/* plugin.c - a shared library with a facility of its own, to be loaded and unloaded. See unload.c.
 */
#include "probe/demo-trace.h"

enum { EVENTS = 100 };

void plugin_work(uint64_t number);

void plugin_work(uint64_t number)
{
	for (uint64_t i = 0; i < EVENTS; i++)
		trace_demo_pair(number, i);
}
