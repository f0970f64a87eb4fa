/* support-xml.h - helpers for tests of descriptions. */
#ifndef SUPPORT_XML_H
#define SUPPORT_XML_H

#include <ltt/ltt-eventdefs.h>

/* Returns: (transfer full): for remarks; frees its elements */
GPtrArray *remarks_new(void);

/* Returns: (transfer full): "3: message\n4: warning: message\n" */
char *remarks_text(const GPtrArray *remarks);

/* Asserts that @xml is read with exactly the remarks @expected, as remarks_text() writes them.
 * Returns: (transfer full): the facilities */
GPtrArray *parse_expecting(const char *xml, const char *expected, const char *file, int line);
#define PARSE_EXPECTING(xml, expected) parse_expecting(xml, expected, __FILE__, __LINE__)

/* Asserts that @xml is one facility without remarks, whose canonical text is "facility f\n" and
 * @expected. */
void assert_events(const char *xml, const char *expected, const char *file, int line);
#define ASSERT_EVENTS(xml, expected) assert_events(xml, expected, __FILE__, __LINE__)

/* Returns: (transfer full): the errors of @xml by schemas/@name; "" if it is valid */
char *schema_errors(const char *name, const char *xml);

/* Return: (transfer full): the path of a file of the source tree; its text */
char *source_path(const char *path);
char *source_text(const char *path, gsize *length);

#endif
