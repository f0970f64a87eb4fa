/* doubt-priv.h - doubts about names in a selection (ltt-filter.h). */
#ifndef LTT_FILTER_DOUBT_PRIV_H
#define LTT_FILTER_DOUBT_PRIV_H

#ifndef LTT_BUILDING
#error "filter/doubt-priv.h is private to libltt; use <ltt/ltt-filter.h>"
#endif

#include <ltt/ltt-filter.h>

/* Adds the doubts about a filter. @types: (element-type LttEventType): the types of the events that
 * are read. @is_part: only a part of the types of the trace */
void ltt_filter_check_types(const LttFilter *filter, const GPtrArray *types, gboolean is_part,
			    const LttTrace *trace, GPtrArray *doubts);

/* ---- check-path.c ---- */

#include "filter/operand-priv.h"

/* What a path leads to in the events of a type. */
typedef struct LttFinding {
	const LttType *type; /* resolved; NULL: the type does not have the path */
	guint n_steps;       /* that could be followed */
	const LttType *last; /* resolved; what these lead to; NULL: nothing */
} LttFinding;

/* Follows the path of @operand in the payload of an event type. */
LttFinding ltt_path_follow(const LttEventType *type, const LttOperand *operand);

/* Returns: (transfer full) (nullable): a path like that of @operand, which no type has, but with a
 *   name that one of @types has */
char *ltt_path_find_near(const GPtrArray *types, const LttOperand *operand);

#endif
