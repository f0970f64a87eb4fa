/* expr-in-priv.h - the internals of a print expression, for expr.c and expr-fill.c. */
#ifndef LTT_PRINT_EXPR_IN_PRIV_H
#define LTT_PRINT_EXPR_IN_PRIV_H

#ifndef LTT_BUILDING
#error "print/expr-in-priv.h is private to libltt"
#endif

#include "print/expr-priv.h"

/* Maximum width and precision; larger ones are reduced to it. */
#define LTT_EXPR_MOST_WIDTH 255

/* Maximum bytes to print of one field. */
#define LTT_EXPR_MOST_AMOUNT 65536

#define LTT_EXPR_EXTENSION_BYTES 8

typedef struct LttExprPiece {
	char *text; /* before the conversion */
	gsize text_bytes;
	LttExprSpec spec;   /* conversion 0: none; the text ends the format */
	guint8 width_bytes; /* of a number, from the length modifier */
	gboolean is_signed;
	char extension[LTT_EXPR_EXTENSION_BYTES]; /* of %p */
	LttExpr *width;                           /* of "*" */
	LttExpr *precision;
	LttExpr *value;
	gboolean is_unknown; /* the value contains an unknown name: "?" is written */
	gint member;         /* index of the only field that it shows; below 0: none, or several */
} LttExprPiece;

/* A member of the payload whose size is needed to find the used fields. */
typedef struct LttExprStep {
	guint member;
	gint slot; /* -1: not used, only skipped */
} LttExprStep;

struct LttPrintExpr {
	const LttLayout *layout;
	GArray *pieces; /* of LttExprPiece */
	GArray *slots;  /* of guint, members */
	GPtrArray *owned;
	GArray *steps;                /* of LttExprStep */
	LttPrintAddresses *addresses; /* borrowed; NULL: addresses are not named */
};

#endif
