/* field-priv.h - describes the bytes of a record as a list of fields, and packs them.
 *
 * Records say in many ways how many of something there are: by a count in front, further in front,
 * by the end of the record, by zeros. Packed, each field tells its length itself and nothing is
 * aligned:
 *
 *	a number            its bytes, in the order of the recording
 *	a text              its bytes and a NUL
 *	some of a thing     a count, then so many
 *	one of several      a code, then that one
 *
 * Many fields look the same either way. Packing is one idea of the record, unpacking gives its
 * bytes again as the writer of the recording would have made them; where it had left something else
 * between the fields, the result differs, and the caller keeps the bytes.
 */
#ifndef LTT_FORMATS_PERF_FILE_FIELD_PRIV_H
#define LTT_FORMATS_PERF_FILE_FIELD_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/field-priv.h is private to libltt"
#endif

#include <ltt/ltt-arch.h>

/* Kind: in the record -> packed, if that differs. */
typedef enum LttPerfKind {
	LTT_PERF_UINT,     /* number of width bytes */
	LTT_PERF_HEX,      /* the same, better read in hexadecimal */
	LTT_PERF_INT,      /* the same with a sign */
	LTT_PERF_FLOAT,    /* of width bytes */
	LTT_PERF_LABEL,    /* number of width bytes, of which many have a name: labels */
	LTT_PERF_ARRAY,    /* n of the member */
	LTT_PERF_TEXT,     /* n bytes: text and zeros -> text */
	LTT_PERF_NAME,     /* text and zeros, so that the record is a multiple of 8 -> text */
	LTT_PERF_STRING,   /* u32 n; n bytes, text and zeros -> text. Only packed, never back */
	LTT_PERF_STRUCT,   /* its members */
	LTT_PERF_SEQUENCE, /* count of width bytes, so many of the members */
	LTT_PERF_TAIL,     /* the members, so often as there is room -> u32 count, these */
	LTT_PERF_TIMES,    /* the members, as often as the caller says -> u32 count, these */
	LTT_PERF_UNION,    /* code of width bytes, that member */
	LTT_PERF_BEHIND,   /* u64 count, n members, so many of the others -> n members, count... */
	LTT_PERF_AGAIN,    /* so many of the member as the last count said -> u64 count, these */
	LTT_PERF_STACK,    /* u64 size, bytes, u64 if size -> size, bytes, u64 */
	LTT_PERF_BITS,     /* u64 count of bits, u64 words of them -> bits, u64 count, words */
	LTT_PERF_PARTS,    /* u64, in which bits are the members -> each of them */
	LTT_PERF_PAD,      /* zeros, so that the record is a multiple of 8 -> nothing */
	LTT_PERF_TRACE,    /* u32 size, bytes, in which members have places -> the members */
	/* member of a PARTS, of n bits from place on, as UINT, HEX and LABEL may be too */
	LTT_PERF_SET, /* bits with labels -> u8 count, the numbers of those that are set, u8 each */
	/* members of a TRACE; u32: length << 16, and where, counted from n on */
	LTT_PERF_LOC_TEXT,  /* a text is -> text */
	LTT_PERF_LOC_ITEMS, /* members are -> u32 count, these */
	LTT_PERF_LOC_TEXTS, /* n such words, each counted from 0, and where they say a text -> n
			       texts */
} LttPerfKind;

typedef struct LttPerfField LttPerfField;
struct LttPerfField {
	const char *name;
	LttPerfKind kind;
	guint8 width;         /* bytes: 1, 2, 4 or 8 */
	gboolean is_first;    /* text shows it before the others */
	gboolean is_hidden;   /* text shows it only when asked to */
	gboolean is_optional; /* the record may end here: packed as if there were none of it */
	guint32 n;            /* see the kinds */
	guint32 place;        /* in a TRACE, or of a PARTS' lowest bit */
	guint n_members;
	const LttPerfField *members;
	guint n_labels;
	const char *const *labels; /* of 0, 1 ...; identifiers */
};

/* Maximum size of a packed record. */
#define LTT_PERF_MAX_PACKED_BYTES (192 * 1024)

/* Further parameters of packing. */
typedef struct LttPerfContext {
	LttByteOrder order;
	guint32 n_times;  /* for TIMES */
	gsize size_bytes; /* of the record's parts that are not in the body: for NAME and PAD */
} LttPerfContext;

/* Why a body could not be packed. */
typedef struct LttPerfFault {
	gsize byte; /* of the body */
	const char *field;
	const char *why; /* static */
} LttPerfFault;

/**
 * ltt_perf_pack:
 * @body: a record's bytes between header and sample_id
 * @out: receives the packed bytes at its end
 *
 * @taken_bytes: (out): of @body; what is behind the last field is left alone
 *
 * Returns: FALSE, with @fault set and @out as it was, if the body is not of these fields
 */
gboolean ltt_perf_pack(const LttPerfField *fields, guint n_fields, const LttPerfContext *context,
		       const guint8 *body, gsize body_bytes, GByteArray *out, gsize *taken_bytes,
		       LttPerfFault *fault);

/**
 * ltt_perf_unpack:
 * @packed: what ltt_perf_pack() gave, maybe with more behind it
 * @out: the body is appended
 * @taken_bytes: (out): of @packed
 *
 * Returns: FALSE if @packed is not of these fields
 */
gboolean ltt_perf_unpack(const LttPerfField *fields, guint n_fields, const LttPerfContext *context,
			 const guint8 *packed, gsize packed_bytes, GByteArray *out,
			 gsize *taken_bytes);

/* Returns: the bytes of a field that is always of one size and the same packed; 0: it varies */
gsize ltt_perf_field_get_size(const LttPerfField *field);

/* Returns: the bytes of all of them, one behind the other; 0 if one of them varies */
gsize ltt_perf_fields_get_size(const LttPerfField *fields, guint n_fields);

/* Returns: the bytes that a member of a TRACE has at its place */
gsize ltt_perf_field_get_placed_size(const LttPerfField *field);

/* Sees to it that so many bytes more can be written behind those of @out without asking again. */
void ltt_perf_make_room(GByteArray *out, guint n_bytes);

#endif
