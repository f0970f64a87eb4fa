/* flatbuffer-priv.h - write FlatBuffers, in which Arrow has its metadata.
 *
 * Written from front to back: a table before what it points to. An offset is stored once its
 * target is there.
 *
 *	table     | to vtable | field | field | ...    each aligned to its size
 *	vtable    | its size | size of the table | where each field lies, 0: absent |
 *	string    | length | bytes | NUL
 *	vector    | length | elements |
 */
#ifndef LTT_FORMATS_ARROW_FILE_FLATBUFFER_PRIV_H
#define LTT_FORMATS_ARROW_FILE_FLATBUFFER_PRIV_H

#ifndef LTT_BUILDING
#error "formats/arrow/file/flatbuffer-priv.h is private to libltt"
#endif

#include <glib.h>

/* A field of a table that is to be written. */
typedef struct LttFlatField {
	guint64 value;     /* of an offset: 0, until ltt_flat_point() */
	guint32 at;        /* (out): where it lies in the buffer */
	guint8 size_bytes; /* 1, 2, 4 or 8; 0: the field is absent */
} LttFlatField;

#define LTT_FLAT_U8(number)                                                                        \
	{                                                                                          \
		(number), 0, 1                                                                     \
	}
#define LTT_FLAT_I16(number)                                                                       \
	{                                                                                          \
		(guint16)(number), 0, 2                                                            \
	}
#define LTT_FLAT_I32(number)                                                                       \
	{                                                                                          \
		(guint32)(number), 0, 4                                                            \
	}
#define LTT_FLAT_I64(number)                                                                       \
	{                                                                                          \
		(guint64)(number), 0, 8                                                            \
	}
#define LTT_FLAT_OFFSET                                                                            \
	{                                                                                          \
		0, 0, 4                                                                            \
	}

/* Returns: an empty buffer, in which the first table is the root. Free
 * it with g_byte_array_unref() */
GByteArray *ltt_flat_new(void);

/* Writes a table. Returns: where it lies */
guint32 ltt_flat_add_table(GByteArray *buffer, LttFlatField *fields, guint n_fields);

/* Returns: where the string, or the vector of elements that are 0, lies. @align_bytes:
 * of an element */
guint32 ltt_flat_add_string(GByteArray *buffer, const char *text);
guint32 ltt_flat_add_vector(GByteArray *buffer, guint n_elements, guint element_bytes,
			    guint align_bytes);

/* Sets the field at @at to the offset of @target, which lies behind it. */
void ltt_flat_point(GByteArray *buffer, guint32 at, guint32 target);

/* Sets the element of 8 bytes at @at. */
void ltt_flat_set_i64(GByteArray *buffer, guint32 at, gint64 value);

#endif
