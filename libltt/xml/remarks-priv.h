/* remarks-priv.h - collect errors and warnings about an XML file until it has been parsed. */
#ifndef LTT_REMARKS_PRIV_H
#define LTT_REMARKS_PRIV_H

#ifndef LTT_BUILDING
#error "remarks-priv.h is private to libltt; use <ltt/ltt-eventdefs.h>"
#endif

#include <ltt/ltt-eventdefs.h>

typedef struct LttRemarks {
	GPtrArray *told; /* of LttRemark, owned; at most LTT_MAX_REMARKS */
	guint n_errors;  /* including those beyond the limit */
	guint n_untold;
	gboolean has_untold_errors;
} LttRemarks;

void ltt_remarks_init(LttRemarks *remarks);
void ltt_remarks_clear(LttRemarks *remarks);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttRemarks, ltt_remarks_clear)

/* Add an error or a warning. Arguments quoted from the file may have any length and contents: the
 * middle of a long message is removed, control characters are escaped. The first returns FALSE, for
 * the caller to return. */
gboolean ltt_remarks_error(LttRemarks *remarks, guint line, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
void ltt_remarks_warning(LttRemarks *remarks, guint line, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* Moves all remarks, sorted by line, to the end of @out. */
void ltt_remarks_deliver(LttRemarks *remarks, GPtrArray *out);

#endif
