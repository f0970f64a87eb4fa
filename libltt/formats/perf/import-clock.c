/* import-clock.c - set the attributes of the trace that describe the clock of its times.
 *
 * The attrs contain the number of the clock. The feature CLOCK_DATA, which `perf record -k` writes,
 * contains a pair of simultaneous times of this clock and of the wall clock.
 */
#include "formats/perf/import-priv.h"

#include "base/bytes-priv.h"

#define FLAG_USE_CLOCKID LTT_PERF_BIT(25)

/* CLOCK_DATA: u32 version, u32 clockid, u64 wall_clock, u64 clock. `perf stat record` writes
 * zeros. */
#define CLOCK_DATA_BYTES 24
#define WALL_AT          8
#define CLOCK_AT         16

/* Clocks, by the clock id of the kernel. */
static const char *const clocks[] = {
	[0] = LTT_CLOCK_WALL,     [1] = LTT_CLOCK_MONOTONIC, [4] = LTT_CLOCK_MONOTONIC_RAW,
	[7] = LTT_CLOCK_BOOTTIME, [11] = LTT_CLOCK_TAI,
};

/* Returns: the clock of the attrs. By default, perf uses the clock of the scheduler, which has no
 * id. */
static const char *find_clock(const LttPerfMeta *meta)
{
	for (guint i = 0; i < ltt_perf_attrs_get_n(meta->attrs); i++) {
		const LttPerfAttr *attr = ltt_perf_attrs_get(meta->attrs, i);

		if ((attr->flags & FLAG_USE_CLOCKID) != 0 && attr->clockid >= 0 &&
		    (guint)attr->clockid < G_N_ELEMENTS(clocks) && clocks[attr->clockid] != NULL)
			return clocks[attr->clockid];
	}
	return LTT_CLOCK_OTHER;
}

gboolean ltt_perf_import_clock(LttPerfImport *import, LttSystem *system, GError **error)
{
	const LttPerfFeature *feature =
		ltt_perf_meta_find_feature(import->meta, LTT_PERF_HAS_CLOCK_DATA);
	const char *clock = find_clock(import->meta);
	const LttByteOrder order = import->meta->order;
	const guint8 *bytes;

	ltt_import_set_clock(system, clock);
	if (feature == NULL || feature->size < CLOCK_DATA_BYTES ||
	    g_str_equal(clock, LTT_CLOCK_OTHER))
		return TRUE;
	bytes = ltt_window_get(ltt_perf_features_window(import), feature->place, CLOCK_DATA_BYTES,
			       error);
	if (bytes == NULL)
		return FALSE;
	ltt_import_set_clock_zero(system, ltt_load_u64(bytes + WALL_AT, order),
				  ltt_load_u64(bytes + CLOCK_AT, order));
	return TRUE;
}
