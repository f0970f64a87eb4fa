/* support-trace.h - systems, bytes in hexadecimal and errors, for tests that make traces. */
#ifndef SUPPORT_TRACE_H
#define SUPPORT_TRACE_H

#include <ltt/ltt-system.h>

/* Returns: (transfer full): a sealed system with 4 CPUs */
LttSystem *unit_system_new(LttByteOrder order, LttArchSize size, guint64 block_bytes);

/* Returns: (transfer full): the bytes that @hex spells: "01 ff" two bytes, "00*24" 24 of them */
GByteArray *unit_bytes(const char *hex);

/* Returns: (transfer full) (nullable): the bytes of a file under a directory; NULL if it does not
 * exist */
GByteArray *unit_file_bytes(const char *directory, const char *name);

/* Fails the test, and prints the first different byte, unless both are equal. */
void unit_assert_bytes(const GByteArray *got, const char *hex, const char *file, int line);
#define UNIT_ASSERT_BYTES(got, hex) unit_assert_bytes(got, hex, __FILE__, __LINE__)

/* The same for a file under a directory. */
void unit_assert_file(const char *directory, const char *name, const char *hex, const char *file,
		      int line);
#define UNIT_ASSERT_FILE(directory, name, hex)                                                     \
	unit_assert_file(directory, name, hex, __FILE__, __LINE__)

/* Fails the test unless @error is an LTT_ERROR of @code whose message contains @part. */
void unit_assert_error(const GError *error, int code, const char *part, const char *file, int line);
#define UNIT_ASSERT_ERROR(error, code, part)                                                       \
	unit_assert_error(error, code, part, __FILE__, __LINE__)

#endif
