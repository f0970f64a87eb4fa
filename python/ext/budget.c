/* budget.c - see budget.h. */
#include "budget.h"

#include "failure.h"

void budget_init(Budget *self, guint64 n_bytes)
{
	self->n_objects = BUDGET_OBJECTS + n_bytes;
	self->n_left = self->n_objects;
}

gboolean budget_take(Budget *self)
{
	if (self->n_left > 0) {
		self->n_left--;
		return TRUE;
	}
	failure_raise(g_error_new(LTT_ERROR, LTT_ERROR_LIMIT,
				  "the values are more than %" G_GUINT64_FORMAT
				  " Python objects: get single members or rows, or an Arrow table",
				  self->n_objects));
	return FALSE;
}
