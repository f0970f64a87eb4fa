/* code-map.c - the files with code in the processes of a trace, see ltt-stack.h. */
#include "analysis/mappings-priv.h"

#include <ltt/ltt-merge.h>

struct LttCodeMap {
	LttMappings *mappings;
};

static void read_all(LttCodeMap *map, LttTrace *trace)
{
	g_autoptr(LttMerge) merge = ltt_merge_new(trace, NULL);
	const LttEvent *event;
	LttStep step;

	while ((step = ltt_merge_next(merge, &event, NULL)) != LTT_STEP_END) {
		if (step == LTT_STEP_EVENT)
			ltt_mappings_take(map->mappings, event);
		else
			ltt_merge_skip_block(merge);
	}
}

LttCodeMap *ltt_code_map_new(LttTrace *trace)
{
	LttCodeMap *map = g_new(LttCodeMap, 1);

	map->mappings = ltt_mappings_new();
	if (ltt_mappings_are_in(trace))
		read_all(map, trace);
	return map;
}

void ltt_code_map_free(LttCodeMap *map)
{
	if (map == NULL)
		return;
	ltt_mappings_free(map->mappings);
	g_free(map);
}

void ltt_code_map_find(const LttCodeMap *map, guint32 pid, guint64 address, LttStackFrame *frame)
{
	*frame = (LttStackFrame){.address = address};
	ltt_mappings_find(map->mappings, pid, frame);
}
