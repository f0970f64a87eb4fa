/* expr-priv.h - print expressions: a printf format and its arguments.
 *
 * An event of a description may have an attribute ltt:print (doc/format.md, 8.7):
 *
 *	"pid=%d flags=%s", REC->pid, __print_flags(REC->flags, "|", { 1, "READ" }, { 2, "WRITE" })
 *
 * This is the language in which the Linux kernel describes its tracepoints. The text is untrusted.
 * It is parsed once per event type into a tree of bounded size and depth, in which fields refer to
 * the layout, or rejected as a whole. Evaluation visits each node at most once, loops only over the
 * bytes of a field, and writes a number of bytes that is bounded by the size of the payload.
 *
 *	text --lex--> tokens --parse--> LttExpr --eval--> LttExprValue --text--> sink
 */
#ifndef LTT_PRINT_EXPR_PRIV_H
#define LTT_PRINT_EXPR_PRIV_H

#ifndef LTT_BUILDING
#error "print/expr-priv.h is private to libltt"
#endif

#include "base/sink-priv.h"

#include "print/addresses-priv.h"

#include <ltt/ltt-layout.h>

/* Limits; a text that exceeds one is rejected. */
#define LTT_EXPR_MAX_TEXT_BYTES (64 * 1024)
#define LTT_EXPR_MAX_NODES      16384 /* entries of tables count too */
#define LTT_EXPR_MAX_DEPTH      128
#define LTT_EXPR_MAX_FIELDS     256 /* different fields in a text */

/* Maximum text of an event, before it is escaped: a constant, and a factor of the bytes of the
 * payload. The rest is omitted, and LTT_EXPR_CUT is in its place.
 *
 * Few tracepoints make more than 1 KiB, and Linux before 6.8 prints at most a page of one. Bytes of
 * the payload make the most text as a list of CPUs, each second one of 8192: 19.5 bytes for each,
 * which the constant and the factor together permit. */
#define LTT_EXPR_OUTPUT_BYTES  4096
#define LTT_EXPR_OUTPUT_FACTOR 16
#define LTT_EXPR_CUT           "..."

/* ---- tree ---- */

typedef enum LttExprKind {
	LTT_EXPR_NUMBER,
	LTT_EXPR_STRING,   /* a literal */
	LTT_EXPR_FIELD,    /* REC->x; __get_str(x) and similar functions, which return the same */
	LTT_EXPR_LENGTH,   /* __get_dynamic_array_len(): bytes of a field */
	LTT_EXPR_UNARY,    /* op a: ! ~ - */
	LTT_EXPR_DEREF,    /* *a, and a[b] */
	LTT_EXPR_BINARY,   /* a op b */
	LTT_EXPR_TERNARY,  /* a ? b : c */
	LTT_EXPR_CAST,     /* (type)a */
	LTT_EXPR_FLAGS,    /* __print_flags(a, text, labels): names of the bits that are set */
	LTT_EXPR_SYMBOLIC, /* __print_symbolic(a, labels): the name of a number */
	LTT_EXPR_HEX,      /* __print_hex(a, b): b bytes, with text between */
	LTT_EXPR_ARRAY,    /* __print_array(a, b, c): b numbers of c bytes */
	LTT_EXPR_BITMASK,  /* __get_bitmask() */
} LttExprKind;

/* An integer of C: its bits are extended to 64 by its sign. */
typedef struct LttExprType {
	guint8 width_bytes; /* 1, 2, 4, 8; of a cast, 0: leaves the value as it is */
	gboolean is_signed;
	gboolean is_pointer; /* of a cast: to numbers of that width */
} LttExprType;

typedef struct LttExprLabel {
	guint64 value;
	char *name;
} LttExprLabel;

typedef struct LttExpr LttExpr;
struct LttExpr {
	LttExprKind kind;
	guint8 op; /* a token kind */
	guint16 depth;
	LttExprType type; /* NUMBER, CAST */
	guint64 bits;     /* NUMBER */
	guint slot;       /* FIELD, LENGTH: into fields of the text */
	char *text;       /* STRING; FLAGS, HEX: the separator; owned by the parser */
	LttExpr *a;
	LttExpr *b;
	LttExpr *c;
	LttExprLabel *labels;
	guint n_labels;
};

