/* shipped-priv.h - the files of eventdefs/, as the build compiles them in. */
#ifndef LTT_SHIPPED_PRIV_H
#define LTT_SHIPPED_PRIV_H

#ifndef LTT_BUILDING
#error "shipped-priv.h is private to libltt; use <ltt/ltt-eventdefs.h>"
#endif

#include <ltt/ltt-facility.h>

typedef struct LttShipped {
	const char
		*name; /* "core": the file is eventdefs/core.xml and describes the facility core */
	const char *text;
	gsize length;
} LttShipped;

/* Ends with an entry whose name is NULL. The build generates it, in shipped-data.c. */
extern const LttShipped ltt_shipped[];

/* Returns: the shipped facility whose description is exactly @text, so that a file of a trace need not
 * be parsed; NULL if there is none */
const LttFacility *ltt_shipped_find(const char *text, gsize length);

/* Returns: whether @facility is the shipped one called @name: it has the name and the checksum */
gboolean ltt_is_shipped(const LttFacility *facility, const char *name);

#endif
