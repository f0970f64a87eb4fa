/* filter-lex-priv.h - a filter as a row of tokens. */
#ifndef LTT_FILTER_LEX_PRIV_H
#define LTT_FILTER_LEX_PRIV_H

#ifndef LTT_BUILDING
#error "filter-lex-priv.h is private to libltt; use <ltt/ltt-filter.h>"
#endif

#include "reader/filter-number-priv.h"

typedef enum LttTokenKind {
	LTT_TOKEN_END,
	LTT_TOKEN_NAME,
	LTT_TOKEN_NUMBER,
	LTT_TOKEN_STRING,
	LTT_TOKEN_EQ, /* the comparisons stand together, in the order of LttCompare */
	LTT_TOKEN_NE,
	LTT_TOKEN_LT,
	LTT_TOKEN_LE,
	LTT_TOKEN_GT,
	LTT_TOKEN_GE,
	LTT_TOKEN_LIKE,
	LTT_TOKEN_AND,
	LTT_TOKEN_OR,
	LTT_TOKEN_NOT,
	LTT_TOKEN_MINUS,
	LTT_TOKEN_OPEN,
	LTT_TOKEN_CLOSE,
	LTT_TOKEN_DOT,
	LTT_TOKEN_OPEN_INDEX,
	LTT_TOKEN_CLOSE_INDEX,
} LttTokenKind;

typedef struct LttToken {
	LttTokenKind kind;
	gsize at; /* where it begins and ends in the expression */
	gsize end;
	LttNumber number; /* of a number; owned by the lexer */
	GString *string;  /* what a string says; owned by the lexer */
} LttToken;

typedef struct LttLexer {
	const char *text;
	LttToken token; /* the one under way */
} LttLexer;

/* A lexer in front of the first token: take that with ltt_lexer_next(). */
void ltt_lexer_init(LttLexer *lexer, const char *text);
void ltt_lexer_clear(LttLexer *lexer);

/* Goes on to the next token; behind the last, to LTT_TOKEN_END.
 * Returns: FALSE with LTT_ERROR_INVALID if there is something that is no token */
gboolean ltt_lexer_next(LttLexer *lexer, GError **error);

/* Returns: (transfer full): the expression from @at to @end in quotes, shortened if that is much */
char *ltt_lexer_quote(const LttLexer *lexer, gsize at, gsize end);

/* Says that the token under way cannot stand where it does; FALSE. */
gboolean ltt_lexer_out_of_place(const LttLexer *lexer, const char *expected, GError **error);

/* Sets LTT_ERROR_INVALID with a place in the expression; FALSE. */
gboolean ltt_filter_mistake(GError **error, gsize at, const char *format, ...) G_GNUC_PRINTF(3, 4);

#endif
