/* eventdefs-read-priv.h - from elements to types. */
#ifndef LTT_EVENTDEFS_READ_PRIV_H
#define LTT_EVENTDEFS_READ_PRIV_H

#ifndef LTT_BUILDING
#error "eventdefs-read-priv.h is private to libltt; use <ltt/ltt-eventdefs.h>"
#endif

#include "xml/grammar-priv.h"

/* Reading of a file under way. */
typedef struct LttDefsReader {
	LttRemarks *remarks;
	guint n_words;   /* labels so far */
	guint n_unnamed; /* things without a name so far */
} LttDefsReader;

/* All of these go on after a mistake, with something in its place that brings no further ones. */

/* Returns: (transfer full): the attribute "name" */
char *ltt_read_name(LttDefsReader *reader, const xmlNode *element);

/* Returns: (transfer full) (nullable): the text of the description inside; NULL: none */
char *ltt_read_description(const xmlNode *element);

/* Returns: where text shows what the element is about */
LttShow ltt_read_show(const xmlNode *element);

/* Returns: (transfer full) (nullable): the only type inside; NULL after an error, or if there is
 *   none and @is_needed is FALSE */
LttType *ltt_read_inner_type(LttDefsReader *reader, const xmlNode *element, gboolean is_needed);

/* An enum's labels, words or elements. */
void ltt_read_labels(LttDefsReader *reader, const xmlNode *element, LttType *type);

#endif
