/* conversions.h - print how the times of a merged trace were converted (ltt-conversions.h). */
#ifndef CONVERSIONS_H
#define CONVERSIONS_H

#include "json.h"

#include <ltt/ltt-conversions.h>

/* Prints an empty line and a table; nothing if no times were converted. */
void conversions_print_text(const LttTrace *trace);

/* Writes the member "conversions". */
void conversions_print_json(Json *json, const LttTrace *trace);

#endif
