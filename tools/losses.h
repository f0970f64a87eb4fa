/* losses.h - reasons for lost events, and advice. */
#ifndef LOSSES_H
#define LOSSES_H

#include <ltt/ltt-stat.h>

/* Returns: the meaning of a reason, such as "the file system was full"; "" if it is unknown */
const char *losses_describe(const char *reason);

/* Warns of @n_lost lost events in the trace @path, with the number and advice for each reason that
 * @stat has. @stat: (nullable): NULL: only the number is known */
void losses_warn(const char *path, guint64 n_lost, const LttStat *stat);

#endif
