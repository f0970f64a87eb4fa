/* Opening a packed trace: progress and cancelling. */
#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-archive.h>
#include <ltt/ltt-trace.h>

#include <glib/gstdio.h>

typedef struct Told {
	guint64 n_done; /* the final value */
	guint64 n_total;
	guint n_calls;
	guint n_falls; /* calls with a smaller value than the previous one */
	gboolean ends_it;
} Told;

static gboolean note_progress(const LttProgress *progress, gpointer user_data)
{
	Told *told = user_data;

	told->n_falls += progress->n_done < told->n_done;
	told->n_done = progress->n_done;
	told->n_total = progress->n_total;
	CU_ASSERT_EQUAL(progress->unit, LTT_PROGRESS_BYTES);
	told->n_calls++;
	return !told->ends_it;
}

/* Returns: (transfer full): the path of the archive @name */
static char *make_archive(const char *name)
{
	g_autofree char *trace = unit_data_path("ltt/flight-recorder");
	char *path = unit_temp_path(name);
	const LttPackRequest request = {.trace = trace, .path = path};
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(ltt_pack(&request, NULL, &error), error);
	return path;
}

static LttTraceRequest new_request(const char *path, Told *told)
{
	return (LttTraceRequest){.path = path,
				 .callbacks = {.on_progress = note_progress, .user_data = told}};
}

static void test_packed(void)
{
	static const char *const names[] = {"a.tar.gz", "a.tar.zst"};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = make_archive(names[i]);
		g_autoptr(GError) error = NULL;
		g_autoptr(LttTrace) trace = NULL;
		Told told = {0};
		const LttTraceRequest request = new_request(path, &told);
		GStatBuf status;

		trace = ltt_trace_open_job(&request, &error);
		UNIT_ASSERT_OK(trace != NULL, error);
		CU_ASSERT_EQUAL(g_stat(path, &status), 0);
		CU_ASSERT_TRUE(told.n_calls > 1);
		CU_ASSERT_EQUAL(told.n_falls, 0);
		CU_ASSERT_EQUAL(told.n_total, (guint64)status.st_size);
		CU_ASSERT_TRUE(told.n_done > 0 && told.n_done <= told.n_total);
	}
}

static void test_nothing_is_unpacked(void)
{
	g_autofree char *path = make_archive("plain.tar");
	g_autofree char *directory = unit_data_path("ltt/flight-recorder");
	const char *const paths[] = {path, directory};

	for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(LttTrace) trace = NULL;
		Told told = {.ends_it = TRUE};
		const LttTraceRequest request = new_request(paths[i], &told);

		trace = ltt_trace_open_job(&request, &error);
		UNIT_ASSERT_OK(trace != NULL, error);
		CU_ASSERT_EQUAL(told.n_calls, 0);
	}
}

static void test_ended(void)
{
	g_autofree char *path = make_archive("ended.tar.gz");
	g_autoptr(GError) error = NULL;
	Told told = {.ends_it = TRUE};
	const LttTraceRequest request = new_request(path, &told);

	CU_ASSERT_PTR_NULL(ltt_trace_open_job(&request, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_CANCELLED, "cancelled");
	CU_ASSERT_EQUAL(told.n_calls, 1);
}

UNIT_MAIN("packed-trace", UNIT(test_packed), UNIT(test_nothing_is_unpacked), UNIT(test_ended))
