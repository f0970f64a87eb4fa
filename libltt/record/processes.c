/* processes.c - parse /proc/PID/status, and map its states to those of doc/format.md, 4.6.
 *
 *	kernel                            here
 *	R running, W waking               Running
 *	S sleeping, I idle, P parked      WaitInterruptible
 *	D disk sleep, K wakekill          WaitUninterruptible
 *	Z zombie, X x dead                Zombie
 *	T stopped, t tracing stop         Traced
 *	W paging                          Paging
 *	another letter                    the letter's code, for which there is no label
 *
 * Idle and parked are kernel threads without work. They do not wait for a disk, and before they had
 * states of their own the kernel showed most of them as sleeping.
 */
#include "record/proc-priv.h"

#include "base/directory-priv.h"

#include <eventdefs/processes.h>

#include <errno.h>
#include <string.h>

static void free_process(gpointer data)
{
	LttProcess *process = data;

	g_free(process->name);
	g_free(process);
}

/* ---- the values of a line ---- */

/* Undoes the kernel's escapes in a name: "\n" for a line feed, "\\" for a backslash. */
static char *unescape(const char *text)
{
	GString *name = g_string_new(NULL);

	for (; *text != '\0'; text++) {
		const gboolean is_escape = text[0] == '\\' && (text[1] == '\\' || text[1] == 'n');

		if (is_escape)
			text++;
		g_string_append_c(name, is_escape && *text == 'n' ? '\n' : *text);
	}
	return g_string_free(name, FALSE);
}

static gboolean parse_numbers(const char *text, guint32 *numbers, guint n_numbers)
{
	for (guint i = 0; i < n_numbers; i++) {
		char *end;
		const guint64 number = g_ascii_strtoull(text, &end, 10);

		if (end == text || number > G_MAXUINT32)
			return FALSE;
		numbers[i] = (guint32)number;
		text = end;
	}
	return TRUE;
}

static gboolean parse_state(const char *text, guint32 *state)
{
	static const struct {
		const char *text;
		LttProcessState state;
	} states[] = {
		{"R", LTT_PROCESS_RUNNING},
		{"S", LTT_PROCESS_WAIT_INTERRUPTIBLE},
		{"I", LTT_PROCESS_WAIT_INTERRUPTIBLE},
		{"P", LTT_PROCESS_WAIT_INTERRUPTIBLE},
		{"D", LTT_PROCESS_WAIT_UNINTERRUPTIBLE},
		{"K", LTT_PROCESS_WAIT_UNINTERRUPTIBLE},
		{"Z", LTT_PROCESS_ZOMBIE},
		{"X", LTT_PROCESS_ZOMBIE},
		{"x", LTT_PROCESS_ZOMBIE},
		{"T", LTT_PROCESS_TRACED},
		{"t", LTT_PROCESS_TRACED},
		{"W (waking)", LTT_PROCESS_RUNNING},
		{"W", LTT_PROCESS_PAGING},
	};

	for (guint i = 0; i < G_N_ELEMENTS(states); i++) {
		if (g_str_has_prefix(text, states[i].text)) {
			*state = states[i].state;
			return TRUE;
		}
	}
	*state = (guint8)text[0];
	return text[0] != '\0';
}

/* ---- a process ---- */

enum {
	HAS_NAME = 1 << 0,
	HAS_PID = 1 << 1,
	HAS_PPID = 1 << 2,
	HAS_UIDS = 1 << 3,
	HAS_GIDS = 1 << 4,
	HAS_STATE = 1 << 5,
	HAS_ALL = (1 << 6) - 1,
};

