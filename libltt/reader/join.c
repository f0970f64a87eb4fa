/* join.c - read several traces as one. See ltt-join.h.
 *
 * A joined trace borrows the tracefiles of its members. Each tracefile still reads through its own
 * trace, which holds its store and its descriptions. Only its name and its position in the list
 * change. Code that reads single tracefiles therefore needs no special case for joined traces.
 */
#include "reader/conversions-priv.h"
#include "reader/follow-priv.h"
#include "reader/hosts-priv.h"
#include "reader/join-names-priv.h"
#include "reader/recordings-priv.h"

#include "base/error-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-time.h>

/* ---- a store without files ---- */

static gboolean list_nothing(const LttStore *store, const char *folder, GPtrArray *names,
			     GError **error)
{
	(void)store;
	(void)folder;
	(void)names;
	(void)error;
	return TRUE;
}

static LttStoredKind look_for_nothing(const LttStore *store, const char *name)
{
	(void)store;
	(void)name;
	return LTT_STORED_NOTHING;
}

static gboolean open_nothing(const LttStore *store, const char *name, LttStoredFile *file,
			     GError **error)
{
	(void)store;
	(void)name;
	(void)file;
	return ltt_fail(error, LTT_ERROR_IO, "several traces read as one have no files");
}

static char *dup_place(const LttStore *store, const char *name)
{
	return g_build_filename(store->path, name, NULL);
}

static gboolean find_name(const LttStore *store, char **name, GError **error)
{
	(void)error;
	*name = g_strdup(store->path);
	return TRUE;
}

static void free_nothing(LttStore *store)
{
	g_free(store);
}

static LttStore *new_store(LttTrace *const *traces, guint n_traces)
{
	static const LttStoreKind kind = {list_nothing, look_for_nothing, open_nothing,
					  dup_place,    find_name,        free_nothing};
	LttStore *store = g_new(LttStore, 1);
	GString *path = g_string_new(NULL);

	for (guint i = 0; i < n_traces; i++)
		g_string_append_printf(path, "%s%s", i > 0 ? " + " : "",
				       ltt_trace_get_path(traces[i]));
	*store = (LttStore){&kind, g_string_free(path, FALSE)};
	return store;
}

/* ---- tracefiles ---- */

/* Reports the earlier problems of a member under the new names of its tracefiles. Problems of other
 * files are reported with the path of the trace. */
static void take_problems(LttTrace *joined, const LttTrace *member)
{
	g_autoptr(GHashTable) names = g_hash_table_new(ltt_hash_text, g_str_equal);

	for (guint i = 0; i < member->tracefiles->len; i++) {
		LttTracefile *tracefile = member->tracefiles->pdata[i];

		g_hash_table_insert(names, tracefile->stored_name, tracefile->name);
	}
	for (guint i = 0; i < member->problems->len; i++) {
		const LttProblem *problem = member->problems->pdata[i];
		const char *file = problem->tracefile != NULL ? problem->tracefile : "";
		const char *name = g_hash_table_lookup(names, file);
		g_autofree char *place =
			name != NULL ? g_strdup(name)
				     : g_build_filename(ltt_trace_get_path(member), file, NULL);

		ltt_trace_add_problem(joined, place, problem->block, problem->byte,
				      problem->message);
	}
}

/* Reports a member that is moved out of range. */
static void check_values(LttTrace *joined, const LttTrace *member)
{
	g_autoptr(GError) error = NULL;
	char most[LTT_TIME_TEXT_BYTES];

	if (ltt_trace_check_values(member, LTT_MAX_TIME_NS, &error))
		return;
	ltt_time_format(LTT_MAX_TIME_NS, most);
	ltt_trace_add_problem_printf(joined, ltt_trace_get_path(member),
				     "%s; times below 0 are read as 0, and those above %s as %s",
				     error->message, most, most);
}

static gint compare_tracefiles(gconstpointer a, gconstpointer b)
{
	return ltt_tracefile_compare(*(LttTracefile *const *)a, *(LttTracefile *const *)b);
}

static void add_member(LttTrace *joined, LttTrace *member)
{
	for (guint i = 0; i < member->tracefiles->len; i++) {
		ltt_tracefile_forget(member->tracefiles->pdata[i]);
		g_ptr_array_add(joined->tracefiles, member->tracefiles->pdata[i]);
	}
	for (guint i = 0; i < member->slots->loads->len; i++)
		g_ptr_array_add(joined->slots->loads, member->slots->loads->pdata[i]);
	joined->slots->has_threads |= member->slots->has_threads;
	take_problems(joined, member);
	check_values(joined, member);
	member->joined = joined;
}

/* ---- join ---- */

static void set_number(LttSystem *system, const char *name, guint64 value)
{
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, value);

	ltt_system_set(system, name, text);
}

/* Keeps the attributes that relate the times to a clock if all traces have the same ones and no
 * time offset. */
