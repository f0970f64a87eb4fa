/* cache-pack.c - the map as bytes (cache-priv.h). cache-unpack.c reads them in the same order. */
#include "view/cache-priv.h"
#include "view/counters-priv.h"
#include "view/damage-priv.h"

#include <ltt/ltt-join.h>

/* ---- texts ---- */

static void pack_texts(GByteArray *out, const GPtrArray *texts)
{
	ltt_serial_put_u32(out, texts->len);
	for (guint i = 0; i < texts->len; i++)
		ltt_serial_put_text(out, texts->pdata[i]);
}

/* ---- lanes ---- */

static void pack_lane(GByteArray *out, const LttLane *lane)
{
	ltt_serial_put_u32(out, lane->key.kind);
	ltt_serial_put_u32(out, lane->key.member);
	ltt_serial_put_u32(out, lane->key.host);
	ltt_serial_put_u32(out, lane->key.pid);
	ltt_serial_put_u32(out, lane->key.tid);
	ltt_serial_put_u32(out, (guint32)lane->key.has_thread);
	ltt_serial_put_u64(out, lane->n_events);
	ltt_serial_put_u64(out, lane->first_ns);
	ltt_serial_put_u64(out, lane->last_ns);
	ltt_serial_put_u32(out, lane->n_depths);
	ltt_serial_put_u32(out, lane->cells->len);
	for (guint i = 0; i < lane->cells->len; i++) {
		const LttLaneCell *cell = &g_array_index(lane->cells, LttLaneCell, i);

		ltt_serial_put_u32(out, cell->bin);
		ltt_serial_put_u32(out, cell->name);
		ltt_serial_put_u64(out, cell->longest);
		ltt_serial_put_u64(out, cell->covered);
		ltt_serial_put_u32(out, cell->n);
		ltt_serial_put_u32(out, cell->depth);
	}
	ltt_serial_put_u32(out, lane->longs->len);
	for (guint i = 0; i < lane->longs->len; i++) {
		const LttLaneSpan *span = &g_array_index(lane->longs, LttLaneSpan, i);

		ltt_serial_put_u64(out, span->begin_ns);
		ltt_serial_put_u64(out, span->end_ns);
		ltt_serial_put_u32(out, span->name);
		ltt_serial_put_u32(out, span->depth);
		ltt_serial_put_u32(out, span->outcome);
	}
}

/* ---- counters ---- */

static void pack_number(GByteArray *out, const LttViewNumber *number)
{
	ltt_serial_put_u32(out, number->kind);
	ltt_serial_put_u64(out, number->u);
}

static void pack_counters(GByteArray *out, const LttViewCounters *counters)
{
	GHashTableIter iter;
	gpointer lane;
	gpointer data;

	pack_texts(out, counters->names);
	ltt_serial_put_u64(out, counters->axis.bin_ns);
	ltt_serial_put_u32(out, g_hash_table_size(counters->tracks));
	g_hash_table_iter_init(&iter, counters->tracks);
	while (g_hash_table_iter_next(&iter, &lane, &data)) {
		const GArray *cells = data;

		ltt_serial_put_u32(out, GPOINTER_TO_UINT(lane));
		ltt_serial_put_u32(out, cells->len);
		for (guint i = 0; i < cells->len; i++) {
			const LttCounterCell *cell = &g_array_index(cells, LttCounterCell, i);

			ltt_serial_put_u32(out, cell->bin);
			ltt_serial_put_u32(out, cell->n);
			pack_number(out, &cell->min);
			pack_number(out, &cell->max);
			pack_number(out, &cell->last);
		}
	}
}

/* ---- the map ---- */

static void pack_points(GByteArray *out, const GArray *points)
{
	ltt_serial_put_u32(out, points->len);
	for (guint i = 0; i < points->len; i++) {
		const LttViewPoint *point = &g_array_index(points, LttViewPoint, i);
		gsize length;
		const guint8 *open = g_bytes_get_data(point->open, &length);

		ltt_serial_put_u64(out, point->time_ns);
		ltt_serial_put_u32(out, (guint32)length);
		ltt_serial_put_bytes(out, open, length);
	}
}

static void pack_damages(GByteArray *out, const GArray *damages)
{
	ltt_serial_put_u32(out, damages->len);
	for (guint i = 0; i < damages->len; i++) {
		const LttViewDamage *damage = &g_array_index(damages, LttViewDamage, i);

		ltt_serial_put_u32(out, damage->file);
		ltt_serial_put_u32(out, damage->lane);
		ltt_serial_put_u64(out, damage->from_ns);
		ltt_serial_put_u64(out, damage->to_ns);
		ltt_serial_put_text(out, damage->text);
	}
}

void ltt_view_map_pack(const LttViewMap *map, GByteArray *out)
{
	ltt_view_stat_pack(&map->stat, out);
	for (guint i = 0; i < ltt_trace_get_n_members(map->trace); i++)
		ltt_serial_put_u64(out, map->member_last_ns[i]);
	pack_texts(out, map->names);
	ltt_serial_put_u64(out, map->lane_axis.bin_ns);
	ltt_serial_put_u32(out, map->lanes->len);
	for (guint i = 0; i < map->lanes->len; i++)
		pack_lane(out, map->lanes->pdata[i]);
	ltt_serial_put_u32(out, map->n_omitted);
	pack_counters(out, map->counters);
	pack_points(out, map->points);
	pack_damages(out, map->damages);
	ltt_serial_put_u64(out, map->n_problems);
	pack_texts(out, map->problems);
}
