/* arena-priv.h - memory that is freed as a whole, for fields and names from a recording. */
#ifndef LTT_FORMATS_PERF_FILE_ARENA_PRIV_H
#define LTT_FORMATS_PERF_FILE_ARENA_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/arena-priv.h is private to libltt"
#endif

#include "formats/perf/file/field-priv.h"

/* An array of allocations, which it owns. */
typedef GPtrArray LttPerfArena;

static inline LttPerfArena *ltt_perf_arena_new(void)
{
	return g_ptr_array_new_with_free_func(g_free);
}

static inline char *ltt_perf_arena_text(LttPerfArena *arena, char *text)
{
	g_ptr_array_add(arena, text);
	return text;
}

/* Converts an array of LttPerfField to memory of the arena. @fields: (transfer full).
 * Returns: (transfer none): the elements */
static inline const LttPerfField *ltt_perf_arena_fields(LttPerfArena *arena, GArray *fields)
{
	LttPerfField *elements = (LttPerfField *)(void *)g_array_free(fields, FALSE);

	if (elements != NULL)
		g_ptr_array_add(arena, elements);
	return elements;
}

#endif
