/* csv-field-priv.h - one field of CSV, in quotes where it needs them (RFC 4180).
 *
 * Whether a field needs quotes is known only at its end, so it is gathered in a sink of its own
 * first. One that grows beyond that sink's buffer goes out in quotes, needed or not.
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
	gboolean is_open; /* its first quote is out */
} LttCsvField;

/* Between these two, nothing else may be written to @out. */
void ltt_csv_field_init(LttCsvField *field, LttSink *out);
void ltt_csv_field_end(LttCsvField *field);

/* A string of a trace as one field: what is not UTF-8 is replaced, nothing else is. */
void ltt_csv_add_string(LttSink *out, const char *bytes, gsize length);

/* A short text, appended as one field to a piece of a template. */
void ltt_csv_append(GString *text, const char *field);

#endif
