/* tokens-priv.h - the tokens of a statement of SQL. */
#ifndef LTT_SQL_TOKENS_PRIV_H
#define LTT_SQL_TOKENS_PRIV_H

#ifndef LTT_BUILDING
#error "sql/tokens-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include <glib.h>

typedef enum LttSqlTokenKind {
	LTT_SQL_TOKEN_NAME,  /* or a keyword */
	LTT_SQL_TOKEN_TEXT,  /* a literal in single quotes */
	LTT_SQL_TOKEN_OTHER, /* a number, an operator, a parenthesis; a quote that is not closed */
} LttSqlTokenKind;

typedef struct LttSqlToken {
	LttSqlTokenKind kind;
	gboolean is_quoted; /* NAME: not a keyword */
	char *text;         /* without quotes */
} LttSqlToken;

/* Returns: (transfer full) (element-type LttSqlToken): without spaces and comments */
GArray *ltt_sql_tokens_new(const char *text, gsize length);

#endif
