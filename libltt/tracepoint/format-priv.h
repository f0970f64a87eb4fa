/* format-priv.h - the layout of a tracepoint's raw event, from its format file.
 *
 * The kernel describes each tracepoint in events/SYSTEM/NAME/format of tracefs:
 *
 *	name: sched_wakeup
 *	ID: 371
 *	format:
 *		field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 *		...
 *		field:char comm[16];	offset:8;	size:16;	signed:0;
 *
 *	print fmt: "comm=%s ...", REC->comm, ...
 */
#ifndef LTT_TRACEPOINT_FORMAT_PRIV_H
#define LTT_TRACEPOINT_FORMAT_PRIV_H

#ifndef LTT_BUILDING
#error "tracepoint/format-priv.h is private to libltt"
#endif

#include <glib.h>

/* A location is a number of 4 bytes: the length of the data in the upper 16 bits, its offset in the
 * lower ones. */
typedef enum LttTracepointKind {
	LTT_TRACEPOINT_NUMBER,    /* of width bytes */
	LTT_TRACEPOINT_TEXT,      /* char[count], terminated by NUL if it is shorter */
	LTT_TRACEPOINT_ARRAY,     /* count numbers of width bytes */
	LTT_TRACEPOINT_LOC_TEXT,  /* location of a string */
	LTT_TRACEPOINT_LOC_ARRAY, /* location of numbers of width bytes */
	LTT_TRACEPOINT_LOC_TEXTS, /* count locations of strings */
} LttTracepointKind;

typedef struct LttTracepointField {
	char *name; /* owned */
	LttTracepointKind kind;
	guint8 width;       /* 1, 2, 4 or 8 */
	gboolean is_signed; /* of the numbers */
	gboolean is_hex;    /* a pointer, or bytes without a known type */
	guint32 offset;     /* in the raw event */
	guint32 size;       /* there */
	guint32 count;
	guint32 base; /* what offsets of a location are relative to */
} LttTracepointField;

typedef struct LttTracepoint {
	char *name;
	guint64 id;
	GArray *fields; /* of LttTracepointField, in the order of the text */
	char *print;    /* text after "print fmt:"; NULL: none */
} LttTracepoint;

/**
 * ltt_tracepoint_parse:
 * @text: contents of a format file; need not end with NUL
 * @long_bytes: size of a long in the kernel that wrote it
 *
 * Ignores lines that describe no field, fields that extend beyond 64 KiB, and all fields after the
 * first 512.
 *
 * Returns: (transfer full) (nullable): NULL if the text has no name or no id
 */
LttTracepoint *ltt_tracepoint_parse(const char *text, gsize length, guint long_bytes);
void ltt_tracepoint_free(LttTracepoint *tracepoint); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTracepoint, ltt_tracepoint_free)

/* Returns: (transfer none) (nullable): the field of that name */
const LttTracepointField *ltt_tracepoint_find(const LttTracepoint *tracepoint, const char *name);

/* Returns: (transfer full): @name with all bytes replaced that a C identifier must not contain; at most
 *   200 bytes of it */
char *ltt_tracepoint_identifier(const char *name);

/* Returns: (transfer full): the name of the facility for the tracepoints of @system: its identifier,
 *   or IDENTIFIER_events if @reserved contains that. @reserved: NULL-terminated */
char *ltt_tracepoint_facility(const char *system, const char *const *reserved);

#endif
