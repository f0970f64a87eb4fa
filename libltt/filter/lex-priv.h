/* lex-priv.h - the lexer of filter expressions. */
#ifndef LTT_FILTER_LEX_PRIV_H
#define LTT_FILTER_LEX_PRIV_H

#ifndef LTT_BUILDING
#error "filter/lex-priv.h is private to libltt; use <ltt/ltt-filter.h>"
#endif

#include "filter/number-priv.h"

typedef enum LttTokenKind {
	LTT_TOKEN_END,
	LTT_TOKEN_NAME,
	LTT_TOKEN_NUMBER,
	LTT_TOKEN_STRING,
	LTT_TOKEN_EQ, /* the comparison operators follow, in the order of LttCompare */
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
	LTT_TOKEN_COMMA,
	LTT_TOKEN_STAR,
	LTT_TOKEN_OPEN_INDEX,
	LTT_TOKEN_CLOSE_INDEX,
} LttTokenKind;

/* The comparison operators, for messages. */
#define LTT_TOKEN_COMPARISONS "== != < <= > >= =~ in"

typedef struct LttToken {
	LttTokenKind kind;
	gsize at; /* its start and end offset in the expression */
	gsize end;
	LttNumber number; /* value of a number; owned by the lexer */
	GString *string;  /* contents of a string; owned by the lexer */
} LttToken;

typedef struct LttLexer {
	const char *text;
	LttToken token; /* the current token */
} LttLexer;

/* Initializes a lexer before the first token: call ltt_lexer_next() to get it. */
void ltt_lexer_init(LttLexer *lexer, const char *text);
void ltt_lexer_clear(LttLexer *lexer);

/* Advances to the next token; after the last, to LTT_TOKEN_END.
 * Returns: FALSE with LTT_ERROR_INVALID if the text is not a token */
gboolean ltt_lexer_next(LttLexer *lexer, GError **error);

/* Returns: (transfer full): the expression from @at to @end in quotes, shortened if it is long */
char *ltt_lexer_quote(const LttLexer *lexer, gsize at, gsize end);

/* Reports that the current token is not allowed here. Returns: FALSE */
gboolean ltt_lexer_out_of_place(const LttLexer *lexer, const char *expected, GError **error);

/* Sets LTT_ERROR_INVALID with an offset in the expression. Returns: FALSE */
gboolean ltt_filter_mistake(GError **error, gsize at, const char *format, ...) G_GNUC_PRINTF(3, 4);

#endif
