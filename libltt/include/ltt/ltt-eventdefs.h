/* ltt-eventdefs.h - parse and print event descriptions and system.xml (doc/format.md, 8 and 9).
 *
 * The parser accepts the strict form and all variants found in real files: unquoted attributes,
 * upper case, several facilities in a file, no root (doc/format.md, 8.2). The printer writes the
 * strict form.
 */
#ifndef LTT_EVENTDEFS_H
#define LTT_EVENTDEFS_H

#include <ltt/ltt-facility.h>
#include <ltt/ltt-system.h>

G_BEGIN_DECLS

/* Limits; a file that exceeds one is an error (doc/format.md, 12). */
#define LTT_MAX_XML_BYTES      (16 * 1024 * 1024)
#define LTT_MAX_XML_DEPTH      256          /* nested elements */
#define LTT_MAX_XML_PARTS      (512 * 1024) /* elements, attributes and enum words in total */
#define LTT_MAX_XML_ATTRIBUTES 128          /* of one element */
#define LTT_MAX_NAME_BYTES     255 /* of a facility, type, event, field, label, attribute */

/* Beyond this, the remarks on one file are only counted. */
#define LTT_MAX_REMARKS 1000

/* An error or a warning about a line of a description. */
typedef struct LttRemark {
	guint line;        /* from 1; 0: the file as a whole */
	gboolean is_error; /* FALSE: a warning */
	char *message;
} LttRemark;

void ltt_remark_free(LttRemark *remark); /* NULL is allowed and ignored */

/**
 * ltt_eventdefs_parse:
 * @text: (array length=length): the bytes of the file; taken as ISO-8859-1 if not valid UTF-8
 * @remarks: (element-type LttRemark): receives errors and warnings, in order of lines; create it
 *   with g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free)
 *
 * Parses all facilities of a text. Reports all mistakes of a file at once, unless one makes the XML
 * itself unreadable: parsing ends there.
 *
 * Returns: (transfer full) (element-type LttFacility): the facilities without mistakes, sealed, in
 *   order; frees its elements. A facility whose only mistakes are printf formats is included
 *   without those formats, because they do not affect the layout. Check @remarks for errors.
 */
GPtrArray *ltt_eventdefs_parse(const char *text, gsize length, GPtrArray *remarks);

/**
 * ltt_eventdefs_read:
 * @path: a file
 *
 * Returns: (transfer full) (nullable): as ltt_eventdefs_parse(); NULL with LTT_ERROR_IO if the file
 *   could not be read, LTT_ERROR_LIMIT if it is larger than LTT_MAX_XML_BYTES
 */
GPtrArray *ltt_eventdefs_read(const char *path, GPtrArray *remarks, GError **error);

/**
 * ltt_eventdefs_print:
 *
 * Returns: (transfer full): @facility as an XML document in the strict form. Parsing it gives the
 *   same facility: checksum, descriptions and formats. Any run of white space in a description
 *   becomes one blank; characters that XML cannot express become U+FFFD
 */
char *ltt_eventdefs_print(const LttFacility *facility);

/**
 * ltt_eventdefs_get_shipped:
 * @name: "builtin", "core", "interrupts", "processes", "tracer" or another under eventdefs/
 *
 * Finds a description that is compiled into the library.
 *
 * Returns: (transfer none) (nullable): the facility, the same object each time; NULL: unknown name
 */
const LttFacility *ltt_eventdefs_get_shipped(const char *name);

/**
 * ltt_system_parse:
 *
 * Parses a system.xml, as leniently as event descriptions. Leading and trailing white space of the
 * text inside the element is removed.
 *
 * Returns: (transfer full) (nullable): a sealed system; NULL with LTT_ERROR_DESCRIPTION or
 *   LTT_ERROR_UNSUPPORTED and a message that begins with the line
 */
LttSystem *ltt_system_parse(const char *text, gsize length, GError **error);

/* Reads a file as ltt_system_parse() does. Messages begin with its path. Further errors:
 * LTT_ERROR_IO, and LTT_ERROR_LIMIT if the file is larger than LTT_MAX_XML_BYTES. */
LttSystem *ltt_system_read(const char *path, GError **error);

/* Returns: (transfer full): a system.xml in the strict form */
char *ltt_system_print(const LttSystem *system);

G_END_DECLS

#endif /* LTT_EVENTDEFS_H */
