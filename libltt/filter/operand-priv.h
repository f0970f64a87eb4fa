/* operand-priv.h - the operands of a comparison. */
#ifndef LTT_FILTER_OPERAND_PRIV_H
#define LTT_FILTER_OPERAND_PRIV_H

#ifndef LTT_BUILDING
#error "filter/operand-priv.h is private to libltt; use <ltt/ltt-filter.h>"
#endif

#include "filter/lex-priv.h"

typedef enum LttOperandKind {
	LTT_OPERAND_NUMBER,
	LTT_OPERAND_STRING,
	LTT_OPERAND_PATH,
	LTT_OPERAND_EVENT,
	LTT_OPERAND_FACILITY,
	LTT_OPERAND_TIME,
	LTT_OPERAND_CPU,
	LTT_OPERAND_PID,
	LTT_OPERAND_TID,
	LTT_OPERAND_COMM,
} LttOperandKind;

/* One step of a path: a member by name, or an element by index. */
typedef struct LttPathStep {
	char *name; /* owned; NULL: an element */
	guint64 index;
} LttPathStep;

typedef struct LttOperand {
	LttOperandKind kind;
	gsize at; /* its start and end offset in the expression */
	gsize end;
	LttNumber number; /* owned */
	GString *string;  /* owned */
	GArray *path;     /* of LttPathStep; owned */
} LttOperand;

/* Parses an operand from the current token on, and advances the lexer past it. @operand must be
 * empty; clear it also after a failure. Returns: FALSE with LTT_ERROR_INVALID */
gboolean ltt_operand_parse(LttLexer *lexer, LttOperand *operand, GError **error);
void ltt_operand_clear(LttOperand *operand);

#endif
