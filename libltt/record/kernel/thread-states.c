/* thread-states.c - see thread-states-priv.h. */
#include "record/kernel/thread-states-priv.h"

#include "record/description-priv.h"
#include "record/kernel/call-names-priv.h"
#include "record/proc-priv.h"
#include "session/control.h"

#include <eventdefs/thread_states.h>
#include <ltt/ltt-eventdefs.h>

#include <string.h>
#include <sys/syscall.h>

#define NO_CALL      (-1)
#define UNKNOWN_CALL (-2)

typedef struct Writing {
	struct lttp_session *session;
	guint32 base;
	LttPayload payload;
} Writing;

gboolean ltt_thread_states_load(struct lttp_session *session, guint32 *base, GError **error)
{
	g_autoptr(LttFacility) states =
		ltt_call_names_add(ltt_eventdefs_get_shipped("thread_states"));

	return ltt_record_load(session, states, base, error);
}

/* Returns: the letter after the name in the file stat; 0: the thread does not exist */
static char read_letter(const char *directory)
{
	g_autofree char *path = g_build_filename(directory, "stat", NULL);
	g_autofree char *text = NULL;
	const char *end;

	if (ltt_proc_read(path, &text) != 0)
		return 0;
	end = strrchr(text, ')');
	return end != NULL && end[1] == ' ' ? end[2] : 0;
}

static guint32 map_letter(char letter)
{
	switch (letter) {
	case 'S':
	case 'I':
	case 'P':
		return thread_states_thread_state_WaitInterruptible;
	case 'D':
	case 'K':
		return thread_states_thread_state_WaitUninterruptible;
	case 'T':
	case 't':
		return thread_states_thread_state_Traced;
	case 'Z':
	case 'X':
	case 'x':
		return thread_states_thread_state_Zombie;
	default:
		return thread_states_thread_state_Running;
	}
}

/* The file syscall has "NUMBER ARGUMENT...", or "running". */
static void read_call(const char *directory, struct thread_states_thread *event)
{
	g_autofree char *path = g_build_filename(directory, "syscall", NULL);
	g_autofree char *text = NULL;
	char *end;
	gint64 number;

	event->syscall_id = UNKNOWN_CALL;
	if (ltt_proc_read(path, &text) != 0)
		return;
	number = g_ascii_strtoll(text, &end, 10);
	if (end == text || number < NO_CALL || number > G_MAXINT32)
		return;
	event->syscall_id = (gint32)number;
	if (number == SYS_futex)
		event->address = g_ascii_strtoull(end, NULL, 16);
}

static void append(Writing *writing, guint index)
{
	lttp_control_append(writing->session, (guint16)(writing->base + index),
			    writing->payload.bytes->data, writing->payload.bytes->len, NULL);
	lttp_control_tend(writing->session);
	ltt_payload_reset(&writing->payload);
}

static void write_thread(Writing *writing, const char *tasks, guint32 pid, const char *name)
{
	g_autofree char *directory = g_build_filename(tasks, name, NULL);
	struct thread_states_thread event = {
		.pid = pid,
		.tid = (guint32)g_ascii_strtoull(name, NULL, 10),
	};
	const char letter = read_letter(directory);

	if (letter == 0)
		return;
	event.state = map_letter(letter);
	read_call(directory, &event);
	write_thread_states_thread(&writing->payload, &event);
	append(writing, thread_states_thread_index);
}

static void write_process(Writing *writing, guint32 pid)
{
	g_autofree char *tasks = g_strdup_printf("/proc/%u/task", pid);
	GDir *dir = g_dir_open(tasks, 0, NULL);
	const char *name;

	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL)
		write_thread(writing, tasks, pid, name);
	if (dir != NULL)
		g_dir_close(dir);
}

void ltt_thread_states_write(struct lttp_session *session, guint32 base, guint32 pid)
{
	const LttArch arch = ltt_arch_native();
	Writing writing = {.session = session, .base = base};
	GDir *processes = pid == 0 ? g_dir_open("/proc", 0, NULL) : NULL;
	const char *name;

	ltt_payload_init(&writing.payload, &arch);
	if (pid != 0) {
		append(&writing, thread_states_limited_index);
		write_process(&writing, pid);
	}
	while (processes != NULL && (name = g_dir_read_name(processes)) != NULL)
		if (g_ascii_isdigit(name[0]))
			write_process(&writing, (guint32)g_ascii_strtoull(name, NULL, 10));
	if (processes != NULL)
		g_dir_close(processes);
	ltt_payload_clear(&writing.payload);
}
