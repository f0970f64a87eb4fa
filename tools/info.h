/* info.h - the output formats of `ltt info`. */
#ifndef INFO_H
#define INFO_H

#include <ltt/ltt-trace.h>

void info_print_json(LttTrace *trace);
void info_print_text(LttTrace *trace);
void info_print_events(LttTrace *trace);
void info_print_events_json(LttTrace *trace);

typedef void (*InfoEventFunc)(const LttEventType *event, const LttArch *arch, gpointer user_data);

/* Calls @func for each event type that the trace loads, by id. */
void info_each_event(LttTrace *trace, InfoEventFunc func, gpointer user_data);

/* Gets an attribute of the system as it is printed: cpu is the number of CPUs without lanes.
 * @value: (out) (transfer full) */
void info_get_attribute(const LttSystem *system, guint index, const char **name, char **value);

/* Whether the trace loads the facility: TRUE for all but the builtin facility. */
gboolean info_is_loaded(const LttLoad *load);

#endif
