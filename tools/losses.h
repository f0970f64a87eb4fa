/* losses.h - why events were lost, and what to do about it. */
#ifndef LOSSES_H
#define LOSSES_H

#include <ltt/ltt-stat.h>

/* Returns: what a reason means, "the file system was full"; "" for one that is not known */
const char *losses_describe(const char *reason);

/* Warns of @n_lost events that were lost from the trace @path: how many for each reason that @stat
 * knows, and what to do about it. @stat: (nullable): NULL: nothing is known but the number */
void losses_warn(const char *path, guint64 n_lost, const LttStat *stat);

#endif
