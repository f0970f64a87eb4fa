/* body.c - see body-priv.h. */
#include "view/tsp/body-priv.h"

#include <ltt/ltt-error.h>
#include <sqlite3.h>

struct LttTspBody {
	sqlite3 *database; /* in memory, without tables */
	char *json;
	gsize length;
};

static gboolean fail(GError **error, const char *name, const char *expected)
{
	g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID, "%s: expected %s", name, expected);
	return FALSE;
}

/* Returns: (nullable): a statement with the text of the body as its first parameter */
static sqlite3_stmt *prepare(LttTspBody *body, const char *sql)
{
	sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v2(body->database, sql, -1, &statement, NULL) != SQLITE_OK)
		return NULL;
	sqlite3_bind_text64(statement, 1, body->json, body->length, SQLITE_STATIC, SQLITE_UTF8);
	return statement;
}

static gboolean is_object(LttTspBody *body)
{
	sqlite3_stmt *statement = prepare(
		body,
		"SELECT json_valid(?1) AND json_type(iif(json_valid(?1), ?1, '0')) = 'object'");
	const gboolean is_good = statement != NULL && sqlite3_step(statement) == SQLITE_ROW &&
				 sqlite3_column_int(statement, 0) != 0;

	sqlite3_finalize(statement);
	return is_good;
}

LttTspBody *ltt_tsp_body_new(const char *json, gsize length, GError **error)
{
	g_autoptr(LttTspBody) body = g_new0(LttTspBody, 1);

	if (length == 0) {
		json = "{}";
		length = 2;
	}
	body->json = g_strndup(json, length);
	body->length = length;
	if (sqlite3_open_v2(":memory:", &body->database,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
		g_set_error(error, LTT_ERROR, LTT_ERROR_LIMIT, "no memory to read the request");
		return NULL;
	}
	if (!g_utf8_validate(json, (gssize)length, NULL) || !is_object(body)) {
		fail(error, "body", "a JSON object");
		return NULL;
	}
	return g_steal_pointer(&body);
}

void ltt_tsp_body_free(LttTspBody *body)
{
	if (body == NULL)
		return;
	sqlite3_close(body->database);
	g_free(body->json);
	g_free(body);
}

/* Returns: (nullable): a statement whose rows are the elements of the parameter, or the parameter */
static sqlite3_stmt *find(LttTspBody *body, const char *name)
{
	g_autofree char *path = g_strconcat("$.parameters.", name, NULL);
	sqlite3_stmt *statement = prepare(body, "SELECT atom FROM json_each(?1, ?2)");

	if (statement != NULL)
		sqlite3_bind_text(statement, 2, path, -1, SQLITE_TRANSIENT);
	return statement;
}

gboolean ltt_tsp_body_get_numbers(LttTspBody *body, const char *name, GArray *numbers,
				  GError **error)
{
	sqlite3_stmt *statement = find(body, name);
	gboolean is_good = statement != NULL;

	while (is_good && sqlite3_step(statement) == SQLITE_ROW) {
		const gint64 number = sqlite3_column_int64(statement, 0);

		is_good = sqlite3_column_type(statement, 0) == SQLITE_INTEGER &&
			  numbers->len < LTT_TSP_MAX_NUMBERS;
		g_array_append_val(numbers, number);
	}
	sqlite3_finalize(statement);
	return is_good || fail(error, name, "whole numbers of 64 bits, at most 65536 of them");
}

gboolean ltt_tsp_body_get_number(LttTspBody *body, const char *name, gint64 min, gint64 max,
				 gint64 *value, GError **error)
{
	g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autofree char *expected = NULL;

	if (!ltt_tsp_body_get_numbers(body, name, numbers, error))
		return FALSE;
	if (numbers->len == 0)
		return TRUE;
	*value = g_array_index(numbers, gint64, 0);
	if (numbers->len == 1 && *value >= min && *value <= max)
		return TRUE;
	expected = g_strdup_printf("a number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, min,
				   max);
	return fail(error, name, expected);
}

gboolean ltt_tsp_body_get_texts(LttTspBody *body, const char *name, GPtrArray *texts,
				GError **error)
{
	sqlite3_stmt *statement = find(body, name);
	gboolean is_good = statement != NULL;

	while (is_good && sqlite3_step(statement) == SQLITE_ROW) {
		is_good = sqlite3_column_type(statement, 0) == SQLITE_TEXT &&
			  texts->len < LTT_TSP_MAX_NUMBERS;
		if (is_good)
			g_ptr_array_add(texts,
					g_strdup((const char *)sqlite3_column_text(statement, 0)));
	}
	sqlite3_finalize(statement);
	return is_good || fail(error, name, "strings, at most 65536 of them");
}

gboolean ltt_tsp_body_has(LttTspBody *body, const char *name)
{
	sqlite3_stmt *statement = prepare(body, "SELECT json_type(?1, ?2)");
	g_autofree char *path = g_strconcat("$.parameters.", name, NULL);
	gboolean is_there;

	if (statement != NULL)
		sqlite3_bind_text(statement, 2, path, -1, SQLITE_STATIC);
	is_there = statement != NULL && sqlite3_step(statement) == SQLITE_ROW &&
		   sqlite3_column_type(statement, 0) != SQLITE_NULL;
	sqlite3_finalize(statement);
	return is_there;
}
