/* ipc-schema.c - write the metadata of a schema (Schema.fbs of the Arrow project). */
#include "formats/arrow/file/ipc-priv.h"

#include "base/bytes-priv.h"

#include <stdlib.h>

/* Members of the union Type in Schema.fbs. */
typedef enum TypeId {
	TYPE_INT = 2,
	TYPE_FLOATING_POINT = 3,
	TYPE_BINARY = 4,
	TYPE_UTF8 = 5,
	TYPE_TIMESTAMP = 10,
	TYPE_LIST = 12,
	TYPE_STRUCT = 13,
	TYPE_FIXED_SIZE_BINARY = 15,
	TYPE_FIXED_SIZE_LIST = 16,
} TypeId;

#define UNIT_NANOSECOND 3

/* Fields of the table Field in Schema.fbs. */
enum {
	FIELD_NAME,
	FIELD_NULLABLE,
	FIELD_TYPE_ID,
	FIELD_TYPE,
	FIELD_DICTIONARY,
	FIELD_CHILDREN,
	N_FIELD_FIELDS
};

guint ltt_ipc_get_width(const char *format)
{
	switch (format[0]) {
	case 'c':
	case 'C':
		return 1;
	case 's':
	case 'S':
		return 2;
	case 'i':
	case 'I':
	case 'f':
		return 4;
	case 'w':
		return (guint)strtoul(format + 2, NULL, 10);
	default: /* l, L, g, tsn: */
		return 8;
	}
}

static guint32 add_int(GByteArray *buffer, guint width_bytes, gboolean is_signed)
{
	LttFlatField fields[] = {LTT_FLAT_I32(8 * width_bytes), LTT_FLAT_U8(is_signed)};

	return ltt_flat_add_table(buffer, fields, G_N_ELEMENTS(fields));
}

static guint32 add_number(GByteArray *buffer, guint8 size_bytes, guint64 value)
{
	LttFlatField fields[] = {{.size_bytes = size_bytes, .value = value}};

	return ltt_flat_add_table(buffer, fields, G_N_ELEMENTS(fields));
}

static TypeId get_type_id(const char *format)
{
	switch (format[0]) {
	case 'u':
		return TYPE_UTF8;
	case 'z':
		return TYPE_BINARY;
	case 'w':
		return TYPE_FIXED_SIZE_BINARY;
	case 't':
		return TYPE_TIMESTAMP;
	case 'f':
	case 'g':
		return TYPE_FLOATING_POINT;
	case '+':
		return format[1] == 's'   ? TYPE_STRUCT
		       : format[1] == 'l' ? TYPE_LIST
					  : TYPE_FIXED_SIZE_LIST;
	default:
		return TYPE_INT;
	}
}

static guint32 add_type(GByteArray *buffer, const char *format)
{
	switch (get_type_id(format)) {
	case TYPE_INT:
		return add_int(buffer, ltt_ipc_get_width(format), g_ascii_islower(format[0]) != 0);
	case TYPE_FLOATING_POINT:
		return add_number(buffer, 2, format[0] == 'f' ? 1 : 2);
	case TYPE_TIMESTAMP:
		return add_number(buffer, 2, UNIT_NANOSECOND);
	case TYPE_FIXED_SIZE_BINARY:
		return add_number(buffer, 4, strtoul(format + 2, NULL, 10));
	case TYPE_FIXED_SIZE_LIST:
		return add_number(buffer, 4, strtoul(format + 3, NULL, 10));
	default:
		return ltt_flat_add_table(buffer, NULL, 0);
	}
}

static guint32 add_encoding(GByteArray *buffer, const char *index_format, gint64 id)
{
	LttFlatField fields[] = {LTT_FLAT_I64(id), LTT_FLAT_OFFSET};
	const guint32 table = ltt_flat_add_table(buffer, fields, G_N_ELEMENTS(fields));

	ltt_flat_point(buffer, fields[1].at,
		       add_int(buffer, ltt_ipc_get_width(index_format),
			       g_ascii_islower(index_format[0]) != 0));
	return table;
}

static guint32 add_fields(GByteArray *buffer, const struct ArrowSchema *parent, gint64 *next_id);

/* @next_id: id of the next dictionary. Dictionaries have ids in the order of the columns. */
static guint32 add_field(GByteArray *buffer, const struct ArrowSchema *schema, gint64 *next_id)
{
	/* If a field has a dictionary, the type of the field is the type of the dictionary. */
	const char *format =
		schema->dictionary != NULL ? schema->dictionary->format : schema->format;
	LttFlatField fields[N_FIELD_FIELDS] = {
		[FIELD_NAME] = LTT_FLAT_OFFSET,
		[FIELD_NULLABLE] = LTT_FLAT_U8((schema->flags & ARROW_FLAG_NULLABLE) != 0),
		[FIELD_TYPE_ID] = LTT_FLAT_U8(get_type_id(format)),
		[FIELD_TYPE] = LTT_FLAT_OFFSET,
		[FIELD_CHILDREN] = LTT_FLAT_OFFSET,
	};
	guint32 table;

	if (schema->dictionary != NULL)
		fields[FIELD_DICTIONARY] = (LttFlatField)LTT_FLAT_OFFSET;
	table = ltt_flat_add_table(buffer, fields, N_FIELD_FIELDS);
	ltt_flat_point(buffer, fields[FIELD_NAME].at, ltt_flat_add_string(buffer, schema->name));
	ltt_flat_point(buffer, fields[FIELD_TYPE].at, add_type(buffer, format));
	if (schema->dictionary != NULL)
		ltt_flat_point(buffer, fields[FIELD_DICTIONARY].at,
			       add_encoding(buffer, schema->format, (*next_id)++));
	ltt_flat_point(buffer, fields[FIELD_CHILDREN].at, add_fields(buffer, schema, next_id));
	return table;
}

static guint32 add_fields(GByteArray *buffer, const struct ArrowSchema *parent, gint64 *next_id)
{
	const guint n = (guint)parent->n_children;
	const guint32 vector = ltt_flat_add_vector(buffer, n, 4, 4);

	for (guint i = 0; i < n; i++)
		ltt_flat_point(buffer, vector + 4 * (i + 1),
			       add_field(buffer, parent->children[i], next_id));
	return vector;
}

guint32 ltt_ipc_add_schema(GByteArray *buffer, const struct ArrowSchema *schema)
{
	LttFlatField fields[] = {LTT_FLAT_I16(G_BYTE_ORDER == G_BIG_ENDIAN), LTT_FLAT_OFFSET};
	const guint32 table = ltt_flat_add_table(buffer, fields, G_N_ELEMENTS(fields));
	gint64 next_id = 0;

	ltt_flat_point(buffer, fields[1].at, add_fields(buffer, schema, &next_id));
	return table;
}
