/* support.c - main loop of a unit test program, paths, and assertions that print both values. */
#include "unit.h"

#include <CUnit/TestRun.h>
#include <dirent.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char *temp_root;

static void remove_tree(const char *path)
{
	g_autoptr(GDir) dir =
		g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open(path, 0, NULL);
	const char *name;

	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *child = g_build_filename(path, name, NULL);

		remove_tree(child);
	}
	g_remove(path);
}

char *unit_temp_path(const char *name)
{
	if (temp_root == NULL)
		temp_root = g_dir_make_tmp("ltt-unit-XXXXXX", NULL);
	return g_build_filename(temp_root, name, NULL);
}

char *unit_data_path(const char *name)
{
	const char *root = g_getenv("LTT_SOURCE");

	return g_build_filename(root != NULL ? root : ".", "tests", "data", name, NULL);
}

void unit_assert_text(const char *got, const char *expected, const char *file, int line)
{
	g_autofree char *what = NULL;

	if (g_strcmp0(got, expected) == 0) {
		CU_assertImplementation(CU_TRUE, line, "", file, "", CU_FALSE);
		return;
	}
	what = g_strdup_printf("got:      %s\nexpected: %s", got != NULL ? got : "(null)",
			       expected != NULL ? expected : "(null)");
	CU_assertImplementation(CU_FALSE, line, what, file, "", CU_FALSE);
}

void unit_assert_ok(int ok, const char *condition, const GError *error, const char *file, int line)
{
	g_autofree char *what = g_strdup_printf("%s%s%s", condition, error != NULL ? ": " : "",
						error != NULL ? error->message : "");

	CU_assertImplementation(ok ? CU_TRUE : CU_FALSE, line, what, file, "", CU_TRUE);
}

static void print_failures(const CU_pFailureRecord first)
{
	for (CU_pFailureRecord record = first; record != NULL; record = record->pNext) {
		g_auto(GStrv) lines = g_strsplit(record->strCondition, "\n", 0);

		printf("# %s:%u:", record->strFileName, record->uiLineNumber);
		for (guint i = 0; lines[i] != NULL; i++)
			printf("%s%s\n", i == 0 ? " " : "#   ", lines[i]);
	}
}

/* Returns: (transfer full): a line for each open file, without the standard ones, which tests may close */
static char *list_open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	GString *text = g_string_new(NULL);
	const struct dirent *entry;

	g_assert(dir != NULL);
	while ((entry = readdir(dir)) != NULL) {
		const gint64 number = g_ascii_strtoll(entry->d_name, NULL, 10);
		g_autofree char *link = g_build_filename("/proc/self/fd", entry->d_name, NULL);
		g_autofree char *file = g_file_read_link(link, NULL);

		if (number > STDERR_FILENO && number != dirfd(dir))
			g_string_append_printf(text, "#   %s %s\n", entry->d_name,
					       file != NULL ? file : "");
	}
	closedir(dir);
	return g_string_free(text, FALSE);
}

/* A test closes the files that it opens, and so does the library. Returns: FALSE if one stays open */
static gboolean run_test(void)
{
	g_autofree char *before = list_open_files();
	g_autofree char *after = NULL;

	CU_run_all_tests();
	after = list_open_files();
	if (g_str_equal(before, after))
		return TRUE;
	printf("# open files before the test:\n%s# open files after it:\n%s", before, after);
	return FALSE;
}

int unit_run(const char *suite_name, const UnitTest *tests, int argc, char **argv)
{
	int failed = 0;
	int number = 0;

	for (const UnitTest *test = tests; test->name != NULL; test++) {
		CU_pSuite suite;
		gboolean ok;

		if (argc > 1 && strstr(test->name, argv[1]) == NULL)
			continue;
		CU_initialize_registry();
		suite = CU_add_suite(suite_name, NULL, NULL);
		CU_add_test(suite, test->name, test->run);
		ok = run_test();
		ok = ok && CU_get_number_of_failures() == 0;
		printf("%sok %d %s.%s\n", ok ? "" : "not ", ++number, suite_name, test->name);
		print_failures(CU_get_failure_list());
		fflush(stdout);
		failed += ok ? 0 : 1;
		CU_cleanup_registry();
	}
	printf("1..%d\n", number);
	if (temp_root != NULL)
		remove_tree(temp_root);
	g_free(temp_root);
	return failed > 0 ? 1 : 0;
}
