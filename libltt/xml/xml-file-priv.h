/* xml-file-priv.h - read a whole XML file. */
#ifndef LTT_XML_FILE_PRIV_H
#define LTT_XML_FILE_PRIV_H

#ifndef LTT_BUILDING
#error "xml-file-priv.h is private to libltt; use <ltt/ltt-eventdefs.h>"
#endif

#include <glib.h>

/* Returns: (transfer full) (nullable): the bytes of the file; NULL with LTT_ERROR_IO, or with
 *   LTT_ERROR_LIMIT if it is larger than LTT_MAX_XML_BYTES. Messages begin with @path */
GString *ltt_xml_file_read(const char *path, GError **error);

#endif
