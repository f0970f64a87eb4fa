/* template-priv.h - the values of an event type as text with holes.
 *
 * Most of a printed line is the same for all events of a type: names, braces, commas. A template
 * has that text ready and, between its pieces, holes that take their values from the payload one
 * after the other. It is made once for each type; filling it in is a copy and a number for each
 * hole, and needs no names, no types and no allocation.
 *
 *	{"fd": [uint] ,"name":" [string] "}
 *
 * A template keeps nothing of the layout that it was made from.
 */
#ifndef LTT_TEMPLATE_PRIV_H
#define LTT_TEMPLATE_PRIV_H

#ifndef LTT_BUILDING
#error "template-priv.h is private to libltt"
#endif

#include "base/escape-priv.h"

#include "exchange/format-spec-priv.h"

#include <ltt/ltt-layout.h>

typedef struct LttTemplate LttTemplate;

typedef enum LttHoleKind {
	LTT_HOLE_UINT,
	LTT_HOLE_INT,
	LTT_HOLE_FLOAT,
	LTT_HOLE_STRING, /* escaped; quotes are in the text around it */
	LTT_HOLE_ENUM,   /* its label as prepared, or the number */
	LTT_HOLE_REPEAT, /* sub[0] for each element, "between" between them */
	LTT_HOLE_OCTETS, /* as REPEAT, brackets too; of more than LTT_SHORT_BYTES only the number */
	LTT_HOLE_CHOICE, /* one of sub by a union's code */
	LTT_HOLE_FORMAT, /* number, string or enum by the printf format of its description */
	LTT_HOLE_CELL,   /* sub[0] as one cell of CSV */
	LTT_HOLE_CSV_STRING,
	LTT_HOLE_SKIP, /* nothing, for a value that is passed over */
} LttHoleKind;

/* A piece of ready text. The bytes behind it, to a length of LTT_PIECE_BYTES, may be read. */
typedef struct LttPiece {
	char *bytes;
	gsize length;
} LttPiece;
#define LTT_PIECE_BYTES 32

/* What is written for a number that has a label. */
typedef struct LttHoleLabel {
	guint64 value;
	LttPiece text;
} LttHoleLabel;

typedef struct LttHole {
	LttPiece lead; /* text in front */
	LttHoleKind kind;
	LttTypeKind type;    /* FORMAT: what the value is */
	guint8 width_bytes;  /* of a number, a sequence's length, a union's code; 0: an array */
	gboolean is_signed;  /* ENUM, FORMAT */
	gboolean quotes_nan; /* FLOAT: NaN and infinities stand in quotes */
	LttEscape escape;    /* STRING, FORMAT */
	char between;        /* REPEAT */
	guint64 n_elements;  /* REPEAT of an array; SKIP without a sub: bytes */
	LttTemplate **sub;   /* REPEAT, CHOICE, CELL; SKIP of a size that varies; owned */
	guint n_sub;
	LttHoleLabel *labels; /* ENUM, FORMAT of one: by rising value; owned */
	guint n_labels;
	LttFormatSpec *format; /* FORMAT; owned */
} LttHole;

struct LttTemplate {
	LttHole *holes;
	guint n_holes;
	LttPiece tail; /* text behind the last hole */
};

/* How values look. */
typedef struct LttStyle {
	const char *struct_open;
	const char *struct_close;
	const char *name_open; /* around the name of a member */
	const char *name_close;
	char between;
	LttEscape string_escape;
	LttEscape label_escape;
	const char *label_quote; /* around labels: '"' or nothing */
	gboolean quotes_nan;
	gboolean uses_formats; /* printf formats of descriptions count */
	gboolean is_short;     /* of a long row of bytes only the number is written */
} LttStyle;

/* Bytes that are no long row. */
#define LTT_SHORT_BYTES 32

extern const LttStyle ltt_style_json;
extern const LttStyle ltt_style_text;
extern const LttStyle ltt_style_short; /* as text, but for long rows of bytes */

/* Which members of a payload that is a struct are written. Its function returns whether @member is;
 * NULL: all are. */
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
 * @layout: (nullable): of the payload; NULL: there is none
 * @style: how to write it
 * @bare: a struct or union as a whole goes without its braces
 * @choice: (nullable): NULL: all of it is written
 *
 * Returns: (transfer full): free it with ltt_template_free()
 */
LttTemplate *ltt_template_new(const LttLayout *layout, const LttStyle *style, gboolean bare,
			      const LttChoice *choice);
void ltt_template_free(LttTemplate *tmpl); /* NULL is allowed and ignored */

/* Whether nothing will ever be written. */
gboolean ltt_template_is_empty(const LttTemplate *tmpl);

/**
 * ltt_template_fill:
 * @bytes: a value of the layout, as ltt_layout_measure() accepted it
 *
 * Returns: the first byte behind the last hole's value: all of it, unless there is a choice
 */
const guint8 *ltt_template_fill(const LttTemplate *tmpl, LttSink *sink, const guint8 *bytes,
				LttByteOrder byte_order);

/* Makes a template piece by piece. */
typedef struct LttTemplateBuilder {
	GString *text; /* since the last hole */
	GArray *holes;
} LttTemplateBuilder;

void ltt_template_builder_init(LttTemplateBuilder *builder);
LttTemplate *ltt_template_builder_end(LttTemplateBuilder *builder);

/* Adds a hole, behind the text gathered so far. Takes over what it owns; sets its lead. */
void ltt_template_builder_add(LttTemplateBuilder *builder, LttHole hole);

/* Adds a hole without text for a value that is not written. */
void ltt_template_builder_skip(LttTemplateBuilder *builder, const LttLayout *layout);

/* Adds the holes of a value, with the text that belongs to it. */
void ltt_template_builder_add_value(LttTemplateBuilder *builder, const LttLayout *layout,
				    const LttStyle *style, gboolean bare);

/* Appends the text to write for a label. */
typedef void (*LttLabelFunc)(GString *text, const char *name, gconstpointer user_data);

/* Gives an enum's hole its labels, each as @prepare writes it. */
void ltt_hole_set_labels(LttHole *hole, const LttType *type, LttLabelFunc prepare,
			 gconstpointer user_data);

/* An array of one template. */
LttTemplate **ltt_template_list(LttTemplate *only);

#endif
