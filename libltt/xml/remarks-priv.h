/* remarks-priv.h - what is to be said about an XML file, collected until it has been read. */
#ifndef LTT_REMARKS_PRIV_H
#define LTT_REMARKS_PRIV_H

#ifndef LTT_BUILDING
#error "remarks-priv.h is private to libltt; use <ltt/ltt-eventdefs.h>"
#endif

#include <ltt/ltt-eventdefs.h>

typedef struct LttRemarks {
	GPtrArray *told; /* of LttRemark, owned; at most LTT_MAX_REMARKS */
	guint n_errors;  /* the untold ones included */
	guint n_untold;
	gboolean has_untold_errors;
} LttRemarks;

void ltt_remarks_init(LttRemarks *remarks);
void ltt_remarks_clear(LttRemarks *remarks);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttRemarks, ltt_remarks_clear)

/* Text quoted from the file may be of any length and hold any character: a long message loses its
 * middle, control characters are escaped. The first returns FALSE, so that a caller can. */
gboolean ltt_remarks_error(LttRemarks *remarks, guint line, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
void ltt_remarks_warning(LttRemarks *remarks, guint line, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* Moves all remarks, sorted by line, to the end of @out. */
void ltt_remarks_deliver(LttRemarks *remarks, GPtrArray *out);

#endif
