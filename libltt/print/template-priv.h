/* template-priv.h - the values of an event type as text with holes.
 *
 * Most of a line is the same for all events of a type: names, braces, commas. A template contains
 * this text and, between its pieces, holes for the values of the payload in their order. It is made
 * once for each type. Filling it copies text and formats a value for each hole, without names, types
 * or allocation.
 *
 *	layout of the type                struct {uint32 fd; string name;}
 *	    | ltt_template_new()
 *	    v
 *	template: text and holes          {"fd": [uint] ,"name":" [string] "}
 *	    | ltt_template_compile()
 *	    v
 *	program: ops                      [U32 {"fd":] [STRING ,"name":"] [END "}]
 *	    | ltt_template_fill(), with the payload of an event
 *	    v
 *	line                              {"fd":3,"name":"/etc/passwd"}
 *
 * A template does not refer to the layout from which it was made.
 */
#ifndef LTT_PRINT_TEMPLATE_PRIV_H
#define LTT_PRINT_TEMPLATE_PRIV_H

#ifndef LTT_BUILDING
#error "print/template-priv.h is private to libltt"
#endif

#include "base/escape-priv.h"

#include "print/addresses-priv.h"
#include "print/format-spec-priv.h"

#include <ltt/ltt-layout.h>

typedef struct LttTemplate LttTemplate;

typedef enum LttHoleKind {
	LTT_HOLE_UINT,
	LTT_HOLE_INT,
	LTT_HOLE_FLOAT,
	LTT_HOLE_STRING, /* escaped; quotes are in the text around it */
	LTT_HOLE_ENUM,   /* its label as prepared, or the number */
	LTT_HOLE_REPEAT, /* sub[0] for each element, which ends with the separator */
	LTT_HOLE_OCTETS, /* as REPEAT, with brackets; only the number of more than LTT_SHORT_BYTES */
	LTT_HOLE_CHOICE, /* one of sub by a union's code */
	LTT_HOLE_HEX,
	LTT_HOLE_FORMAT, /* number, string or enum in the printf format of its description */
	LTT_HOLE_CELL,   /* sub[0] as one cell of CSV */
	LTT_HOLE_CSV_STRING,
	LTT_HOLE_ADDRESS, /* in hexadecimal, with the name of its function */
	LTT_HOLE_SKIP,    /* nothing: skips a value */
} LttHoleKind;

/* A piece of text. LTT_PIECE_BYTES may be read, even if it is shorter. */
typedef struct LttPiece {
	char *bytes;
	gsize length;
} LttPiece;
#define LTT_PIECE_BYTES 32

/* The text of a number that has a label. */
typedef struct LttHoleLabel {
	guint64 value;
	LttPiece text;
} LttHoleLabel;

typedef struct LttHole {
	LttPiece lead; /* text before the value */
	LttHoleKind kind;
	LttTypeKind type;    /* FORMAT: kind of the value */
	guint8 width_bytes;  /* of a number, a sequence's length, a union's code; 0: an array */
	gboolean is_signed;  /* ENUM, FORMAT */
	gboolean quotes_nan; /* FLOAT: quote NaN and infinities */
	LttEscape escape;    /* STRING, FORMAT */
	guint8 n_digits;     /* HEX: minimum number of digits, with leading zeros */
	guint64 n_elements;  /* REPEAT of an array; SKIP without a sub: bytes */
	LttTemplate **sub;   /* REPEAT, CHOICE, CELL; SKIP of a size that varies; owned */
	guint n_sub;
	LttHoleLabel *labels; /* ENUM, FORMAT of one: by rising value; owned */
	guint n_labels;
	LttFormatSpec *format;        /* FORMAT; owned */
	LttPrintAddresses *addresses; /* ADDRESS; borrowed */
} LttHole;

/* What an op does after writing its text. */
typedef enum LttOpKind {
	LTT_OP_U8,
	LTT_OP_U16,
	LTT_OP_U32,
	LTT_OP_U64,
	LTT_OP_I8,
	LTT_OP_I16,
	LTT_OP_I32,
	LTT_OP_I64,
	LTT_OP_HEX,
	LTT_OP_LABEL, /* an enum with short labels only */
	LTT_OP_STRING,
	LTT_OP_TEXT,   /* nothing */
	LTT_OP_ROOM,   /* reserves room */
	LTT_OP_REPEAT, /* begins a loop over the elements of an array or a sequence */
	LTT_OP_AGAIN,  /* ends its body */
	LTT_OP_CHOICE, /* jumps to the member that a union's code selects */
	LTT_OP_OTHER,  /* writes a value by ltt_hole_fill() */
	LTT_OP_RUN,    /* writes a value by separate programs: OCTETS, CELL */
	LTT_OP_END,
	LTT_N_OP_KINDS,
} LttOpKind;

/* Maximum length of the text of an op: most names fit, and a vector register holds it. */
#define LTT_OP_TEXT_BYTES 16

/* Room that an op reserves for a string. */
#define LTT_OP_STRING_BYTES 64

/* An instruction: copies its text, then writes a value. */
typedef struct LttOp LttOp;
struct LttOp {
	char text[LTT_OP_TEXT_BYTES]; /* copied as a whole, counted as text_bytes */
	guint8 kind;                  /* LttOpKind */
	guint8 text_bytes;
	guint16 room;        /* to reserve after the op, where it does that */
	const LttHole *hole; /* NULL: none */
	const LttOp *next;   /* NULL: END */
	union {
		const LttOp *body;     /* REPEAT, AGAIN: first op of the loop */
		const LttOp **members; /* CHOICE: first ops by code; owned */
	};
};

