/* csv-field-priv.h - write a field of CSV, with quotes if it needs them (RFC 4180).
 *
 * Only the end of a field shows whether it needs quotes, so the field is buffered in a separate
 * sink. A field that exceeds the buffer is always quoted.
 */
#ifndef LTT_PRINT_CSV_FIELD_PRIV_H
#define LTT_PRINT_CSV_FIELD_PRIV_H

#ifndef LTT_BUILDING
#error "print/csv-field-priv.h is private to libltt"
#endif

#include "base/sink-priv.h"

#define LTT_CSV_FIELD_BYTES 8192

typedef struct LttCsvField {
	char buffer[LTT_CSV_FIELD_BYTES];
	LttSink inside; /* write the field here, without quotes */
	LttSink *out;
	gboolean is_open; /* its first quote has been written */
} LttCsvField;

/* Between these two calls nothing else may be written to @out. */
void ltt_csv_field_init(LttCsvField *field, LttSink *out);
void ltt_csv_field_end(LttCsvField *field);

/* Writes a string as one field. Replaces invalid UTF-8. */
void ltt_csv_add_string(LttSink *out, const char *bytes, gsize length);

/* Appends a short text as one field. */
void ltt_csv_append(GString *text, const char *field);

#endif
