/* ltt-eventdefs.h - event descriptions and system.xml, from XML and to XML (doc/format.md, 8 and
 * 9).
 *
 * Reading takes the strict form and everything that was really used: unquoted attributes, upper
 * case, several facilities in a file, no root (doc/format.md, 8.2). Writing gives the strict form.
 */
#ifndef LTT_EVENTDEFS_H
#define LTT_EVENTDEFS_H

#include <ltt/ltt-facility.h>
#include <ltt/ltt-system.h>

G_BEGIN_DECLS

/* Ceilings; a file beyond one is an error (doc/format.md, 12). */
#define LTT_MAX_XML_BYTES      (16 * 1024 * 1024)
#define LTT_MAX_XML_DEPTH      256          /* elements inside each other */
#define LTT_MAX_XML_PARTS      (512 * 1024) /* elements, attributes and enum words in all */
#define LTT_MAX_XML_ATTRIBUTES 128          /* of one element */
#define LTT_MAX_NAME_BYTES     255 /* of a facility, type, event, field, label, attribute */

/* Of more remarks on one file only the number is told. */
#define LTT_MAX_REMARKS 1000

/* Something to say about a line of a description. */
typedef struct LttRemark {
	guint line;        /* from 1; 0: the file as a whole */
	gboolean is_error; /* else a warning */
	char *message;
} LttRemark;

void ltt_remark_free(LttRemark *remark); /* NULL is allowed and ignored */

/**
 * ltt_eventdefs_parse:
 * @text: (array length=length): the file's bytes, UTF-8 or else taken as ISO-8859-1
 * @remarks: (element-type LttRemark): gets what is to be said, in order of lines; make it with
 *   g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free)
 *
 * Reads all facilities of a text. All mistakes of a file are told in one go; after one that leaves
 * the XML itself unreadable nothing more can be found.
 *
 * Returns: (transfer full) (element-type LttFacility): the facilities without mistakes, sealed, in
 * order; frees its elements. One whose only mistakes are formats is there too, without these: they
 * say nothing about bytes. Look at @remarks for whether there were errors.
 */
GPtrArray *ltt_eventdefs_parse(const char *text, gsize length, GPtrArray *remarks);

/**
 * ltt_eventdefs_read:
 * @path: a file
 * Returns: (transfer full) (nullable): as ltt_eventdefs_parse(); NULL with LTT_ERROR_IO if the file
 * could not be read, LTT_ERROR_LIMIT if it is larger than LTT_MAX_XML_BYTES
 */
GPtrArray *ltt_eventdefs_read(const char *path, GPtrArray *remarks, GError **error);

/**
 * ltt_eventdefs_print:
 * Returns: (transfer full): @facility as an XML document of the strict form, which reads back to
 *   the same facility: checksum, descriptions and formats. White space in a description counts as
 * in prose, any run of it for one blank; what XML has no character for becomes U+FFFD
 */
char *ltt_eventdefs_print(const LttFacility *facility);

/**
 * ltt_eventdefs_get_shipped:
 * @name: "builtin", "core", "interrupts", "processes", "tracer" or another under eventdefs/
 *
 * The descriptions that come with the library, compiled in.
 *
 * Returns: (transfer none) (nullable): the facility, the same each time; NULL: no such one
 */
const LttFacility *ltt_eventdefs_get_shipped(const char *name);

/**
 * ltt_system_parse:
 * Reads a system.xml, with the same leniency as event descriptions. The text is taken without
 * white space at its ends.
 *
 * Returns: (transfer full) (nullable): a sealed system; NULL with an LTT_ERROR_DESCRIPTION or
 *   LTT_ERROR_UNSUPPORTED whose message begins with the line
 */
LttSystem *ltt_system_parse(const char *text, gsize length, GError **error);

/* As ltt_system_parse(), of a file, whose path begins each message; also LTT_ERROR_IO, and
 * LTT_ERROR_LIMIT if it is larger than LTT_MAX_XML_BYTES. */
LttSystem *ltt_system_read(const char *path, GError **error);

/* Returns: (transfer full): a system.xml of the strict form */
char *ltt_system_print(const LttSystem *system);

G_END_DECLS

#endif /* LTT_EVENTDEFS_H */