static void join_clocks(LttSystem *system, LttTrace *const *traces, guint n_traces)
{
	static const char *const attributes[] = {LTT_SYSTEM_CLOCK, LTT_SYSTEM_CLOCK_ZERO};
	gboolean is_one_clock = TRUE;

	for (guint i = 0; i < n_traces; i++)
		for (guint j = 0; j < G_N_ELEMENTS(attributes); j++)
			is_one_clock =
				is_one_clock && traces[i]->offset_ns == 0 &&
				traces[i]->clock_map == NULL &&
				g_strcmp0(ltt_system_get(system, attributes[j]),
					  ltt_system_get(traces[i]->system, attributes[j])) == 0;
	for (guint j = 0; !is_one_clock && j < G_N_ELEMENTS(attributes); j++)
		ltt_system_set(system, attributes[j], NULL);
	ltt_system_set(system, "monotonic_zero", NULL);
	ltt_system_set(system, LTT_SYSTEM_CLOCK_ERROR, NULL);
}

/* Sets an attribute that is a word, or a list of them, to all names that it has in any trace. */
static void join_names(LttSystem *system, const char *attribute, LttTrace *const *traces,
		       guint n_traces)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	g_autoptr(GString) all = g_string_new(NULL);

	for (guint i = 0; i < n_traces; i++) {
		const char *own = ltt_system_get(traces[i]->system, attribute);
		g_auto(GStrv) names = g_strsplit(own != NULL ? own : "", " ", -1);

		for (guint j = 0; names[j] != NULL; j++) {
			if (*names[j] != '\0' && g_hash_table_add(seen, g_strdup(names[j])))
				g_string_append_printf(all, "%s%s", all->len > 0 ? " " : "",
						       names[j]);
		}
	}
	ltt_system_set(system, attribute, all->len > 0 ? all->str : NULL);
}

static void append_seconds(GString *text, gint64 ns)
{
	const guint64 size_ns = ns < 0 ? -(guint64)ns : (guint64)ns;

	g_string_append_printf(text, "%s%" G_GUINT64_FORMAT ".%09" G_GUINT64_FORMAT,
			       ns < 0 ? "-" : "+", size_ns / LTT_NS_PER_S, size_ns % LTT_NS_PER_S);
}

/* Returns: whether all times are those of the clocks of the traces */
static gboolean has_own_times(LttTrace *const *traces, guint n_traces)
{
	for (guint i = 0; i < n_traces; i++)
		if (traces[i]->offset_ns != 0 || traces[i]->clock_map != NULL)
			return FALSE;
	return TRUE;
}

/* Appends how the times of a member were converted: "+0.500000000", or "+0.500000000 at first,
 * +0.500012000 at last" if the rates of the clocks differ. */
static void append_clock(GString *text, const LttTrace *member)
{
	const LttClockPoint *points;
	guint n_points;

	if (member->clock_map == NULL) {
		append_seconds(text, member->offset_ns);
	} else {
		points = ltt_clock_map_get_points(member->clock_map, &n_points);
		append_seconds(text, (gint64)(points[0].to_ns - points[0].from_ns));
		if (n_points > 1) {
			const LttClockPoint *last = &points[n_points - 1];

			g_string_append(text, " at first, ");
			append_seconds(text, (gint64)(last->to_ns - last->from_ns));
			g_string_append(text, " at last");
		}
	}
	g_string_append_c(text, '\n');
}

/* Creates the system of the joined trace: that of the first trace, with the CPUs of all traces, the
 * largest block size, and a line that describes the origin of each trace. */
static LttSystem *join_systems(const LttTrace *joined, LttTrace *const *traces, guint n_traces,
			       const LttJoinCpus *cpus)
{
	LttSystem *system = ltt_system_dup(traces[0]->system);
	g_autoptr(GString) text = g_string_new(ltt_system_get_text(system));
	guint64 block_bytes = 0;

	g_string_append_printf(text, "\n%u traces on one timeline:\n", n_traces);
	for (guint i = 0; i < n_traces; i++) {
		if (ltt_system_may_fall(traces[i]->system))
			ltt_system_set(system, LTT_SYSTEM_FALLING_TIMES, "yes");
	}
	for (guint i = 0; i < n_traces; i++) {
		const LttSystem *member = traces[i]->system;
		const char *node = ltt_system_get(member, "node_name");
		const char *kernel = ltt_system_get(member, "kernel_release");

		block_bytes = MAX(block_bytes, ltt_system_get_block_bytes(member));
		g_string_append_printf(text, "%u: from cpu/%u on: %s, kernel %s, times ", i + 1,
				       traces[i]->first_cpu, node != NULL ? node : "unknown",
				       kernel != NULL ? kernel : "unknown");
		append_clock(text, traces[i]);
	}
	set_number(system, "cpu", MAX(cpus->n_cpus + cpus->n_lanes, 1));
	set_number(system, "ltt_block_size", block_bytes);
	ltt_system_set(system, "kernel", NULL);
	ltt_system_set(system, "lanes", NULL);
	if (cpus->n_lanes > 0)
		set_number(system, "lanes", cpus->n_lanes);
	/* Traces of one boot have the same clock. */
	if (!cpus->is_one_machine || !has_own_times(traces, n_traces))
		ltt_system_set(system, "boot_id", NULL);
	join_clocks(system, traces, n_traces);
	join_names(system, "machine", traces, n_traces);
	join_names(system, LTT_SYSTEM_NAMING_EVENTS, traces, n_traces);
	join_names(system, LTT_SYSTEM_LASTING_EVENTS, traces, n_traces);
	ltt_conversions_join(system, traces, n_traces);
	ltt_hosts_describe(joined, system);
	ltt_system_set_text(system, text->str);
	ltt_system_seal(system, NULL); /* the numbers were valid in a sealed system */
	return system;
}