/* ---- tokens ---- */

typedef enum LttExprToken {
	LTT_EXPR_TOKEN_END,
	LTT_EXPR_TOKEN_NAME,
	LTT_EXPR_TOKEN_NUMBER,
	LTT_EXPR_TOKEN_STRING,
	LTT_EXPR_TOKEN_ARROW,
	LTT_EXPR_TOKEN_SHIFT_LEFT,
	LTT_EXPR_TOKEN_SHIFT_RIGHT,
	LTT_EXPR_TOKEN_LE,
	LTT_EXPR_TOKEN_GE,
	LTT_EXPR_TOKEN_EQ,
	LTT_EXPR_TOKEN_NE,
	LTT_EXPR_TOKEN_AND,
	LTT_EXPR_TOKEN_OR,
	LTT_EXPR_TOKEN_BAD, /* other tokens are a single character, from 0x21 on */
} LttExprToken;

typedef struct LttExprLexer {
	const char *at;   /* the end of the token */
	const char *from; /* the start of the token */
	guint token;
	guint64 bits; /* NUMBER */
	LttExprType type;
	GString *string; /* STRING: without quotes and escapes; owned */
} LttExprLexer;

void ltt_expr_lexer_init(LttExprLexer *lexer, const char *text);
void ltt_expr_lexer_clear(LttExprLexer *lexer);
void ltt_expr_lexer_next(LttExprLexer *lexer);

/* Whether the token is the name @name. */
gboolean ltt_expr_lexer_is(const LttExprLexer *lexer, const char *name);

/* ---- parsing ---- */

typedef struct LttExprParser LttExprParser;
struct LttExprParser {
	LttExprLexer lexer;
	const LttLayout *layout;
	guint long_bytes;
	guint depth;
	guint n_nodes;
	GPtrArray *owned;    /* the nodes, and what they point to */
	GArray *slots;       /* of guint: the used members of the layout */
	gboolean is_unknown; /* a name occurred whose value the text does not contain */
	gboolean has_failed;

	/* Parses the arguments of the function @name, after its "(". Set by ltt_print_expr_new(). */
	LttExpr *(*parse_call)(LttExprParser *parser, const char *name);
};

/* Each returns a node, owned by the parser; NULL, with has_failed, if it cannot be evaluated. */
LttExpr *ltt_expr_parse(LttExprParser *parser);
LttExpr *ltt_expr_parse_call(LttExprParser *parser, const char *name);
LttExpr *ltt_expr_new(LttExprParser *parser, LttExprKind kind, LttExpr *a, LttExpr *b, LttExpr *c);
LttExpr *ltt_expr_new_field(LttExprParser *parser, LttExprKind kind, const char *name);
gpointer ltt_expr_own(LttExprParser *parser, gpointer data);
gpointer ltt_expr_fail(LttExprParser *parser);
gboolean ltt_expr_expect(LttExprParser *parser, guint token);

/* Reads a type, such as "unsigned long *". Returns: FALSE, without moving the lexer, if the text is
 * not a type */
gboolean ltt_expr_parse_type(LttExprParser *parser, LttExprType *type);

/* ---- evaluation ---- */

typedef enum LttExprValueKind {
	LTT_EXPR_VALUE_NUMBER,
	LTT_EXPR_VALUE_BYTES, /* array of numbers of `type` */
	LTT_EXPR_VALUE_TEXT,  /* characters */
} LttExprValueKind;

typedef struct LttExprValue {
	LttExprValueKind kind;
	LttExprType type;
	guint64 bits;
	const guint8 *bytes;
	gsize n_bytes;
} LttExprValue;

typedef struct LttExprSlot {
	const guint8 *bytes; /* of the field, without the count of a sequence */
	gsize n_bytes;
} LttExprSlot;

