/* operand.c - parse an operand of a comparison: a field, its length, a number or a string. */
#include "filter/operand-priv.h"

static void clear_path_step(gpointer step)
{
	g_free(((LttPathStep *)step)->name);
}

void ltt_operand_clear(LttOperand *operand)
{
	ltt_number_clear(&operand->number);
	if (operand->string != NULL)
		g_string_free(operand->string, TRUE);
	g_clear_pointer(&operand->path, g_array_unref);
	operand->string = NULL;
}

LttOperand ltt_operand_copy(const LttOperand *operand)
{
	LttOperand copy = *operand;

	copy.number.digits = g_strdup(operand->number.digits);
	if (operand->string != NULL)
		copy.string = g_string_new_len(operand->string->str, (gssize)operand->string->len);
	if (operand->path != NULL)
		copy.path = g_array_ref(operand->path);
	return copy;
}

static const struct {
	const char *name;
	LttOperandKind kind;
} special_names[] = {
	{"event", LTT_OPERAND_EVENT}, {"facility", LTT_OPERAND_FACILITY},
	{"time", LTT_OPERAND_TIME},   {"cpu", LTT_OPERAND_CPU},
	{"pid", LTT_OPERAND_PID},     {"tid", LTT_OPERAND_TID},
	{"comm", LTT_OPERAND_COMM},   {"host", LTT_OPERAND_HOST},
};

static LttOperandKind kind_of_name(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(special_names); i++) {
		if (g_str_equal(name, special_names[i].name))
			return special_names[i].kind;
	}
	return LTT_OPERAND_PATH;
}

/* Appends the current token to the path. */
static gboolean take_path_name(LttLexer *lexer, LttOperand *operand, GError **error)
{
	const LttToken *token = &lexer->token;
	LttPathStep step = {0};

	if (token->kind != LTT_TOKEN_NAME)
		return ltt_lexer_out_of_place(lexer, "the name of a field", error);
	step.name = g_strndup(lexer->text + token->at, token->end - token->at);
	g_array_append_val(operand->path, step);
	operand->end = token->end;
	return ltt_lexer_next(lexer, error);
}

static gboolean take_path_index(LttLexer *lexer, LttOperand *operand, GError **error)
{
	const LttToken *token = &lexer->token;
	LttPathStep step = {0};
	gboolean is_exact;

	if (token->kind == LTT_TOKEN_STAR)
		operand->is_any = step.is_any = TRUE;
	else if (token->kind == LTT_TOKEN_NUMBER && token->number.is_whole)
		step.index = (guint64)MIN(ltt_number_floor(&token->number, 0, &is_exact),
					  (LttWide)G_MAXUINT64);
	else
		return ltt_lexer_out_of_place(lexer, "the number of an element, from 0 on, or *",
					      error);
	g_array_append_val(operand->path, step);
	if (!ltt_lexer_next(lexer, error))
		return FALSE;
	if (token->kind != LTT_TOKEN_CLOSE_INDEX)
		return ltt_lexer_out_of_place(lexer, "a \"]\"", error);
	operand->end = token->end;
	return ltt_lexer_next(lexer, error);
}

static gboolean take_path(LttLexer *lexer, LttOperand *operand, GError **error)
{
	const LttToken *token = &lexer->token;
	const char *first_name;

	operand->path = g_array_new(FALSE, FALSE, sizeof(LttPathStep));
	g_array_set_clear_func(operand->path, clear_path_step);
	if (!take_path_name(lexer, operand, error))
		return FALSE;
	first_name = g_array_index(operand->path, LttPathStep, 0).name;
	operand->kind = kind_of_name(first_name);
	while (token->kind == LTT_TOKEN_DOT || token->kind == LTT_TOKEN_OPEN_INDEX) {
		const gboolean is_name = token->kind == LTT_TOKEN_DOT;

		if (operand->kind != LTT_OPERAND_PATH)
			return ltt_filter_mistake(error, token->at,
						  "%s has no fields: a field of that name is "
						  "data.%s",
						  first_name, first_name);
		if (!ltt_lexer_next(lexer, error) ||
		    !(is_name ? take_path_name(lexer, operand, error)
			      : take_path_index(lexer, operand, error)))
			return FALSE;
	}
	return TRUE;
}

/* Parses "(PATH)" after the word length, which is the path so far. */
static gboolean take_length(LttLexer *lexer, LttOperand *operand, GError **error)
{
	const LttToken *token = &lexer->token;
	gsize at;

	g_clear_pointer(&operand->path, g_array_unref);
	if (!ltt_lexer_next(lexer, error))
		return FALSE;
	at = token->at;
	if (!take_path(lexer, operand, error))
		return FALSE;
	if (token->kind != LTT_TOKEN_CLOSE)
		return ltt_lexer_out_of_place(lexer, "a \")\"", error);
	if (operand->kind != LTT_OPERAND_PATH)
		return ltt_filter_mistake(error, at,
					  "length() is for fields: a field of that name "
					  "is data.%s",
					  g_array_index(operand->path, LttPathStep, 0).name);
	operand->is_length = TRUE;
	operand->end = token->end;
	return ltt_lexer_next(lexer, error);
}

static gboolean parse_path(LttLexer *lexer, LttOperand *operand, GError **error)
{
	if (!take_path(lexer, operand, error))
		return FALSE;
	if (lexer->token.kind == LTT_TOKEN_OPEN && operand->path->len == 1 &&
	    g_str_equal(g_array_index(operand->path, LttPathStep, 0).name, "length"))
		return take_length(lexer, operand, error);
	return TRUE;
}

static gboolean parse_number(LttLexer *lexer, LttOperand *operand, GError **error)
{
	LttToken *token = &lexer->token;
	const gboolean is_negative = token->kind == LTT_TOKEN_MINUS;

	if (is_negative && !ltt_lexer_next(lexer, error))
		return FALSE;
	if (token->kind != LTT_TOKEN_NUMBER)
		return ltt_lexer_out_of_place(lexer, "a number", error);
	operand->kind = LTT_OPERAND_NUMBER;
	operand->number = token->number;
	operand->number.is_negative = is_negative;
	operand->end = token->end;
	token->number = (LttNumber){0};
	return ltt_lexer_next(lexer, error);
}

static gboolean parse_string(LttLexer *lexer, LttOperand *operand, GError **error)
{
	LttToken *token = &lexer->token;

	operand->kind = LTT_OPERAND_STRING;
	operand->string = g_steal_pointer(&token->string);
	operand->end = token->end;
	return ltt_lexer_next(lexer, error);
}

gboolean ltt_operand_parse(LttLexer *lexer, LttOperand *operand, GError **error)
{
	operand->at = lexer->token.at;
	switch (lexer->token.kind) {
	case LTT_TOKEN_NAME:
		return parse_path(lexer, operand, error);
	case LTT_TOKEN_NUMBER:
	case LTT_TOKEN_MINUS:
		return parse_number(lexer, operand, error);
	case LTT_TOKEN_STRING:
		return parse_string(lexer, operand, error);
	default:
		return ltt_lexer_out_of_place(lexer, "a field, a number or a string", error);
	}
}
