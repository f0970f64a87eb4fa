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
	LTT_OPERAND_HOST,
} LttOperandKind;

/* One step of a path: a member by name, an element by index, or any element. */
typedef struct LttPathStep {
	char *name; /* owned; NULL: an element */
	guint64 index;
	gboolean is_any; /* [*] */
} LttPathStep;

typedef struct LttOperand {
	LttOperandKind kind;
	gsize at; /* its start and end offset in the expression */
	gsize end;
	LttNumber number;   /* owned */
	GString *string;    /* owned */
	GArray *path;       /* of LttPathStep; owned */
	gboolean is_any;    /* the path has a [*] */
	gboolean is_length; /* the operand is length(path) */
} LttOperand;

/* Parses an operand from the current token on, and advances the lexer past it. @operand must be
 * empty; clear it also after a failure. Returns: FALSE with LTT_ERROR_INVALID */
gboolean ltt_operand_parse(LttLexer *lexer, LttOperand *operand, GError **error);
void ltt_operand_clear(LttOperand *operand);

/* Returns: a copy; clear it with ltt_operand_clear() */
LttOperand ltt_operand_copy(const LttOperand *operand);

/* Returns: whether the operand is a number or a string of the expression */
static inline gboolean ltt_operand_is_literal(const LttOperand *operand)
{
	return operand->kind == LTT_OPERAND_NUMBER || operand->kind == LTT_OPERAND_STRING;
}

/* Returns: whether the operand is a string in every event that has it */
static inline gboolean ltt_operand_is_text(const LttOperand *operand)
{
	return operand->kind == LTT_OPERAND_STRING || operand->kind == LTT_OPERAND_EVENT ||
	       operand->kind == LTT_OPERAND_FACILITY || operand->kind == LTT_OPERAND_COMM ||
	       operand->kind == LTT_OPERAND_HOST;
}

/* Returns: whether the operand can be a value of any type */
static inline gboolean ltt_operand_is_open(const LttOperand *operand)
{
	return operand->kind == LTT_OPERAND_PATH && !operand->is_length;
}

#endif
