/* cmd-sync.c - `ltt sync`: estimate the offsets and rates of the clocks of several traces. */
#include "amount.h"
#include "commands.h"
#include "json.h"
#include "opening.h"
#include "syncing.h"
#include "table.h"
#include "tool.h"

#include <ltt/ltt-time.h>

static char **rules;
static double wander_ppm;
static gboolean as_json;

static const GOptionEntry options[] = {
	{"by", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules,
	 "the two ends of a message: SEND:FIELD=RECEIVE:FIELD, two event\n"
	 "types and the fields, separated by commas, that identify a\n"
	 "message; can be given several times",
	 "RULE"},
	{"wander", 0, 0, G_OPTION_ARG_DOUBLE, &wander_ppm,
	 "assume that the rate of a clock changes by up to PPM parts per\n"
	 "million while it is estimated (default: 1)",
	 "PPM"},
	{"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "print JSON", NULL},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE... --by RULE",
	.about =
		"Estimate the offsets and rates of the clocks of several traces, relative to the "
		"clock of\n"
		"the first, from messages between the machines. A message is received after it was "
		"sent,\n"
		"so messages in both directions give a lower and an upper limit of the difference "
		"of two\n"
		"clocks. The bound is the greatest error of any time of the trace.\n",
	.options = options,
	.notes = "The option --sync RULE of ltt merge, dump, stat, cut, export, latency, sql and "
		 "view\n"
		 "converts the times.\n"
		 "\n"
		 "Exit status: 0 success; 1 success, but a trace has no result, or was damaged; 2 "
		 "failure.\n"
		 "\n"
		 "  ltt sync client server --by rpc.send:id=rpc.receive:id\n",
	.min_arguments = 2,
	.max_arguments = -1,
};

/* Returns: the messages of the clock of a trace; @n_from: (out): those that its machine sent */
static guint64 count_messages(const LttSync *sync, guint index, guint64 *n_from)
{
	const GArray *pairs = ltt_sync_get_pairs(sync);
	guint64 n_to = 0;

	*n_from = 0;
	for (guint i = 0; i < pairs->len; i++) {
		const LttSyncPair *pair = &g_array_index(pairs, LttSyncPair, i);

		if (pair->first == index) {
			*n_from += pair->n_to_second;
			n_to += pair->n_to_first;
		} else if (pair->second == index) {
			*n_from += pair->n_to_first;
			n_to += pair->n_to_second;
		}
	}
	return n_to;
}

/* ---- text ---- */

static char *dash(void)
{
	return g_strdup("-");
}

static void add_row(Table *table, const LttSync *sync, LttTrace *const *traces, guint index)
{
	const LttSyncClock *clock = ltt_sync_get_clock(sync, index);
	const gboolean has_map = ltt_sync_get_maps(sync)[index] != NULL;
	guint64 n_from;
	const guint64 n_to = count_messages(sync, index, &n_from);
	char *number = g_strdup_printf("%u", index + 1);
	char *parent = clock->state == LTT_SYNC_FOUND || clock->state == LTT_SYNC_SAME_CLOCK
			       ? g_strdup_printf("%u", clock->parent + 1)
			       : dash();

	table_add(table, number, has_map ? syncing_format_offset(clock->offset_ns) : dash(),
		  has_map ? g_strdup_printf("%+.3f", clock->rate_ppm) : dash(),
		  has_map ? ltt_duration_to_string(clock->bound_ns) : dash(),
		  has_map ? g_strdup_printf("%u", clock->n_bends) : dash(), parent,
		  amount_count(n_from), amount_count(n_to),
		  g_strdup(ltt_trace_get_path(traces[index])), NULL);
}

/* NTP's own estimate is independent of the messages. */
static void print_claim(const LttSyncClock *clock, guint number)
{
	g_autofree char *claim = ltt_duration_to_string(clock->claim_ns);
	const guint64 offset_ns =
		clock->offset_ns < 0 ? -(guint64)clock->offset_ns : (guint64)clock->offset_ns;

	if (!clock->has_claim || clock->state == LTT_SYNC_REFERENCE ||
	    clock->state == LTT_SYNC_SAME_CLOCK)
		return;
	if (clock->state != LTT_SYNC_FOUND)
		tool_print("%u: according to NTP, the clocks differed by at most %s\n", number,
			   claim);
	else if (offset_ns > clock->claim_ns + clock->bound_ns)
		tool_print("%u: according to NTP, the clocks differed by at most %s; messages show "
			   "more\n",
			   number, claim);
}

/* Prints what some messages did not contribute to, and assumptions that did not hold. */
static void print_remarks(const LttSync *sync, guint n_traces)
{
	LttSyncCounts counts;

	ltt_sync_get_counts(sync, &counts);
	if (counts.n_repeated > 0)
		tool_print("%" G_GUINT64_FORMAT " ids were sent more than once: the first counts\n",
			   counts.n_repeated);
	if (counts.n_ambiguous > 0)
		tool_print("%" G_GUINT64_FORMAT " ids were sent by several machines: they do not "
			   "count\n",
			   counts.n_ambiguous);
	if (counts.n_without_id > 0)
		tool_print("%" G_GUINT64_FORMAT " events do not have the fields of the rule\n",
			   counts.n_without_id);
	for (guint i = 0; i < n_traces; i++) {
		const LttSyncClock *clock = ltt_sync_get_clock(sync, i);
		const double asked_ppm = wander_ppm > 0 ? wander_ppm : LTT_SYNC_WANDER_PPM;

		if (clock->state == LTT_SYNC_FOUND && clock->wander_ppm > asked_ppm * 1.5)
			tool_print("%u: the rate changes by %.0f ppm, more than expected\n", i + 1,
				   clock->wander_ppm);
		print_claim(clock, i + 1);
	}
}

static void print_text(const LttSync *sync, LttTrace *const *traces, guint n_traces)
{
	g_autoptr(Table) table = table_new(">clock", ">offset, s", ">rate, ppm", ">bound", ">bends",
					   ">by", ">sent", ">received", "trace", NULL);

	for (guint i = 0; i < n_traces; i++)
		add_row(table, sync, traces, i);
	table_print(table);
	print_remarks(sync, n_traces);
}

/* ---- JSON ---- */

static void print_clock(Json *json, const LttSync *sync, LttTrace *const *traces, guint index)
{
	const LttSyncClock *clock = ltt_sync_get_clock(sync, index);

	json_open(json, NULL, '{');
	json_text(json, "trace", ltt_trace_get_path(traces[index]));
	json_text(json, "state", ltt_sync_state_name(clock->state));
	if (ltt_sync_get_maps(sync)[index] != NULL) {
		json_number(json, "by", clock->parent + 1);
		json_integer(json, "offset_ns", clock->offset_ns);
		json_real(json, "rate_ppm", clock->rate_ppm);
		json_number(json, "bound_ns", clock->bound_ns);
		json_number(json, "bends", clock->n_bends);
		json_real(json, "wander_ppm", clock->wander_ppm);
	}
	if (clock->has_claim)
		json_number(json, "ntp_bound_ns", clock->claim_ns);
	json_close(json, '}');
}

static void print_pair(Json *json, const LttSyncPair *pair)
{
	json_open(json, NULL, '{');
	json_number(json, "first", pair->first + 1);
	json_number(json, "second", pair->second + 1);
	json_number(json, "to_second", pair->n_to_second);
	json_number(json, "to_first", pair->n_to_first);
	if (pair->state == LTT_SYNC_FOUND)
		json_number(json, "bound_ns", pair->bound_ns);
	else
		json_null(json, "bound_ns");
	json_close(json, '}');
}

static void print_json(const LttSync *sync, LttTrace *const *traces, guint n_traces)
{
	const GArray *pairs = ltt_sync_get_pairs(sync);
	LttSyncCounts counts;
	Json json = {0};

	ltt_sync_get_counts(sync, &counts);
	json_open(&json, NULL, '{');
	json_open(&json, "clocks", '[');
	for (guint i = 0; i < n_traces; i++)
		print_clock(&json, sync, traces, i);
	json_close(&json, ']');
	json_open(&json, "pairs", '[');
	for (guint i = 0; i < pairs->len; i++)
		print_pair(&json, &g_array_index(pairs, LttSyncPair, i));
	json_close(&json, ']');
	json_number(&json, "messages", counts.n_messages);
	json_number(&json, "sends", counts.n_sends);
	json_number(&json, "receives", counts.n_receives);
	json_number(&json, "repeated", counts.n_repeated);
	json_number(&json, "ambiguous", counts.n_ambiguous);
	json_number(&json, "without_id", counts.n_without_id);
	json_close(&json, '}');
}

/* ---- the command ---- */

static void show(LttTrace *const *traces, guint n_traces)
{
	g_autoptr(LttSync) sync = syncing_find(traces, n_traces, rules, wander_ppm);

	if (sync == NULL)
		return;
	if (as_json)
		print_json(sync, traces, n_traces);
	else
		print_text(sync, traces, n_traces);
	for (guint i = 0; i < n_traces; i++) {
		g_autofree char *reason = ltt_sync_dup_reason(sync, traces, i);

		if (reason != NULL)
			tool_warn("%s: %s", ltt_trace_get_path(traces[i]), reason);
	}
}

int cmd_sync(int argc, char **argv)
{
	g_autoptr(GPtrArray) traces =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_trace_free);

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (rules == NULL)
		return tool_fail("--by RULE is missing; see `%s --help`", g_get_prgname());
	if (wander_ppm < 0 || wander_ppm > 1000)
		return tool_fail("--wander: expected a number from 0 to 1000");
	for (int i = 1; i < argc; i++) {
		LttTrace *trace = opening_open(argv[i]);

		if (trace == NULL)
			return tool_end();
		g_ptr_array_add(traces, trace);
	}
	show((LttTrace *const *)traces->pdata, traces->len);
	return tool_end();
}