/*
 * A template is compiled to one program. Loops and choices of any depth are jumps in it:
 *
 *	points=[{x=1 y=2} {x=3 y=4}] by={id=5}            JSON and CSV look alike
 *
 *	[REPEAT "points=["] --> [I32 "{x="] --> [I16 " y="] --> [AGAIN "} "]
 *	                         ^                                | |
 *	                         +-------- elements left ---------+ | at the end, minus the blank
 *	                +-------------------------------------------+
 *	                v                  +--> [U64 "id="] -----------------+
 *	           [CHOICE "] by={"] ------+                                 +--> [END "}"]
 *	                                   +--> [STRING "name=\""] [TEXT "\""] +
 *
 * Room in the sink is reserved for a run of ops at once: at the start, in each pass of a loop, for
 * the ops after the loop, too, and after a value of unlimited length.
 */
struct LttTemplate {
	LttHole *holes;
	guint n_holes;
	LttPiece tail;  /* text after the last hole */
	GPtrArray *ops; /* of LttOp; NULL: part of another template's program */
	const LttOp *start;
	guint room; /* to reserve before `start` */
};

/* How values are written. */
typedef struct LttStyle {
	const char *struct_open;
	const char *struct_close;
	const char *name_open; /* around the name of a member */
	const char *name_close;
	char between;
	LttEscape string_escape;
	LttEscape label_escape;
	const char *label_quote; /* around labels: a quote or nothing */
	gboolean quotes_nan;
	gboolean uses_formats; /* apply the printf formats of descriptions */
	gboolean is_short;     /* write the size of a long array of bytes, not its elements */
	gboolean names_errors; /* write the names of error numbers (doc/format.md, 8.7) */
	const char *machine;   /* (nullable): whose numbers they are */
	LttPrintAddresses
		*addresses; /* what names addresses in code; NULL: they are plain numbers */
	gboolean is_code;   /* numbers are such addresses */
} LttStyle;

/* Maximum size of an array of bytes that is not long. */
#define LTT_SHORT_BYTES 32

extern const LttStyle ltt_style_json;
extern const LttStyle ltt_style_text;
extern const LttStyle ltt_style_short; /* like text, with is_short */

/* Selects members of a payload that is a struct. @has returns whether to write a member; NULL: write
 * all. */
typedef struct LttChoice {
	gboolean (*has)(const LttMember *member, gconstpointer user_data);
	gconstpointer user_data;
} LttChoice;

static inline gboolean ltt_choice_has(const LttChoice *choice, const LttMember *member)
{
	return choice->has == NULL || choice->has(member, choice->user_data);
}

/**
 * ltt_template_new:
 * @layout: (nullable): of the payload; NULL: no payload
 * @style: how to write it
 * @bare: whether to omit the outermost braces of a struct or union
 * @choice: (nullable): the members to write; NULL: all
 *
 * Returns: (transfer full): free it with ltt_template_free()
 */
LttTemplate *ltt_template_new(const LttLayout *layout, const LttStyle *style, gboolean bare,
			      const LttChoice *choice);
void ltt_template_free(LttTemplate *tmpl); /* NULL is allowed and ignored */

/* Whether it never writes anything. */
gboolean ltt_template_is_empty(const LttTemplate *tmpl);

/**
 * ltt_template_fill:
 * @bytes: a value of the layout, as ltt_layout_measure() accepted it. LTT_BLOCK_SLACK_BYTES after
 * it may be read
 *
 * Returns: the end of the value of the last hole: with a choice, not always the end of the payload
 */
const guint8 *ltt_template_fill(const LttTemplate *tmpl, LttSink *sink, const guint8 *bytes,
				LttByteOrder byte_order);

/* Writes a value of a kind without an op. Returns: the end of the value */
const guint8 *ltt_hole_fill(const LttHole *hole, LttSink *sink, const guint8 *bytes,
			    LttByteOrder byte_order);

/* Returns: (nullable): the label of @value; NULL: it has none */
const LttPiece *ltt_hole_find_label(const LttHole *hole, guint64 value);

/* Compiles the holes of a template, and of those within, to its program. */
void ltt_template_compile(LttTemplate *tmpl);
void ltt_template_free_program(LttTemplate *tmpl);

/* Makes a template piece by piece. */
typedef struct LttTemplateBuilder {
	GString *text; /* since the last hole */
	GArray *holes;
} LttTemplateBuilder;

void ltt_template_builder_init(LttTemplateBuilder *builder);
LttTemplate *ltt_template_builder_end(LttTemplateBuilder *builder);

/* The same for a template that only runs as part of another one: without a program. */
LttTemplate *ltt_template_builder_end_part(LttTemplateBuilder *builder);

/* Adds a hole after the current text, which becomes its lead. Takes ownership of its pointers. */
void ltt_template_builder_add(LttTemplateBuilder *builder, LttHole hole);

/* Adds a hole that skips a value. */
void ltt_template_builder_skip(LttTemplateBuilder *builder, const LttLayout *layout);

/* Adds the holes and the text of a value. */
void ltt_template_builder_add_value(LttTemplateBuilder *builder, const LttLayout *layout,
				    const LttStyle *style, gboolean bare);

/* Appends the text to write for a label. */
typedef void (*LttLabelFunc)(GString *text, const char *name, gconstpointer user_data);

/* Sets the labels of the hole of an enum; @prepare makes their text. */
void ltt_hole_set_labels(LttHole *hole, const LttType *type, LttLabelFunc prepare,
			 gconstpointer user_data);

/* Returns: (transfer full): an array with one template */
LttTemplate **ltt_template_list(LttTemplate *only);

#endif
