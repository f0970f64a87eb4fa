/* save.c - write the tables to a file of SQLite.
 *
 * SQLite writes to a temporary name beside the file, "PATH.part0", which is renamed when it is complete.
 * base/aside.c does the same for libltt, but is not in this library.
 */
#define _GNU_SOURCE /* renameat2 */

#include "sql/sql-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define ALL_MAY  0666 /* restricted by the umask */
#define N_TRIALS 1000 /* temporary names to try; other processes may use some */

typedef struct Saving {
	LttSql *sql;
	sqlite3 *out;
	guint64 n_rows;
} Saving;

static gboolean fail_out(const Saving *saving, GError **error)
{
	g_set_error(error, LTT_ERROR, LTT_ERROR_IO, "%s", sqlite3_errmsg(saving->out));
	return FALSE;
}

static gboolean execute(const Saving *saving, const char *text, GError **error)
{
	return sqlite3_exec(saving->out, text, NULL, NULL, NULL) == SQLITE_OK ||
	       fail_out(saving, error);
}

/* Returns: (transfer full): "INSERT INTO name VALUES(?,?)" */
static char *print_insert(const char *name, guint n_columns)
{
	GString *text = g_string_new(NULL);

	g_string_printf(text, "INSERT INTO %s VALUES(", name);
	for (guint i = 0; i < n_columns; i++)
		g_string_append(text, i > 0 ? ",?" : "?");
	g_string_append_c(text, ')');
	return g_string_free(text, FALSE);
}

/* Returns: FALSE if there is no memory for a value: it would be NULL */
static gboolean bind_row(sqlite3_stmt *to, const LttSqlQuery *from, guint n_columns)
{
	for (guint i = 0; i < n_columns; i++) {
		if (sqlite3_bind_value(to, (int)i + 1, ltt_sql_query_get_value(from, i)) !=
		    SQLITE_OK)
			return FALSE;
	}
	return TRUE;
}

static gboolean copy_rows(Saving *saving, LttSqlQuery *from, sqlite3_stmt *to, GError **error)
{
	const guint n_columns = ltt_sql_query_get_n_columns(from);
	LttStep step;

	while ((step = ltt_sql_query_next(from, error)) == LTT_STEP_EVENT) {
		if (!bind_row(to, from, n_columns) || sqlite3_step(to) != SQLITE_DONE)
			return fail_out(saving, error);
		sqlite3_reset(to);
		saving->n_rows++;
	}
	return step == LTT_STEP_END;
}

static gboolean save_table(Saving *saving, const LttSqlTable *table, GError **error)
{
	g_autofree char *name = ltt_sql_quote(table->name);
	g_autofree char *schema = ltt_sql_table_declare(table, ", ", FALSE);
	g_autofree char *select = g_strdup_printf("SELECT * FROM %s", name);
	g_autofree char *insert = NULL;
	g_autoptr(LttSqlQuery) from = ltt_sql_query_new(saving->sql, select, NULL, error);
	sqlite3_stmt *to;
	gboolean ok;

	if (from == NULL || !execute(saving, schema, error))
		return FALSE;
	insert = print_insert(name, ltt_sql_query_get_n_columns(from));
	if (sqlite3_prepare_v2(saving->out, insert, -1, &to, NULL) != SQLITE_OK)
		return fail_out(saving, error);
	ok = copy_rows(saving, from, to, error);
	sqlite3_finalize(to);
	return ok;
}

static gboolean is_function(const LttSqlTable *table)
{
	return ltt_sql_table_get(table, table->columns->len - 1)->form == LTT_SQL_FORM_PARAMETER;
}

static gboolean save_all(Saving *saving, GError **error)
{
	if (!execute(saving, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", error))
		return FALSE;
	for (guint i = 0; i < saving->sql->all->len; i++) {
		const LttSqlTable *table = saving->sql->all->pdata[i];

		if ((!table->is_hidden || saving->sql->env.all) && !is_function(table) &&
		    !save_table(saving, table, error))
			return FALSE;
	}
	return execute(saving, "COMMIT", error);
}

/* ---- the file ---- */

static gboolean fail_place(const char *place, int errnum, GError **error)
{
	g_set_error(error, LTT_ERROR, errnum == EEXIST ? LTT_ERROR_EXISTS : LTT_ERROR_IO, "%s: %s",
		    place, g_strerror(errnum));
	return FALSE;
}

static gboolean is_there(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0;
}

/* Creates an empty file with a temporary name. Returns: (transfer full) (nullable): its path; NULL: @error is set */
static char *make_beside(const char *place, GError **error)
{
	for (guint i = 0;; i++) {
		g_autofree char *path = g_strdup_printf("%s.part%u", place, i);
		const int file = g_open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, ALL_MAY);

		if (file >= 0) {
			close(file);
			return g_steal_pointer(&path);
		}
		if (errno != EEXIST || i + 1 == N_TRIALS) {
			fail_place(place, errno, error);
			return NULL;
		}
	}
}

/* Not every file system supports RENAME_NOREPLACE. Without it there is a race: the rename replaces a
 * file that another process creates after the check. */
static gboolean settle(const char *path, const char *place, GError **error)
{
	if (renameat2(AT_FDCWD, path, AT_FDCWD, place, RENAME_NOREPLACE) == 0)
		return TRUE;
	if (errno != EINVAL && errno != ENOSYS)
		return fail_place(place, errno, error);
	if (is_there(place))
		return fail_place(place, EEXIST, error);
	return g_rename(path, place) == 0 || fail_place(place, errno, error);
}

static gboolean fill(Saving *saving, const char *path, const char *place, GError **error)
{
	const gboolean ok =
		sqlite3_open_v2(path, &saving->out, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK
			? save_all(saving, error)
			: fail_out(saving, error);

	sqlite3_close(saving->out);
	if (!ok)
		g_prefix_error(error, "%s: ", place);
	return ok;
}

static gboolean save_to(Saving *saving, const char *place, GError **error)
{
	g_autofree char *path = NULL;
	gboolean ok;

	if (is_there(place))
		return fail_place(place, EEXIST, error);
	path = make_beside(place, error);
	if (path == NULL)
		return FALSE;
	ok = fill(saving, path, place, error) && settle(path, place, error);
	if (!ok)
		g_unlink(path);
	return ok;
}

gboolean ltt_sql_save(const LttSqlSaveRequest *request, LttSqlSaveSummary *summary, GError **error)
{
	Saving saving = {.sql = request->sql};
	const LttJobCallbacks callbacks = saving.sql->env.callbacks;
	gboolean ok;

	saving.sql->env.callbacks = request->callbacks;
	ok = save_to(&saving, request->path, error);
	saving.sql->env.callbacks = callbacks;
	if (ok && summary != NULL)
		summary->n_rows = saving.n_rows;
	return ok;
}
