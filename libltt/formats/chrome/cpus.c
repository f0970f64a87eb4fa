/* cpus.c - write the running thread of each CPU as a track. */
#include "formats/chrome/marks-priv.h"

#include <ltt/ltt-trace.h>
#include <ltt/ltt-value.h>

/* Event types of context switches. */
static const struct {
	const char *event;
	const char *next; /* field with the id of the next thread */
	const char *name; /* field with the name of the next thread; NULL: none */
} switches[] = {
	{"core.schedchange", "in", NULL},
	{"sched.sched_switch", "next_pid", "next_comm"},
};

/* A CPU and its running thread. */
typedef struct Cpu {
	gint number;
	guint64 since_ns;
	guint64 tid;
	char *name; /* owned */
} Cpu;

struct LttChromeCpus {
	GHashTable *kinds; /* LttEventType -> index in switches + 1; 0: not a context switch */
	GHashTable *cpus;  /* number -> Cpu */
};

static void free_cpu(gpointer data)
{
	Cpu *cpu = data;

	g_free(cpu->name);
	g_free(cpu);
}

LttChromeCpus *ltt_chrome_cpus_new(void)
{
	LttChromeCpus *cpus = g_new(LttChromeCpus, 1);

	cpus->kinds = g_hash_table_new(NULL, NULL);
	cpus->cpus = g_hash_table_new_full(NULL, NULL, NULL, free_cpu);
	return cpus;
}

void ltt_chrome_cpus_free(LttChromeCpus *cpus)
{
	g_hash_table_unref(cpus->kinds);
	g_hash_table_unref(cpus->cpus);
	g_free(cpus);
}

static guint find_kind(LttChromeCpus *cpus, const LttEventType *type)
{
	gpointer known;
	guint kind = 0;

	if (g_hash_table_lookup_extended(cpus->kinds, type, NULL, &known))
		return GPOINTER_TO_UINT(known);
	for (guint i = 0; i < G_N_ELEMENTS(switches); i++) {
		if (g_str_equal(type->full_name, switches[i].event))
			kind = i + 1;
	}
	g_hash_table_insert(cpus->kinds, (gpointer)type, GUINT_TO_POINTER(kind));
	return kind;
}

/* Appends the slice of the running thread. Thread 0 is the idle thread, which has no slice. */
static void add_slice(LttChromeEntries *entries, const Cpu *cpu, guint64 end_ns)
{
	g_autofree char *tid = g_strdup_printf("thread %" G_GUINT64_FORMAT, cpu->tid);
	g_autofree char *named =
		cpu->name != NULL ? g_strdup_printf("%s %" G_GUINT64_FORMAT, cpu->name, cpu->tid)
				  : NULL;
	g_autofree char *naming = ltt_chrome_describe(named != NULL ? named : tid, "cpu");
	const guint32 track = LTT_CHROME_CPUS_PID + 1 + (guint32)cpu->number;

	if (cpu->tid == 0)
		return;
	ltt_chrome_begin(entries, naming, "B", cpu->since_ns, LTT_CHROME_CPUS_PID, track);
	ltt_chrome_add_text(entries, "}");
	ltt_chrome_begin(entries, naming, "E", MAX(end_ns, cpu->since_ns), LTT_CHROME_CPUS_PID,
			 track);
	ltt_chrome_add_text(entries, "}");
}

static gboolean is_integer(const LttValue *value)
{
	return value->layout->kind == LTT_INT || value->layout->kind == LTT_UINT;
}

void ltt_chrome_cpus_take(LttChromeCpus *cpus, LttChromeEntries *entries, const LttEvent *event)
{
	const guint kind = find_kind(cpus, event->type);
	const gint number = ltt_tracefile_get_cpu(event->tracefile);
	Cpu *cpu;
	LttValue payload;
	LttValue next;
	LttValue name;

	if (kind == 0 || number < 0 || !ltt_event_get_value(event, &payload) ||
	    !ltt_value_find(&payload, switches[kind - 1].next, &next) || !is_integer(&next))
		return;
	cpu = g_hash_table_lookup(cpus->cpus, GINT_TO_POINTER(number));
	if (cpu != NULL) {
		add_slice(entries, cpu, event->time_ns);
	} else {
		cpu = g_new0(Cpu, 1);
		g_hash_table_insert(cpus->cpus, GINT_TO_POINTER(number), cpu);
	}
	g_free(cpu->name);
	*cpu = (Cpu){
		.number = number, .since_ns = event->time_ns, .tid = ltt_value_get_uint(&next)};
	if (switches[kind - 1].name != NULL &&
	    ltt_value_find(&payload, switches[kind - 1].name, &name) &&
	    name.layout->kind == LTT_STRING)
		cpu->name = g_strdup(ltt_value_get_string(&name, NULL));
}

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
	return ((const Cpu *)a)->number - ((const Cpu *)b)->number;
}

void ltt_chrome_cpus_end(LttChromeCpus *cpus, LttChromeEntries *entries, guint64 last_ns)
{
	g_autoptr(GList) all = g_list_sort(g_hash_table_get_values(cpus->cpus), compare_numbers);

	if (all != NULL)
		ltt_chrome_add_naming(entries, "process_name", LTT_CHROME_CPUS_PID, 0, "CPUs");
	for (const GList *item = all; item != NULL; item = item->next) {
		const Cpu *cpu = item->data;
		g_autofree char *name = g_strdup_printf("CPU %d", cpu->number);

		add_slice(entries, cpu, last_ns);
		ltt_chrome_add_naming(entries, "thread_name", LTT_CHROME_CPUS_PID,
				      LTT_CHROME_CPUS_PID + 1 + (guint)cpu->number, name);
	}
}
