/* losses.h - reasons for lost events, and advice. */
#ifndef LOSSES_H
#define LOSSES_H

#include "json.h"

#include <ltt/ltt-loss-reasons.h>

/* Returns: the meaning of a reason, such as "the file system was full"; "" if it is unknown */
const char *losses_describe(const char *reason);

/* Returns: (transfer full) (nullable): "too_large 11,990, disk_full 10"; NULL if there
 * are no losses */
char *losses_list(const LttLossReasons *losses);

/* Adds the members lost_by_reason, lost_process_events and too_large to an object. */
void losses_print_json(Json *json, const LttLossReasons *losses);

/* Warns that the recording @path lost @n_lost events: the number for each reason, and what to do
 * about it. @losses: (nullable): NULL if the reasons are unknown */
void losses_warn(const char *path, guint64 n_lost, const LttLossReasons *losses);

#endif
