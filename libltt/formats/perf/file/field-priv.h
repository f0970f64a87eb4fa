/* field-priv.h - describe a record as a list of fields, pack these fields, and unpack them.
 *
 * In a record, the length of a field can depend on a preceding count, on an earlier field, on the
 * size of the record, or on padding. In packed form, each field determines its own length and
 * nothing is aligned:
 *
 *	number              its bytes, in the byte order of the recording
 *	text                its bytes and a NUL
 *	array or sequence   a count, then the elements
 *	union               a code, then the selected member
 *
 * This is the layout of payloads in a trace. The types of an event in the trace (<ltt/ltt-type.h>) are
 * made from these fields (formats/perf/types.c). They cannot replace the fields, because they describe
 * the packed form only, and the record has what no type can express:
 *
 *   - which fields exist: sample_type, read_format and branch_sample_type of a recording decide, and
 *     the formats of its tracepoints, so no shipped description and no generated code has them;
 *   - lengths that are elsewhere: the end of the record (TAIL, NAME, PAD), an earlier count (BEHIND,
 *     AGAIN), the recording (TIMES), a size after the data (STACK);
 *   - data at another place than its field (LOC_TEXT, LOC_ITEMS), and fields that are bits of one
 *     number (PARTS, SET).
 *
 * Many fields have the same bytes in a record and in
 * packed form. Unpacking generates the bytes that the recorder usually writes. If the record has
 * other bytes, for example in its padding, the result differs, and the caller must also keep the
 * original bytes.
 */
#ifndef LTT_FORMATS_PERF_FILE_FIELD_PRIV_H
#define LTT_FORMATS_PERF_FILE_FIELD_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/field-priv.h is private to libltt"
#endif

#include <ltt/ltt-arch.h>

/* Kinds of fields: "form in the record -> packed form", or one form if both are equal. */
typedef enum LttPerfKind {
	LTT_PERF_UINT,     /* unsigned number of width bytes */
	LTT_PERF_HEX,      /* like UINT, shown in hexadecimal */
	LTT_PERF_INT,      /* signed number of width bytes */
	LTT_PERF_FLOAT,    /* floating point number of width bytes */
	LTT_PERF_LABEL,    /* number of width bytes whose values have labels */
	LTT_PERF_ARRAY,    /* n items; the members are one item */
	LTT_PERF_TEXT,     /* n bytes: text, zeros -> text */
	LTT_PERF_NAME,     /* text, zeros up to a record size that is a multiple of 8 -> text */
	LTT_PERF_STRING,   /* u32 n, n bytes: text, zeros -> text. Cannot be unpacked */
	LTT_PERF_STRUCT,   /* the members */
	LTT_PERF_SEQUENCE, /* count of width bytes, count items */
	LTT_PERF_TAIL,     /* items up to the end of the record -> u32 count, items */
	LTT_PERF_TIMES,    /* LttPerfContext.n_times items -> u32 count, items */
	LTT_PERF_UNION,    /* code of width bytes, the member with this number */
	LTT_PERF_BEHIND,   /* u64 count, n members, items of the other members -> n members, u64
			      count, items */
	LTT_PERF_AGAIN,    /* as many items as the previous count -> u64 count, items */
	LTT_PERF_STACK,    /* u64 size, bytes, u64 unless size is 0 -> u64 size, bytes, u64 */
	LTT_PERF_BITS,     /* u64 number of bits, words -> u64 number of bits, u64 count, words */
	LTT_PERF_PARTS,    /* u64 whose bits are the members -> the members */
	LTT_PERF_PAD,      /* zeros up to a record size that is a multiple of 8 -> nothing */
	LTT_PERF_TRACE,    /* u32 size, bytes that contain the members at their places -> members */
	/* Member of a PARTS: n bits from bit `place` on. UINT, HEX and LABEL are possible, too. */
	LTT_PERF_SET, /* bits with labels -> u8 count, u8 numbers of the set bits */
	/* Members of a TRACE. A u32, length << 16 | offset, locates the data; n is added to the
	 * offset. */
	LTT_PERF_LOC_TEXT,  /* located text -> text */
	LTT_PERF_LOC_ITEMS, /* located items -> u32 count, items */
	LTT_PERF_LOC_TEXTS, /* n such words -> n texts; nothing is added to their offsets */
} LttPerfKind;

typedef struct LttPerfField LttPerfField;
struct LttPerfField {
	const char *name;
	LttPerfKind kind;
	guint8 width;         /* bytes: 1, 2, 4 or 8 */
	gboolean is_first;    /* text output shows it before the other fields */
	gboolean is_hidden;   /* text output shows it only on request */
	gboolean is_optional; /* the record may end before it; it is then packed as empty */
	guint32 n;            /* see LttPerfKind */
	guint32 place;        /* byte offset in a TRACE; number of the lowest bit in a PARTS */
	guint n_members;
	const LttPerfField *members;
	guint n_labels;
	const char *const *labels; /* of the values 0, 1 ...; identifiers */
};

/* Maximum size of a packed record. */
#define LTT_PERF_MAX_PACKED_BYTES (192 * 1024)

/* Further arguments of packing and unpacking. */
typedef struct LttPerfContext {
	LttByteOrder order;
	guint32 n_times;  /* for TIMES */
	gsize size_bytes; /* size of the record without the body, for NAME and PAD */
} LttPerfContext;

/* Reason why a body could not be packed. */
typedef struct LttPerfFault {
	gsize byte; /* offset in the body */
	const char *field;
	const char *why; /* static string */
} LttPerfFault;

/**
 * ltt_perf_pack:
 * @body: the bytes of a record between its header and its sample_id
 * @out: the packed bytes are appended to it
 * @taken_bytes: (out): number of bytes of @body that the fields take; further bytes are ignored
 *
 * Returns: FALSE, with @fault set and @out unchanged, if the body does not match the fields
 */
gboolean ltt_perf_pack(const LttPerfField *fields, guint n_fields, const LttPerfContext *context,
		       const guint8 *body, gsize body_bytes, GByteArray *out, gsize *taken_bytes,
		       LttPerfFault *fault);

/**
 * ltt_perf_unpack:
 * @packed: output of ltt_perf_pack(), possibly followed by other bytes
 * @out: the body is appended to it
 * @taken_bytes: (out): number of bytes of @packed that the fields take
 *
 * Returns: FALSE if @packed does not match the fields
 */
gboolean ltt_perf_unpack(const LttPerfField *fields, guint n_fields, const LttPerfContext *context,
			 const guint8 *packed, gsize packed_bytes, GByteArray *out,
			 gsize *taken_bytes);

/* Returns: the size in bytes of a field with a fixed size and the same bytes in packed form; 0 for
 * other fields */
gsize ltt_perf_field_get_size(const LttPerfField *field);

/* Returns: the sum of these sizes; 0 if one of them is 0 */
gsize ltt_perf_fields_get_size(const LttPerfField *fields, guint n_fields);

/* Returns: the size in bytes of a member of a TRACE at its place */
gsize ltt_perf_field_get_placed_size(const LttPerfField *field);

/* Reserves memory for @n_bytes after the used bytes of @out. */
void ltt_perf_make_room(GByteArray *out, guint n_bytes);

#endif