/* Returns: the bit of the property that the line sets; 0 for an unknown line */
static guint parse_status_line(const char *key, const char *value, LttProcess *process)
{
	if (g_str_equal(key, "Name")) {
		g_free(process->name);
		process->name = unescape(value);
		return HAS_NAME;
	}
	if (g_str_equal(key, "Pid"))
		return parse_numbers(value, &process->pid, 1) ? HAS_PID : 0;
	if (g_str_equal(key, "PPid"))
		return parse_numbers(value, &process->ppid, 1) ? HAS_PPID : 0;
	if (g_str_equal(key, "Uid"))
		return parse_numbers(value, process->uids, 4) ? HAS_UIDS : 0;
	if (g_str_equal(key, "Gid"))
		return parse_numbers(value, process->gids, 4) ? HAS_GIDS : 0;
	if (g_str_equal(key, "State"))
		return parse_state(value, &process->state) ? HAS_STATE : 0;
	if (g_str_equal(key, "TracerPid"))
		parse_numbers(value, &process->tracer_pid, 1);
	return 0;
}

gboolean ltt_process_parse(const char *text, LttProcess *process)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	LttProcess found = {.name = NULL};
	guint has = 0;

	for (guint i = 0; lines[i] != NULL; i++) {
		char *colon = strchr(lines[i], ':');

		if (colon == NULL)
			continue;
		*colon++ = '\0';
		has |= parse_status_line(lines[i], colon + (*colon == '\t'), &found);
	}
	if (has == HAS_ALL)
		*process = found;
	else
		g_free(found.name);
	return has == HAS_ALL;
}

void ltt_process_write(const LttProcess *process, LttPayload *payload)
{
	const struct processes_process out = {
		.name = process->name,
		.pid = process->pid,
		.ppid = process->ppid,
		.tracer_pid = process->tracer_pid,
		.uid = process->uids[0],
		.euid = process->uids[1],
		.suid = process->uids[2],
		.fsuid = process->uids[3],
		.gid = process->gids[0],
		.egid = process->gids[1],
		.sgid = process->gids[2],
		.fsgid = process->gids[3],
		.state = process->state,
	};

	write_processes_process(payload, &out);
}

/* ---- all processes ---- */

static gint compare_pids(gconstpointer a, gconstpointer b)
{
	const guint32 pid_a = *(const guint32 *)a;
	const guint32 pid_b = *(const guint32 *)b;

	return (pid_a > pid_b) - (pid_a < pid_b);
}

static GArray *list_pids(const char *proc, GError **error)
{
	g_autoptr(GPtrArray) names = ltt_directory_list(proc, error);
	GArray *pids;

	if (names == NULL)
		return NULL;
	pids = g_array_new(FALSE, FALSE, sizeof(guint32));
	for (guint i = 0; i < names->len; i++) {
		guint64 number;

		if (g_ascii_string_to_unsigned(names->pdata[i], 10, 1, G_MAXUINT32, &number,
					       NULL)) {
			const guint32 pid = (guint32)number;

			g_array_append_val(pids, pid);
		}
	}
	g_array_sort(pids, compare_pids);
	return pids;
}

/* Returns: FALSE if the process exists but could not be read */
static gboolean read_process(const char *proc, guint32 pid, GPtrArray *processes)
{
	g_autofree char *path = g_strdup_printf("%s/%u/status", proc, pid);
	g_autofree char *text = NULL;
	const int errnum = ltt_proc_read(path, &text);
	LttProcess process;

	if (errnum == ENOENT || errnum == ESRCH)
		return TRUE;
	if (errnum != 0 || !ltt_process_parse(text, &process))
		return FALSE;
	process.monotonic_ns = ltt_monotonic_ns();
	g_ptr_array_add(processes, g_memdup2(&process, sizeof(process)));
	return TRUE;
}

GPtrArray *ltt_machine_read_processes(const char *proc, guint *n_unreadable, GError **error)
{
	g_autoptr(GArray) pids = list_pids(proc, error);
	GPtrArray *processes;
	guint n_failed = 0;

	if (pids == NULL)
		return NULL;
	processes = g_ptr_array_new_with_free_func(free_process);
	for (guint i = 0; i < pids->len; i++)
		if (!read_process(proc, g_array_index(pids, guint32, i), processes))
			n_failed++;
	*n_unreadable = n_failed;
	return processes;
}