/* An event that is being printed. */
typedef struct LttExprContext {
	const LttLayout *layout;
	const guint *members; /* by slot */
	LttExprSlot slots[LTT_EXPR_MAX_FIELDS];
	LttByteOrder order;
	LttSink *sink;    /* NULL: into buffer */
	char buffer[256]; /* text to be padded; longer text needs no padding */
	gsize n_buffered;
	gsize room;                   /* bytes that may still be written */
	gboolean is_cut;              /* more bytes were to be written */
	LttPrintAddresses *addresses; /* NULL: addresses are not named */
} LttExprContext;

LttExprValue ltt_expr_eval(const LttExpr *expr, const LttExprContext *context);
guint64 ltt_expr_eval_number(const LttExpr *expr, const LttExprContext *context);

/* Returns: the number, sign-extended or zero-extended from its width */
guint64 ltt_expr_extend(guint64 bits, LttExprType type);

/* Returns: whether an expression contains no fields and can be evaluated without an event */
gboolean ltt_expr_is_constant(const LttExpr *expr);

/* ---- text ---- */

/* Writes text, with control characters escaped. What has no room is omitted. */
void ltt_expr_put(LttExprContext *context, const char *text, gsize length);
void ltt_expr_put_hex(LttExprContext *context, guint64 value, guint least_digits);

/* Writes an expression as %s does. @most: the precision, a maximum number of bytes */
void ltt_expr_put_value(LttExprContext *context, const LttExpr *expr, gsize most);

/* Flags, width and precision of a conversion. */
typedef struct LttExprSpec {
	gboolean left;
	gboolean plus;
	gboolean space;
	gboolean alternate;
	gboolean zero;
	gint width;     /* -1: none */
	gint precision; /* -1: none */
	char conversion;
} LttExprSpec;

/* Writes a number as %d, %u, %x, %X or %o does; @bits is extended to 64 bits by its sign. */
void ltt_expr_put_number(LttExprContext *context, const LttExprSpec *spec, guint64 bits);

/* Writes a pointer. @extension: the letters after %p, such as "I6c" */
void ltt_expr_put_pointer(LttExprContext *context, const LttExprSpec *spec, const char *extension,
			  const LttExpr *expr);

/* Returns: the length of the extension of %p; -1 if it is not supported */
gint ltt_expr_measure_extension(const char *at);

/* ---- print expressions ---- */

typedef struct LttPrintExpr LttPrintExpr;

/**
 * ltt_print_expr_new:
 * @text: (nullable): from a description; NULL returns NULL
 * @layout: (nullable): of the payload
 * @long_bytes: size of a C long on the traced machine
 *
 * Returns: (transfer full) (nullable): NULL if the text cannot be evaluated
 */
LttPrintExpr *ltt_print_expr_new(const char *text, const LttLayout *layout, guint long_bytes);
void ltt_print_expr_free(LttPrintExpr *expr); /* NULL is allowed and ignored */

/* @addresses: (nullable): names the addresses of %ps and %pS; must outlive the expression */
void ltt_print_expr_set_addresses(LttPrintExpr *expr, LttPrintAddresses *addresses);

/* Returns: the maximum text of an event */
static inline gsize ltt_print_expr_get_room(gsize payload_bytes)
{
	return LTT_EXPR_OUTPUT_BYTES + LTT_EXPR_OUTPUT_FACTOR * payload_bytes;
}

/* Writes a payload of the layout, as ltt_layout_measure() accepted it. */
void ltt_print_expr_fill(const LttPrintExpr *expr, LttSink *sink, const guint8 *payload,
			 gsize payload_bytes, LttByteOrder order);

/* Returns: whether a conversion of the text shows the field with index @member alone */
gboolean ltt_print_expr_has_field(const LttPrintExpr *expr, guint member);

/* Writes only the text of these conversions. @room: how much the fields of an event may still write,
 * first ltt_print_expr_get_room(); it is reduced. */
void ltt_print_expr_fill_field(const LttPrintExpr *expr, LttSink *sink, guint member,
			       const guint8 *payload, gsize payload_bytes, LttByteOrder order,
			       gsize *room);

#endif
