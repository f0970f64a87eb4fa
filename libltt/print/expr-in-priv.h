/* expr-in-priv.h - inside of a print expression: for those who make it and fill it. */
#ifndef LTT_PRINT_EXPR_IN_PRIV_H
#define LTT_PRINT_EXPR_IN_PRIV_H

#ifndef LTT_BUILDING
#error "print/expr-in-priv.h is private to libltt"
#endif

#include "print/expr-priv.h"

/* Widths and precisions beyond it are taken for it. */
#define LTT_EXPR_MOST_WIDTH 255

/* As many bytes may be shown of one field. */
#define LTT_EXPR_MOST_AMOUNT 65536

#define LTT_EXPR_EXTENSION_BYTES 8

typedef struct LttExprPiece {
	char *text; /* in front */
	gsize text_bytes;
	LttExprSpec spec;   /* conversion 0: there is none, the text is the end */
	guint8 width_bytes; /* of a number, as the modifier tells; 0: as the value has */
	gboolean is_signed;
	char extension[LTT_EXPR_EXTENSION_BYTES]; /* of %p */
	LttExpr *width;                           /* of "*" */
	LttExpr *precision;
	LttExpr *value;
	gboolean is_unknown; /* something in the value is not known: "?" is written */
	gint member;         /* the only one whose field it shows; below 0: none, or several */
} LttExprPiece;

/* A member of the payload that is passed on the way to the fields that are used. */
typedef struct LttExprStep {
	guint member;
	gint slot; /* -1: it is only passed */
} LttExprStep;

struct LttPrintExpr {
	const LttLayout *layout;
	GArray *pieces; /* of LttExprPiece */
	GArray *slots;  /* of guint, members */
	GPtrArray *owned;
	GArray *steps; /* of LttExprStep */
};

#endif
