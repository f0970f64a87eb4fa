/* eventdefs-read-priv.h - build types from XML elements. */
#ifndef LTT_EVENTDEFS_READ_PRIV_H
#define LTT_EVENTDEFS_READ_PRIV_H

#ifndef LTT_BUILDING
#error "eventdefs-read-priv.h is private to libltt; use <ltt/ltt-eventdefs.h>"
#endif

#include "xml/grammar-priv.h"

/* State of parsing a file. */
typedef struct LttDefsReader {
	LttRemarks *remarks;
	guint n_words;   /* labels so far */
	guint n_unnamed; /* elements without the required name so far */
} LttDefsReader;

/* After a mistake, all of these continue with a placeholder that causes no further mistakes. */

/* Returns: (transfer full): the value of the attribute "name" */
char *ltt_read_name(LttDefsReader *reader, const xmlNode *element);

/* Returns: (transfer full) (nullable): the text of the description inside; NULL: none */
char *ltt_read_description(const xmlNode *element);

/* Returns: where text output shows the member, from the attribute "show" */
LttShow ltt_read_show(const xmlNode *element);

/* Returns: (transfer full) (nullable): the only type inside; NULL: there is none and @is_needed is
 *   FALSE */
LttType *ltt_read_inner_type(LttDefsReader *reader, const xmlNode *element, gboolean is_needed);

/* Reads the labels of an enum, which are words or elements. */
void ltt_read_labels(LttDefsReader *reader, const xmlNode *element, LttType *type);

#endif
