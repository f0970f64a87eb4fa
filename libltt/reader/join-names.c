/* join-names.c - names of the tracefiles of joined traces.
 *
 *	A, machine 1            B, machine 1            C, machine 2
 *	cpu/0 cpu/1 lane/0      cpu/1 lane/0            cpu/0
 *	cpu/0 cpu/1 cpu/3       cpu/1 cpu/4             cpu/2          joined
 *
 * CPUs of one machine keep their numbers; those of another machine get the next numbers. A lane
 * belongs to a thread of one trace, so lanes follow all CPUs, with a number each.
 */
#include "reader/join-names-priv.h"

/* Returns: whether two traces were recorded in one boot of one machine. Host names are not unique,
 * and the hardware may change between boots, so only the boot identifies the machine. */
static gboolean is_same_machine(const LttTrace *a, const LttTrace *b)
{
	const char *boot = ltt_system_get(a->system, "boot_id");

	return boot != NULL && *boot != '\0' &&
	       g_strcmp0(boot, ltt_system_get(b->system, "boot_id")) == 0;
}

static guint end_of_cpus(const LttTrace *trace)
{
	guint end = 0;

	for (guint i = 0; i < trace->tracefiles->len; i++) {
		const LttTracefile *tracefile = trace->tracefiles->pdata[i];

		end = MAX(end, (guint)(ltt_tracefile_get_cpu(tracefile) + 1));
	}
	return end;
}

guint ltt_join_find_machine(LttTrace *const *traces, guint i)
{
	guint j = 0;

	while (j < i && !is_same_machine(traces[j], traces[i]))
		j++;
	return j;
}

LttJoinCpus ltt_join_number_cpus(LttTrace *const *traces, guint n_traces)
{
	g_autofree guint *ends = g_new0(guint, n_traces);
	LttJoinCpus cpus = {.is_one_machine = TRUE};

	for (guint i = 0; i < n_traces; i++) {
		const guint machine = ltt_join_find_machine(traces, i);

		ends[machine] = MAX(ends[machine], end_of_cpus(traces[i]));
	}
	for (guint i = 0; i < n_traces; i++) {
		const guint machine = ltt_join_find_machine(traces, i);

		traces[i]->machine = machine;
		traces[i]->first_cpu = machine < i ? traces[machine]->first_cpu : cpus.n_cpus;
		cpus.n_cpus += machine < i ? 0 : ends[i];
		cpus.is_one_machine = cpus.is_one_machine && (i == 0 || machine < i);
	}
	/* CPUs without events count only if the machine is known. */
	for (guint i = 0; i < n_traces && is_same_machine(traces[0], traces[i]); i++)
		if (cpus.is_one_machine)
			cpus.n_cpus = MAX(cpus.n_cpus,
					  ltt_system_get_n_cpus(traces[i]->system) -
						  ltt_system_get_n_lanes(traces[i]->system) -
						  ltt_system_get_n_kernel_files(traces[i]->system));
	return cpus;
}

static void name_cpu(LttTracefile *tracefile, LttJoinCpus *cpus)
{
	g_autofree char *label = NULL;

	if (tracefile->is_lane) {
		label = g_strdup_printf("lane/%u", cpus->n_lanes);
		tracefile->cpu = (gint)(cpus->n_cpus + cpus->n_lanes++);
	} else {
		/* Events of the kernel join the other events of the CPU. */
		tracefile->cpu =
			ltt_tracefile_get_cpu(tracefile) + (gint)tracefile->trace->first_cpu;
		tracefile->kernel_cpu = -1;
	}
	g_free(tracefile->name);
	tracefile->name = g_strdup_printf("cpu/%d", tracefile->cpu);
	g_free(tracefile->label);
	tracefile->label = g_strdup(label != NULL ? label : tracefile->name);
}

/* Returns: the name without the number from an earlier merge: "control/processes" for
 * "control/processes.2" */
static char *without_number(const char *name)
{
	const char *point = strrchr(name, '.');

	return point != NULL && g_ascii_string_to_unsigned(point + 1, 10, 1, G_MAXUINT, NULL, NULL)
		       ? g_strndup(name, (gsize)(point - name))
		       : g_strdup(name);
}

/* Returns: a unique name: the name with the number of the trace appended, or the next free
 * number */
static char *find_free_name(GHashTable *taken, const char *name, guint number)
{
	g_autofree char *plain = without_number(name);
	char *found = g_strdup_printf("%s.%u", plain, number);

	while (g_hash_table_contains(taken, found)) {
		g_free(found);
		found = g_strdup_printf("%s.%u", plain, ++number);
	}
	return found;
}

static void take_name(LttTracefile *tracefile, GHashTable *taken, char *name)
{
	g_free(tracefile->name);
	g_free(tracefile->label);
	tracefile->name = name;
	tracefile->label = g_strdup(name);
	g_hash_table_add(taken, tracefile->name);
}

static gboolean is_facilities(const LttTracefile *tracefile)
{
	return g_str_equal(tracefile->name, "control/facilities");
}

/* Writers generate control/facilities, so no member keeps that name. */
static void name_controls(LttTrace *trace, guint number, GHashTable *taken)
{
	for (guint pass = 0; pass < 2; pass++) {
		for (guint i = 0; i < trace->tracefiles->len; i++) {
			LttTracefile *tracefile = trace->tracefiles->pdata[i];
			const gboolean keeps = number == 1 && !is_facilities(tracefile);

			if (tracefile->cpu >= 0 || keeps != (pass == 0))
				continue;
			take_name(tracefile, taken,
				  keeps ? g_strdup(tracefile->name)
					: find_free_name(taken, tracefile->name, number));
		}
	}
}

void ltt_join_name(LttTrace *trace, guint number, LttJoinCpus *cpus, GHashTable *taken)
{
	for (guint i = 0; i < trace->tracefiles->len; i++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[i];

		if (tracefile->cpu >= 0)
			name_cpu(tracefile, cpus);
	}
	name_controls(trace, number, taken);
}
