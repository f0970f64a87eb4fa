/* support-follow.c - see support-follow.h. */
#define _GNU_SOURCE
#include "support-follow.h"
#include "unit.h"

#include "base/bytes-priv.h"
#include "model/ondisk-priv.h"
#include "session/session-layout.h"

#include <ltt/ltt-time.h>

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *file_of(const FollowScene *scene, const char *name)
{
	return g_build_filename(scene->path, name, NULL);
}

void follow_write(const FollowScene *scene, const char *name, guint64 offset, gconstpointer bytes,
		  gsize size)
{
	g_autofree char *path = file_of(scene, name);
	const int fd = open(path, O_WRONLY | O_CREAT, 0600);

	CU_ASSERT_EQUAL(pwrite(fd, bytes, size, (off_t)offset), (gssize)size);
	close(fd);
}

/* Locks the session as its recorder does. */
static void keep(FollowScene *scene)
{
	struct flock lock = {
		.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = LTTP_LOCK_KEEPER, .l_len = 1};
	g_autofree char *path = file_of(scene, "info/lock");

	scene->keeper_fd = open(path, O_RDWR | O_CREAT, 0600);
	CU_ASSERT_EQUAL(fcntl(scene->keeper_fd, F_OFD_SETLK, &lock), 0);
}

void follow_write_session(const FollowScene *scene, guint32 block_bytes, guint32 flight_blocks)
{
	const gsize size = sizeof(struct lttp_head) + N_CPUS * sizeof(struct lttp_file);
	g_autofree struct lttp_head *head = g_malloc0(size);
	struct lttp_file *files = (struct lttp_file *)(head + 1);

	memcpy(head->magic, LTTP_SESSION_MAGIC, sizeof(head->magic));
	head->version = LTTP_SESSION_VERSION;
	head->byte_order = LTTP_SESSION_BYTE_ORDER;
	head->arch_size = LTTP_ARCH_SIZE;
	head->block_bytes = block_bytes;
	head->flight_blocks = flight_blocks;
	head->cpus = N_CPUS;
	head->running = 1;
	head->start_ns = NOW_NS;
	head->start_monotonic_ns = (guint64)g_get_monotonic_time() * 1000;
	for (guint i = 0; i < N_CPUS; i++)
		files[i].current = LTTP_NO_BLOCK;
	follow_write(scene, "info/session", 0, head, size);
}

FollowScene follow_scene_new(const char *name, guint32 flight_blocks)
{
	static const char system[] =
		"<system cpu=\"4\" arch_size=\"LP64\" endian=\"little\" ltt_major_version=\"2\" "
		"ltt_minor_version=\"0\" ltt_block_size=\"96\"></system>\n";
	static const char *const folders[] = {"info", "control", "cpu", "eventdefs"};
	FollowScene scene = {.path = unit_temp_path(name)};

	for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *folder = file_of(&scene, folders[i]);

		g_mkdir_with_parents(folder, 0700);
	}
	follow_write(&scene, "info/system.xml", 0, system, strlen(system));
	follow_write(&scene, "control/facilities", 0, "", 0);
	follow_write_session(&scene, BLOCK_BYTES, flight_blocks);
	keep(&scene);
	return scene;
}

void follow_scene_open(FollowScene *scene)
{
	g_autoptr(GError) error = NULL;

	scene->trace = ltt_trace_open(scene->path, &error);
	UNIT_ASSERT_OK(scene->trace != NULL, error);
	scene->follow = ltt_follow_new(scene->trace, NULL, DELAY_MS, &error);
	UNIT_ASSERT_OK(scene->follow != NULL, error);
}

void follow_scene_end(FollowScene *scene)
{
	g_autofree char *path = file_of(scene, "info/session");

	g_unlink(path);
	close(scene->keeper_fd);
}

void follow_scene_clear(FollowScene *scene)
{
	ltt_follow_free(scene->follow);
	ltt_trace_free(scene->trace);
	g_free(scene->path);
}

static void put_time(guint8 *at, guint16 id, guint64 time_ns, guint32 block_id)
{
	ltt_store_u16(at, id, LTT_LITTLE_ENDIAN);
	ltt_store_u32(at + 2, 0, LTT_LITTLE_ENDIAN);
	ltt_store_u32(at + 6, (guint32)(time_ns / LTT_NS_PER_S), LTT_LITTLE_ENDIAN);
	ltt_store_u32(at + 10, (guint32)(time_ns % LTT_NS_PER_S), LTT_LITTLE_ENDIAN);
	ltt_store_u64(at + 14, time_ns, LTT_LITTLE_ENDIAN);
	if (id != LTT_ID_HEARTBEAT)
		ltt_store_u32(at + 22, block_id, LTT_LITTLE_ENDIAN);
}

void follow_put_block(const FollowScene *scene, const char *name, guint64 place, guint32 id,
		      guint64 start_ns, guint64 beat_ns, guint64 end_ns)
{
	guint8 block[BLOCK_BYTES] = {0};
	guint32 at = 26, last = 0;

	put_time(block, LTT_ID_BLOCK_START, start_ns, id);
	if (beat_ns > 0) {
		put_time(block + at, LTT_ID_HEARTBEAT, beat_ns, 0);
		last = at;
		at += 22;
	}
	if (end_ns > 0) {
		put_time(block + at, LTT_ID_BLOCK_END, end_ns, id);
		last = at;
	}
	ltt_store_u32(block + BLOCK_BYTES - 4, last, LTT_LITTLE_ENDIAN);
	follow_write(scene, name, place * BLOCK_BYTES, block, sizeof(block));
}

void follow_assert_round(FollowScene *scene, const char *expected, LttStep end, int line)
{
	g_autoptr(GString) got = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	const LttEvent *event;
	LttStep step;

	while ((step = ltt_follow_next(scene->follow, &event, &error)) == LTT_STEP_EVENT)
		g_string_append_printf(got, "%s%s:%" G_GUINT64_FORMAT, got->len > 0 ? " " : "",
				       ltt_tracefile_get_name(event->tracefile) + strlen("cpu/"),
				       event->time_ns);
	unit_assert_text(got->str, expected, __FILE__, line);
	CU_ASSERT_EQUAL(step, end);
}
static void add_line(const LttProblem *problem, gpointer user_data)
{
	g_autofree char *text = ltt_problem_to_string(problem);

	g_string_append_printf(user_data, "%s\n", text);
}

void follow_assert_losses(const FollowScene *scene, const char *expected, int line)
{
	g_autoptr(GString) got = g_string_new(NULL);
	const LttJobCallbacks callbacks = {.on_problem = add_line, .user_data = got};

	ltt_follow_tell_losses(scene->follow, &callbacks);
	unit_assert_text(got->str, expected, __FILE__, line);
}