static void free_trace(gpointer data)
{
	ltt_trace_free(data);
}

static LttTrace *join(LttTrace *const *traces, guint n_traces, GError **error)
{
	g_autoptr(GHashTable) taken = g_hash_table_new(ltt_hash_text, g_str_equal);
	LttTrace *joined = g_new0(LttTrace, 1);
	LttJoinCpus cpus;

	g_mutex_init(&joined->lock);
	g_mutex_init(&joined->names_lock);
	g_mutex_init(&joined->described_lock);
	joined->store = new_store(traces, n_traces);
	joined->problems = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_problem_free);
	joined->described = g_ptr_array_new();
	joined->seen = g_hash_table_new(ltt_hash_text, g_str_equal);
	joined->tracefiles = g_ptr_array_new();
	joined->slots = ltt_slots_new();
	g_ptr_array_set_free_func(joined->slots->loads, NULL);
	joined->members = g_ptr_array_new_with_free_func(free_trace);
	cpus = ltt_join_number_cpus(traces, n_traces);
	for (guint i = 0; i < n_traces; i++) {
		ltt_join_name(traces[i], i + 1, &cpus, taken);
		add_member(joined, traces[i]);
		g_ptr_array_add(joined->members, traces[i]);
	}
	if (cpus.n_cpus + cpus.n_lanes > LTT_MAX_CPUS) {
		ltt_fail(error, LTT_ERROR_LIMIT,
			 "%s: %u numbers of cpu files: expected no more than %d",
			 ltt_trace_get_path(joined), cpus.n_cpus + cpus.n_lanes, LTT_MAX_CPUS);
		ltt_trace_free(joined);
		return NULL;
	}
	for (guint i = 0; i < n_traces; i++)
		ltt_trace_hide_machine(traces[i]);
	g_ptr_array_sort(joined->tracefiles, compare_tracefiles);
	for (guint i = 0; i < joined->tracefiles->len; i++)
		((LttTracefile *)joined->tracefiles->pdata[i])->index = i;
	ltt_hosts_join(joined);
	ltt_recordings_join(joined);
	joined->system = join_systems(joined, traces, n_traces, &cpus);
	return joined;
}

LttTrace *ltt_trace_join(LttTrace *const *traces, guint n_traces, const gint64 *offsets_ns,
			 GError **error)
{
	g_return_val_if_fail(n_traces > 0, NULL);
	for (guint i = 0; i < n_traces; i++) {
		if (offsets_ns != NULL && offsets_ns[i] != 0)
			ltt_trace_find_values(traces[i]);
		traces[i]->offset_ns = offsets_ns != NULL ? offsets_ns[i] : 0;
	}
	return join(traces, n_traces, error);
}

LttTrace *ltt_trace_join_by_maps(LttTrace *const *traces, guint n_traces, LttClockMap *const *maps,
				 GError **error)
{
	g_return_val_if_fail(n_traces > 0, NULL);
	for (guint i = 0; i < n_traces; i++) {
		if (maps[i] != NULL)
			ltt_trace_find_values(traces[i]);
		traces[i]->clock_map = maps[i] != NULL ? ltt_clock_map_dup(maps[i]) : NULL;
	}
	return join(traces, n_traces, error);
}

guint ltt_trace_get_n_members(const LttTrace *joined)
{
	return joined->members != NULL ? joined->members->len : 1;
}

const LttTrace *ltt_trace_get_member(const LttTrace *joined, guint index)
{
	return joined->members != NULL ? joined->members->pdata[index] : joined;
}

guint64 ltt_trace_to_joined_time(const LttTrace *joined, guint index, guint64 time_ns)
{
	return ltt_trace_convert_time(ltt_trace_get_member(joined, index), time_ns);
}

guint64 ltt_trace_from_joined_time(const LttTrace *joined, guint index, guint64 time_ns)
{
	const LttTrace *member = ltt_trace_get_member(joined, index);

	return member->clock_map != NULL ? ltt_clock_map_find(member->clock_map, time_ns)
					 : ltt_time_shift(time_ns, -member->offset_ns);
}

guint ltt_trace_find_member(const LttTrace *joined, const LttTracefile *tracefile)
{
	guint index = 0;

	while (index + 1 < ltt_trace_get_n_members(joined) &&
	       ltt_trace_get_member(joined, index) != tracefile->trace)
		index++;
	return index;
}
