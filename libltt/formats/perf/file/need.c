/* need.c - the records on which other records depend.
 *
 * perf uses earlier records to print a sample: COMM and FORK for the names of threads, MMAP and
 * build ids for symbols, ID_INDEX for the event. An export of a part of a recording must contain
 * these records; without them, perf prints "[unknown]".
 */
#include "formats/perf/file/catalog-priv.h"
#include "formats/perf/file/records-priv.h"

LttPerfNeed ltt_perf_record_need(guint32 type)
{
	switch (type) {
	case LTT_PERF_MMAP:
	case LTT_PERF_COMM:
	case LTT_PERF_FORK:
	case LTT_PERF_MMAP2:
	case LTT_PERF_ITRACE_START:
	case LTT_PERF_NAMESPACES:
	case LTT_PERF_KSYMBOL:
	case LTT_PERF_BPF_EVENT:
	case LTT_PERF_CGROUP_RECORD:
	case LTT_PERF_TEXT_POKE:
	case LTT_PERF_AUX_OUTPUT_HW_ID:
		return LTT_PERF_NEED_BEFORE;
	case LTT_PERF_BUILD_ID:
	case LTT_PERF_ID_INDEX:
	case LTT_PERF_AUXTRACE_INFO:
	case LTT_PERF_THREAD_MAP:
	case LTT_PERF_CPU_MAP:
	case LTT_PERF_STAT_CONFIG:
	case LTT_PERF_EVENT_UPDATE:
	case LTT_PERF_TIME_CONV:
	case LTT_PERF_BPF_METADATA:
		return LTT_PERF_NEED_ALWAYS;
	default:
		return LTT_PERF_NEED_NOT;
	}
}

char *ltt_perf_record_names_of(LttPerfNeed need, char separator)
{
	GString *names = g_string_new(NULL);
	guint n;
	const LttPerfRecordKind *kinds = ltt_perf_record_kinds(&n);

	for (guint i = 0; i < n; i++) {
		if (ltt_perf_record_need(kinds[i].type) != need)
			continue;
		if (names->len > 0)
			g_string_append_c(names, separator);
		g_string_append_printf(names, LTT_PERF_FACILITY ".%s", kinds[i].name);
	}
	return g_string_free(names, FALSE);
}
