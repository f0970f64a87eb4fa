/* states-json.c - `ltt stat --states --json`. The keys are a contract (doc/states.md). */
#include "json.h"
#include "states.h"

static void print_time(Json *json, const char *key, const LttStateTime *time)
{
	json_open(json, key, '{');
	json_number(json, "ns", time->total_ns);
	json_number(json, "n", time->n);
	json_number(json, "longest_ns", time->longest_ns);
	json_close(json, '}');
}

static void print_waker(Json *json, const LttWaker *waker)
{
	g_autofree char *name = states_name_waker(waker);

	json_text(json, "waker", waker->kind != LTT_WAKER_UNKNOWN ? name : NULL);
}

static void print_waits(Json *json, const LttStateTally *tally)
{
	json_open(json, "waits", '[');
	for (guint i = 0; i < tally->n_waits; i++) {
		const LttStateWaitSum *wait = &tally->waits[i];

		json_open(json, NULL, '{');
		json_text(json, "for", wait->cause);
		json_number(json, "ns", wait->time.total_ns);
		json_number(json, "n", wait->time.n);
		json_number(json, "longest_ns", wait->time.longest_ns);
		print_waker(json, &wait->waker);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void states_print_json_tally(Json *json, const LttStateTally *tally)
{
	static const char *const keys[LTT_N_THREAD_STATES] = {
		[LTT_THREAD_UNKNOWN] = "unknown",   [LTT_THREAD_RUNNING] = "running",
		[LTT_THREAD_RUNNABLE] = "runnable", [LTT_THREAD_PREEMPTED] = "preempted",
		[LTT_THREAD_WAITING] = "waiting",
	};

	for (guint i = 0; i < LTT_N_THREAD_STATES; i++)
		print_time(json, keys[i], &tally->states[i]);
	json_number(json, "system_calls", tally->n_syscalls);
	json_number(json, "page_faults", tally->n_faults);
	print_waits(json, tally);
}

static void print_thread(Json *json, const LttStateThreadSum *thread)
{
	json_open(json, NULL, '{');
	if (thread->has_pid)
		json_number(json, "pid", thread->pid);
	else
		json_null(json, "pid");
	json_number(json, "tid", thread->tid);
	json_text(json, "name", thread->name);
	states_print_json_tally(json, &thread->tally);
	json_close(json, '}');
}

static void print_cpu(Json *json, const LttStateCpuSum *cpu)
{
	static const char *const keys[LTT_N_CPU_STATES] = {
		[LTT_CPU_UNKNOWN] = "unknown", [LTT_CPU_THREAD] = "thread",
		[LTT_CPU_SOFTIRQ] = "softirq", [LTT_CPU_IRQ] = "irq",
		[LTT_CPU_IDLE] = "idle",
	};

	json_open(json, NULL, '{');
	json_integer(json, "cpu", ltt_tracefile_get_cpu(cpu->tracefile));
	json_text(json, "tracefile", ltt_tracefile_get_label(cpu->tracefile));
	for (guint i = 0; i < LTT_N_CPU_STATES; i++)
		print_time(json, keys[i], &cpu->states[i]);
	json_close(json, '}');
}

void states_print_json(const LttStateSums *sums)
{
	Json json = {0};

	json_open(&json, NULL, '{');
	json_time(&json, "from", sums->to_ns > 0, sums->from_ns);
	json_time(&json, "to", sums->to_ns > 0, sums->to_ns);
	json_number(&json, "length_ns", sums->to_ns - sums->from_ns);
	json_number(&json, "events", sums->n_events);
	json_number(&json, "gaps", sums->n_gaps);
	json_open(&json, "threads", '[');
	for (guint i = 0; i < sums->n_threads; i++)
		print_thread(&json, &sums->threads[i]);
	json_close(&json, ']');
	json_open(&json, "cpus", '[');
	for (guint i = 0; i < sums->n_cpus; i++)
		print_cpu(&json, &sums->cpus[i]);
	json_close(&json, ']');
	json_close(&json, '}');
}
