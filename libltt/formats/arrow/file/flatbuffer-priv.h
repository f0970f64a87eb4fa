/* flatbuffer-priv.h - write FlatBuffers, the encoding of Arrow's metadata.
 *
 * The buffer is written from front to back, and a table precedes the objects that it refers to. The
 * offset of an object is stored when the object is written.
 *
 *	table     | offset of vtable | field | field | ...    each field is aligned to its size
 *	vtable    | size of vtable | size of table | offset of each field, 0: absent |
 *	string    | length | bytes | NUL
 *	vector    | length | elements |
 */
#ifndef LTT_FORMATS_ARROW_FILE_FLATBUFFER_PRIV_H
#define LTT_FORMATS_ARROW_FILE_FLATBUFFER_PRIV_H

#ifndef LTT_BUILDING
#error "formats/arrow/file/flatbuffer-priv.h is private to libltt"
#endif

#include <glib.h>

/* A field of a new table. */
typedef struct LttFlatField {
	guint64 value;     /* 0 if the field is an offset; ltt_flat_point() sets it */
	guint32 at;        /* (out): its position in the buffer */
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

/* Returns: (transfer full): an empty buffer, whose first table becomes the root */
GByteArray *ltt_flat_new(void);

/* Writes a table. Returns: its position in the buffer */
guint32 ltt_flat_add_table(GByteArray *buffer, LttFlatField *fields, guint n_fields);

/* Write a string, or a vector whose elements are 0. @align_bytes: alignment of an element.
 * Return: the position in the buffer */
guint32 ltt_flat_add_string(GByteArray *buffer, const char *text);
guint32 ltt_flat_add_vector(GByteArray *buffer, guint n_elements, guint element_bytes,
			    guint align_bytes);

/* Makes the offset at position @at refer to position @target, which must be after @at. */
void ltt_flat_point(GByteArray *buffer, guint32 at, guint32 target);

/* Stores an element of 8 bytes at position @at. */
void ltt_flat_set_i64(GByteArray *buffer, guint32 at, gint64 value);

#endif
