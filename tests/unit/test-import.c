/* Imports and exports by the library: imported traces are valid, and exports equal the recording,
 * also if the recording is damaged; progress and cancelling. */
#include "support-damage.h"
#include "support-trace.h"
#include "unit.h"

#include "base/directory-priv.h"

#include <ltt/ltt-check.h>
#include <ltt/ltt-export.h>
#include <ltt/ltt-import.h>

#include <glib/gstdio.h>
#include <string.h>

#define N_DAMAGES 25

static gboolean append(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)error;
	g_byte_array_append(user_data, (const guint8 *)bytes, (guint)length);
	return TRUE;
}

static void count_problem(const LttProblem *problem, gpointer user_data)
{
	CU_ASSERT_PTR_NOT_NULL(problem->message);
	(*(guint *)user_data)++;
}

static void check_trace(LttTrace *trace)
{
	LttCheckSummary summary;

	CU_ASSERT_TRUE(ltt_check(&(LttCheckRequest){.trace = trace}, &summary, NULL));
	CU_ASSERT_EQUAL(summary.n_problems, 0);
	CU_ASSERT_EQUAL(summary.n_open_blocks, 0);
}

/* Returns: FALSE if it is not a recording of the kind */
static gboolean is_same_again(const char *kind, const GByteArray *bytes)
{
	g_autofree char *file = unit_temp_path("recording");
	g_autofree char *folder = unit_temp_path("trace");
	g_autoptr(GByteArray) out = g_byte_array_new();
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(GError) error = NULL;
	guint n_problems = 0;
	const LttImportRequest in = {
		.path = file,
		.kind = kind,
		.output = folder,
		.callbacks = {.on_problem = count_problem, .user_data = &n_problems}};
	LttExportRequest again = {.kind = kind, .write = append, .write_data = out};

	g_file_set_contents(file, (const char *)bytes->data, bytes->len, NULL);
	if (!ltt_import(&in, NULL, &error)) {
		CU_ASSERT(g_error_matches(error, LTT_ERROR, LTT_ERROR_UNSUPPORTED) ||
			  g_error_matches(error, LTT_ERROR, LTT_ERROR_CORRUPT));
		CU_ASSERT_FALSE(g_file_test(folder, G_FILE_TEST_EXISTS));
		return FALSE;
	}
	trace = ltt_trace_open(folder, &error);
	UNIT_ASSERT_OK(trace != NULL, error);
	check_trace(trace);
	again.trace = trace;
	UNIT_ASSERT_OK(ltt_export(&again, NULL, &error), error);
	CU_ASSERT_EQUAL(out->len, bytes->len);
	CU_ASSERT_TRUE(out->len == bytes->len && memcmp(out->data, bytes->data, out->len) == 0);
	ltt_directory_remove(folder);
	return TRUE;
}

static void check_damages(const char *kind, const char *name)
{
	g_autofree char *folder = unit_data_path("");
	g_autoptr(GByteArray) bytes = unit_file_bytes(folder, name);
	GRand *random = g_rand_new_with_seed(5);
	guint n_read = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	for (guint i = 0; i < N_DAMAGES; i++) {
		g_autoptr(GByteArray) damaged = g_byte_array_new();

		g_byte_array_append(damaged, bytes->data, bytes->len);
		unit_damage(random, damaged);
		n_read += is_same_again(kind, damaged);
	}
	CU_ASSERT(n_read > N_DAMAGES / 2);
	g_rand_free(random);
}

static void test_revent_damaged(void)
{
	check_damages("revent", "revent/v3-gamepad.revent");
	check_damages("revent", "revent/v1-general.revent");
	check_damages("revent", "revent/headerless-24.revent");
}

static void test_qemu_damaged(void)
{
	check_damages("qemu-replay", "qemu/synthetic-2.12.rr");
	check_damages("qemu-replay", "qemu/synthetic-7.2.rr");
}

/* ---- callbacks ---- */

static void test_kinds(void)
{
	const LttImportKind *const *kind = ltt_import_kinds();

	for (; *kind != NULL; kind++) {
		CU_ASSERT_PTR_EQUAL(ltt_import_find_kind((*kind)->name), *kind);
		CU_ASSERT_PTR_NOT_NULL(ltt_export_find_kind((*kind)->name));
	}
	CU_ASSERT_PTR_NULL(ltt_import_find_kind("nothing"));
}

static void test_kind_that_was_found(void)
{
	g_autofree char *path = unit_data_path("qemu/q2.8-empty.rr");
	g_autofree char *folder = unit_temp_path("found");
	const LttImportRequest request = {.path = path, .output = folder};
	LttImportSummary summary = {0};
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(ltt_import(&request, &summary, &error), error);
	CU_ASSERT_PTR_NOT_NULL_FATAL(summary.kind);
	UNIT_ASSERT_TEXT(summary.kind->name, "qemu-replay");
	ltt_directory_remove(folder);
}

static void test_a_kind_that_there_is_not(void)
{
	g_autofree char *folder = unit_temp_path("none");
	const LttImportRequest request = {.path = "/dev/null", .kind = "nothing", .output = folder};
	g_autoptr(GError) error = NULL;

	CU_ASSERT_FALSE(ltt_import(&request, NULL, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_INVALID, "nothing: unknown kind of recording");
	CU_ASSERT_FALSE(g_file_test(folder, G_FILE_TEST_EXISTS));
}

static gboolean stop(const LttProgress *progress, gpointer user_data)
{
	CU_ASSERT(progress->n_done <= progress->n_total);
	(*(guint *)user_data)++;
	return FALSE;
}

/* A log with enough events for calls of on_progress. */
static void test_ended_by_its_caller(void)
{
	static const guint8 header[12] = {0, 0xe0, 0x20, 0x0c};
	g_autofree char *path = unit_temp_path("long.rr");
	g_autofree char *folder = unit_temp_path("ended");
	g_autofree char *aside = unit_temp_path("ended.part0");
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	guint n_asked = 0;
	const LttImportRequest request = {
		.path = path,
		.output = folder,
		.callbacks = {.on_progress = stop, .user_data = &n_asked},
	};
	g_autoptr(GError) error = NULL;

	g_byte_array_append(bytes, header, sizeof(header));
	g_byte_array_set_size(bytes, 100000);
	memset(bytes->data + sizeof(header), 36, bytes->len - sizeof(header));
	bytes->data[bytes->len - 1] = 39;
	g_file_set_contents(path, (const char *)bytes->data, bytes->len, NULL);
	CU_ASSERT_FALSE(ltt_import(&request, NULL, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_CANCELLED, "cancelled");
	CU_ASSERT_EQUAL(n_asked, 1);
	CU_ASSERT_FALSE(g_file_test(folder, G_FILE_TEST_EXISTS));
	CU_ASSERT_FALSE(g_file_test(aside, G_FILE_TEST_EXISTS));
}

UNIT_MAIN("import", UNIT(test_revent_damaged), UNIT(test_qemu_damaged), UNIT(test_kinds),
	  UNIT(test_kind_that_was_found), UNIT(test_a_kind_that_there_is_not),
	  UNIT(test_ended_by_its_caller))
