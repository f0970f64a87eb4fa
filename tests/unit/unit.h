/* unit.h - a test program is a list of tests, run by CUnit; prints results as TAP.
 *
 *	static void test_sum(void) { CU_ASSERT_EQUAL(1 + 1, 2); }
 *	UNIT_MAIN("arithmetic", UNIT(test_sum))
 */
#ifndef UNIT_H
#define UNIT_H

#include <CUnit/CUnit.h>

typedef struct UnitTest {
	const char *name;
	CU_TestFunc run;
} UnitTest;

/* Runs the tests, prints a TAP line for each and the failed assertions under it.
 * Returns: the exit status: 0 if all passed. A word on the command line selects tests by part of
 * the name. */
int unit_run(const char *suite, const UnitTest *tests, int argc, char **argv);

/* Paths for tests: in the source tree, and a temporary directory that is removed at the end. */
char *unit_data_path(const char *name);
char *unit_temp_path(const char *name);

/* Fails the test, and prints both texts, if they differ. */
void unit_assert_text(const char *got, const char *expected, const char *file, int line);
#define UNIT_ASSERT_TEXT(got, expected) unit_assert_text(got, expected, __FILE__, __LINE__)

/* Fails the test, and prints @error if it is set, unless @condition holds. */
#define UNIT_ASSERT_OK(condition, error)                                                           \
	unit_assert_ok((condition), #condition, error, __FILE__, __LINE__)
struct _GError;
void unit_assert_ok(int ok, const char *condition, const struct _GError *error, const char *file,
		    int line);

#define UNIT(test)                                                                                 \
	{                                                                                          \
#test, test                                                                        \
	}
#define UNIT_MAIN(suite, ...)                                                                      \
	int main(int argc, char **argv)                                                            \
	{                                                                                          \
		static const UnitTest tests[] = {__VA_ARGS__, {NULL, NULL}};                       \
		return unit_run(suite, tests, argc, argv);                                         \
	}

#endif
