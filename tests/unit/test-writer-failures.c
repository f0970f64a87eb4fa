/* The writer fails: the directory exists, the disk is full, the trace is abandoned. */
#include "support-trace.h"
#include "support-writer.h"
#include "unit.h"

#include <ltt/ltt-error.h>

#include <glib/gstdio.h>
#include <unistd.h>

static void test_a_directory_that_is_there(void)
{
	g_autofree char *path = writer_fresh_path();
	g_autofree char *below = g_build_filename(path, "no", "such", NULL);
	g_autoptr(LttSystem) system = unit_system_new(LTT_BIG_ENDIAN, LTT_LP64, 96);
	g_autoptr(GError) error = NULL;

	g_mkdir(path, 0700);
	CU_ASSERT_PTR_NULL(ltt_trace_writer_new(path, system, NULL, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_EXISTS, path);
	g_clear_error(&error);
	CU_ASSERT_PTR_NULL(ltt_trace_writer_new(below, system, NULL, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_IO, "could not make the directory");
	CU_ASSERT_EQUAL(g_rmdir(path), 0); /* it is still empty */
}

/* Files that the caller added to the trace are removed, the targets of links are not. */
static void test_abandon_leaves_nothing(void)
{
	g_autofree char *path = writer_fresh_path();
	g_autofree char *kept = writer_fresh_path();
	g_autofree char *note = g_build_filename(path, "info", "bookmarks.xml", NULL);
	g_autofree char *link = g_build_filename(path, "info", "link", NULL);
	g_autofree char *inside = g_build_filename(kept, "file", NULL);
	g_autoptr(LttFacility) facility = writer_facility();
	LttTraceWriter *writer = writer_new(path, 96);

	writer_load(writer, facility, 4);
	ltt_tracefile_writer_event(ltt_trace_writer_open(writer, "cpu/0", NULL), 1, 4, NULL, 0,
				   NULL);
	g_mkdir(kept, 0700);
	CU_ASSERT(g_file_set_contents(inside, "x", 1, NULL));
	CU_ASSERT(g_file_set_contents(note, "x", 1, NULL));
	CU_ASSERT_EQUAL(symlink(kept, link), 0);
	ltt_trace_writer_abandon(writer);
	CU_ASSERT_FALSE(g_file_test(path, G_FILE_TEST_EXISTS));
	CU_ASSERT(g_file_test(inside, G_FILE_TEST_EXISTS));
	ltt_trace_writer_abandon(NULL);
	ltt_trace_writer_free(NULL);
}

/* /dev/full acts as a full disk. Nothing is lost: each call tries to write the block again. */
static void test_a_full_disk_that_gets_room_again(void)
{
	g_autofree char *path = writer_fresh_path();
	g_autofree char *cpu0 = g_build_filename(path, "cpu", "0", NULL);
	g_autoptr(LttFacility) facility = writer_facility();
	g_autoptr(GError) error = NULL;
	g_autoptr(GByteArray) text = unit_bytes("61*33 00");
	g_autoptr(LttTraceWriter) writer = writer_new(path, 96);
	LttTracefileWriter *file = ltt_trace_writer_open(writer, "cpu/0", NULL);

	writer_load(writer, facility, 4);
	g_remove(cpu0);
	CU_ASSERT_EQUAL_FATAL(symlink("/dev/full", cpu0), 0);
	UNIT_ASSERT_OK(ltt_tracefile_writer_event(file, 1, 5, text->data, 34, &error), error);
	for (guint i = 0; i < 2; i++) {
		CU_ASSERT_FALSE(ltt_tracefile_writer_event(file, 2, 4, NULL, 0, &error));
		UNIT_ASSERT_ERROR(error, LTT_ERROR_IO,
				  "cpu/0: could not write: No space left on device");
		g_clear_error(&error);
	}
	g_remove(cpu0);
	CU_ASSERT(g_file_set_contents(cpu0, "", 0, NULL));
	UNIT_ASSERT_OK(ltt_tracefile_writer_event(file, 2, 4, NULL, 0, &error), error);
	UNIT_ASSERT_OK(ltt_trace_writer_close(writer, &error), error);
	UNIT_ASSERT_FILE(path, "cpu/0",
			 "01 00  00 00 00 00  00 00 00 00  01 00 00 00  01 00*7  00 00 00 00 "
			 "05 00  00 00 00 00  61*33 00 "
			 "02 00  00 00 00 00  00 00 00 00  01 00 00 00  01 00*7  00 00 00 00 "
			 "42 00 00 00 "
			 "01 00  00 00 00 00  00 00 00 00  02 00 00 00  02 00*7  01 00 00 00 "
			 "04 00  00 00 00 00 "
			 "02 00  00 00 00 00  00 00 00 00  02 00 00 00  02 00*7  01 00 00 00 "
			 "00*34  20 00 00 00");
}

static void test_closing_on_a_full_disk(void)
{
	g_autofree char *path = writer_fresh_path();
	g_autofree char *loads = g_build_filename(path, "control", "facilities", NULL);
	g_autoptr(LttFacility) facility = writer_facility();
	g_autoptr(GError) error = NULL;
	LttTraceWriter *writer = writer_new(path, 96);

	writer_load(writer, facility, 4);
	g_remove(loads);
	CU_ASSERT_EQUAL_FATAL(symlink("/dev/full", loads), 0);
	CU_ASSERT_FALSE(ltt_trace_writer_close(writer, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_IO, "control/facilities: could not write");
	ltt_trace_writer_abandon(writer);
	CU_ASSERT_FALSE(g_file_test(path, G_FILE_TEST_EXISTS));
}

UNIT_MAIN("writer-failures", UNIT(test_a_directory_that_is_there),
	  UNIT(test_abandon_leaves_nothing), UNIT(test_a_full_disk_that_gets_room_again),
	  UNIT(test_closing_on_a_full_disk))
