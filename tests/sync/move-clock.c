/* move-clock.c - copy a trace as if the clock of its machine had been another one.
 *
 * usage: move-clock SEED OFFSET_S DRIFT_PPM WANDER_PPM FROM TO
 *
 * The clock is ahead by up to OFFSET_S seconds and its rate differs by up to DRIFT_PPM; it changes
 * every 200 ms by a little, and by less than WANDER_PPM in all. The numbers are random, but the same
 * SEED gives the same trace. TO has neither name nor boot_id of the machine.
 */
#include <ltt/ltt.h>

#include <stdio.h>
#include <stdlib.h>

#define STEP_NS ((guint64)200000000)
#define PER_PPM 1e-6

/* Returns: the points of the clock from @from_ns to @to_ns */
static GArray *make_points(char **words, guint64 from_ns, guint64 to_ns)
{
	g_autoptr(GRand) random = g_rand_new_with_seed((guint32)atoi(words[0]));
	const double offset_ns = g_rand_double(random) * atof(words[1]) * LTT_NS_PER_S;
	const double drift = (2 * g_rand_double(random) - 1) * atof(words[2]) * PER_PPM;
	const double wander = atof(words[3]) * PER_PPM;
	GArray *points = g_array_new(FALSE, FALSE, sizeof(LttClockPoint));
	const guint64 n_steps = (to_ns - from_ns) / STEP_NS + 2;
	double ahead_ns = offset_ns;
	double change = 0;

	for (guint64 i = 0; i <= n_steps; i++) {
		const LttClockPoint point = {from_ns + i * STEP_NS,
					     from_ns + i * STEP_NS + (guint64)ahead_ns};

		g_array_append_val(points, point);
		change += (g_rand_double(random) - 0.5) * wander / 4;
		change = CLAMP(change, -0.5 * wander, 0.5 * wander);
		ahead_ns += (drift + change) * (double)STEP_NS;
	}
	return points;
}

/* Returns: (nullable): the trace on the other clock. Owns @trace */
static LttTrace *move(LttTrace *trace, char **words, GError **error)
{
	g_autoptr(LttClockMap) map = NULL;
	g_autoptr(GArray) points = NULL;
	guint64 from_ns = 0;
	guint64 to_ns = 0;

	ltt_trace_get_span(trace, &from_ns, &to_ns);
	points = make_points(words, from_ns, to_ns);
	map = ltt_clock_map_new((const LttClockPoint *)(gconstpointer)points->data, points->len,
				error);
	return map != NULL ? ltt_trace_join_by_maps(&trace, 1, &map, error) : NULL;
}

int main(int argc, char **argv)
{
	g_autoptr(LttTrace) joined = NULL;
	g_autoptr(GError) error = NULL;
	LttJoinWriteRequest request;
	LttTrace *trace;

	if (argc != 7)
		return 2;
	trace = ltt_trace_open(argv[5], &error);
	if (trace != NULL)
		joined = move(trace, argv + 1, &error);
	request = (LttJoinWriteRequest){.joined = joined, .path = argv[6]};
	if (joined != NULL && ltt_join_write(&request, NULL, &error))
		return 0;
	fprintf(stderr, "%s\n", error->message);
	return 1;
}
