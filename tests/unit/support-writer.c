/* support-writer.c - see support-writer.h. */
#include "support-writer.h"

#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-eventdefs.h>

char *writer_fresh_path(void)
{
	static guint n_made;
	g_autofree char *name = g_strdup_printf("refuses-%u", n_made++);

	return unit_temp_path(name);
}

LttFacility *writer_facility(void)
{
	LttFacility *facility = ltt_facility_new("various");
	LttType *either = ltt_type_new_union(LTT_WIDTH_1);

	ltt_type_add_field(either, "word", NULL, ltt_type_new_uint(LTT_WIDTH_2));
	ltt_type_add_field(either, "text", NULL, ltt_type_new_string());
	ltt_facility_add_event(facility, "none", NULL, NULL);
	ltt_facility_add_event(facility, "text", NULL, ltt_type_new_string());
	ltt_facility_add_event(
		facility, "pairs", NULL,
		ltt_type_new_sequence(LTT_WIDTH_2,
				      ltt_type_new_array(2, ltt_type_new_uint(LTT_WIDTH_1))));
	ltt_facility_add_event(facility, "either", NULL, either);
	CU_ASSERT_FATAL(ltt_facility_seal(facility, NULL));
	return facility;
}

LttTraceWriter *writer_new(const char *path, guint64 block_bytes)
{
	g_autoptr(LttSystem) system = unit_system_new(LTT_LITTLE_ENDIAN, LTT_LP64, block_bytes);
	g_autoptr(GError) error = NULL;
	LttTraceWriter *writer = ltt_trace_writer_new(path, system, NULL, &error);

	UNIT_ASSERT_OK(writer != NULL, error);
	return writer;
}

void writer_load(LttTraceWriter *writer, const LttFacility *facility, guint32 expected)
{
	g_autoptr(GError) error = NULL;
	guint32 base_code = 0;

	UNIT_ASSERT_OK(ltt_trace_writer_load(writer, facility, &base_code, &error), error);
	CU_ASSERT_EQUAL(base_code, expected);
}
