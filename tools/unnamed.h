/* unnamed.h - report addresses without the name of a function. */
#ifndef UNNAMED_H
#define UNNAMED_H

#include <ltt/ltt-symbols.h>

/* Prints a note of how many addresses have no name, and one for each file with the reason. @thing: what
 * has an address, such as "frame" */
void unnamed_report_all(LttSymbols *symbols, const char *thing);

/* Prints a note for each file of which this machine has another version only. */
void unnamed_report_other_versions(LttSymbols *symbols);

#endif
