/* state.c - see state-priv.h. */
#include "tracepoint/state-priv.h"

#include <string.h>

#define SYSCALL_ENTER "sys_enter_"
#define SYSCALL_EXIT  "sys_exit_"

static const struct {
	const char *system;
	const char *name;
	const char *state;
} states[] = {
	{"sched", "sched_switch", "switch out=prev_pid in=next_pid state=prev_state"},
	{"sched", "sched_waking", "waking thread=pid"},
	{"sched", "sched_wakeup", "wakeup thread=pid"},
	{"sched", "sched_wakeup_new", "wakeup thread=pid"},
	{"sched", "sched_process_fork", "fork thread=child_pid"},
	{"sched", "sched_process_exec", "exec"},
	{"irq", "irq_handler_entry", "irq_entry number=irq"},
	{"irq", "irq_handler_exit", "irq_exit"},
	{"irq", "softirq_entry", "softirq_entry number=vec"},
	{"irq", "softirq_exit", "softirq_exit"},
	{"raw_syscalls", "sys_enter", "syscall_entry number=id"},
	{"raw_syscalls", "sys_exit", "syscall_exit"},
	{"exceptions", "page_fault_user", "fault address=address"},
	{"exceptions", "page_fault_kernel", "kernel_fault address=address"},
};

/* System calls that wait for a lock word, whose address is the argument uaddr. */
static const char *const lock_calls[] = {"futex", "futex_wait"};

static char *make_syscall_state(const char *name)
{
	const char *call = name + strlen(SYSCALL_ENTER);

	if (g_str_has_prefix(name, SYSCALL_EXIT))
		return g_strdup("syscall_exit");
	if (!g_str_has_prefix(name, SYSCALL_ENTER))
		return NULL;
	for (guint i = 0; i < G_N_ELEMENTS(lock_calls); i++)
		if (g_str_equal(call, lock_calls[i]))
			return g_strdup_printf("syscall_entry name=%s address=uaddr", call);
	return g_strdup_printf("syscall_entry name=%s", call);
}

char *ltt_tracepoint_state(const char *system, const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(states); i++)
		if (g_str_equal(states[i].system, system) && g_str_equal(states[i].name, name))
			return g_strdup(states[i].state);
	return g_str_equal(system, "syscalls") ? make_syscall_state(name) : NULL;
}
