/* snapshot.c - copy a trace while it is being recorded. See snapshot.h.
 *
 *	make the second halves of a flight recorder     half.h
 *	cut: determine the end of each tracefile        cut.h
 *	copy the tracefiles up to these ends            copy-blocks.h
 *	copy the other files
 *
 * If a writer overwrites the newest block of a tracefile before it is copied, all steps are repeated.
 *
 * After the cut (cut.h) the writers continue. Writers of a flight recorder leave the blocks to be
 * copied unchanged (half.h), if the disk has space for that. Otherwise they may overwrite them
 * (copy-blocks.h).
 */
#define _GNU_SOURCE
#include "session/snapshot.h"

#include "session/atomic.h"
#include "session/control.h"
#include "session/copy-blocks.h"
#include "session/create.h"
#include "session/cut.h"
#include "session/directory.h"
#include "session/events.h"
#include "session/file.h"
#include "session/half.h"
#include "session/kernel-cut.h"
#include "session/losses-report.h"
#include "session/registry.h"
#include "session/sys.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 20 };

/* Copies the tracefiles of the kernel. */
static int copy_kernel(const struct lttp_session *session, int to, const struct lttp_cut *cut,
		       struct lttp_copying *copying)
{
	int result = 0;

	for (uint32_t i = 0; result == 0 && i < lttp_kernel_cut_files(session); i++) {
		uint32_t number = lttp_kernel_cut_number(session->head, i);

		result = lttp_copy_tracefile(
			session, to, lttp_kernel_cut_name(session->head, i).text,
			&cut->places[number], lttp_kernel_cut_form(session->head, i), copying);
	}
	return result;
}

/* Copies a file that does not change. */
static int copy_text(int from, int to, const char *path)
{
	int source = lttp_openat(from, path, O_RDONLY | O_NOFOLLOW, 0), target, result = 0;
	struct stat status;
	char *text = NULL;

	if (source < 0)
		return source;
	target = lttp_openat(to, path, O_WRONLY | O_CREAT | O_EXCL, 0666);
	if (target < 0 || fstat(source, &status) != 0)
		result = target < 0 ? target : -errno;
	else if ((text = malloc((size_t)status.st_size + 1)) == NULL)
		result = -ENOMEM;
	if (result == 0)
		result = lttp_read_all(source, text, (size_t)status.st_size, 0);
	if (result == 0)
		result = lttp_allocate(target, 0, (uint64_t)status.st_size);
	if (result == 0)
		result = lttp_write_all(target, text, (size_t)status.st_size, 0);
	free(text);
	lttp_close(source);
	lttp_close(target);
	return result;
}

/* Two directories. */
struct ends {
	int from, to;
};

static int copy_eventdef(int folder, const char *name, void *data)
{
	const struct ends *ends = data;
	char path[sizeof("eventdefs/") + NAME_MAX] = "eventdefs/";

	(void)folder;
	strncat(path, name, NAME_MAX);
	/* Names with a dot in front are incomplete. */
	return name[0] == '.' ? 0 : copy_text(ends->from, ends->to, path);
}

/* Returns: the number of lost events that no copied tracefile counts */
static uint64_t count_unfiled(const struct lttp_session *session, const struct lttp_cut *cut)
{
	uint64_t lost = lttp_load(&session->head->lost);

	for (uint32_t i = 0; i < lttp_session_files(session->head); i++) {
		if (cut->places[i].current == LTTP_NO_BLOCK)
			lost += lttp_load(&session->files[i].lost);
	}
	return lost;
}

/* Appends an events_lost to the copy of control/processes, as the end of a session does. @place: the
 * end of the file */
static int add_unfiled(const struct lttp_session *session, int to, const struct lttp_place *place,
		       uint64_t lost)
{
	uint64_t size = session->head->block_bytes, slot = place->current >> 32, word = place->word;
	int fd = lttp_openat(to, "control/processes", O_RDWR | O_CREAT, 0666), result = 0;
	struct lttp_bytes out = {0, 0, ""};
	struct lttp_instant now;
	uint32_t next;

	if (fd < 0)
		return fd;
	if (place->current == LTTP_NO_BLOCK)
		slot = 0;
	else if (word == 0)
		result = lttp_read_all(fd, (char *)&word, sizeof(word), slot * size + size - 8);
	next = lttp_word_next(word);
	if (next >= size) {
		slot++;
		next = 0;
	}
	if (result == 0 && next == 0)
		result = lttp_allocate(fd, slot * size, size);
	if (result == 0 && !lttp_clock_now(session->head, &now))
		result = -EIO;
	if (result == 0) {
		if (next == 0)
			lttp_put_block_event(&out, LTTP_ID_BLOCK_START, &now, 0, (uint32_t)slot);
		else
			lttp_put_heartbeat(&out, &now, UINT64_MAX);
		lttp_put_events_lost(&out, 0, lost);
		word = lttp_word(next + out.size, next + out.last);
		result = lttp_write_all(fd, out.bytes, out.size, slot * size + next);
	}
	if (result == 0)
		result = lttp_write_all(fd, (const char *)&word, 8, slot * size + size - 8);
	lttp_close(fd);
	return result;
}

/* Copies the files that are not tracefiles of CPUs. */
static int copy_rest(struct lttp_session *session, int to, const struct lttp_cut *cut,
		     const struct lttp_place *processes, struct lttp_copying *copying)
{
	struct ends ends = {lttp_session_directory(session), to};
	uint64_t lost = count_unfiled(session, cut);
	struct lttp_place facilities;
	int result;

	if (ends.from < 0)
		return ends.from;
	result = lttp_registry_place(session, cut->cycles, &facilities);
	if (result == 0)
		result = lttp_copy_tracefile(session, to, "control/facilities", &facilities,
					     LTTP_COPY_PLAIN, copying);
	if (result == 0)
		result = lttp_copy_tracefile(session, to, "control/processes", processes,
					     LTTP_COPY_PLAIN, copying);
	if (result == 0 && lost != 0)
		result = add_unfiled(session, to, processes, lost);
	if (result == 0)
		result = lttp_folder_each(ends.from, "eventdefs", copy_eventdef, &ends);
	if (result == 0)
		result = copy_text(ends.from, to, "info/system.xml");
	if (result == 0) {
		result = copy_text(ends.from, to, "info/bookmarks.xml");
		result = result == -ENOENT ? 0 : result;
	}
	/* Complete since the start of the recording. */
	if (result == 0) {
		result = copy_text(ends.from, to, "control/interrupts");
		result = result == -ENOENT ? 0 : result;
	}
	lttp_close(ends.from);
	return result;
}

/* Allocates the second halves of a flight recorder, if the disk has space. Thaws halves that a
 * killed snapshot left frozen. */
static void make_halves(struct lttp_session *session)
{
	if (session->head->flight_blocks == 0)
		return;
	for (uint32_t i = 0; i < lttp_session_files(session->head); i++) {
		lttp_half_thaw(session, i);
		if (lttp_load(&session->files[i].current) != LTTP_NO_BLOCK)
			lttp_half_make(session, i);
	}
}

/* Returns: the most blocks to copy */
static uint64_t count_blocks(const struct lttp_session *session, const struct lttp_cut *cut,
			     const struct lttp_place *processes)
{
	const struct lttp_head *head = session->head;
	uint64_t blocks = lttp_copy_count(head, processes, LTTP_COPY_PLAIN);

	for (uint32_t i = 0; i < lttp_session_files(head); i++)
		blocks += lttp_copy_count(head, &cut->places[i], LTTP_COPY_FLIGHT);
	for (uint32_t i = 0; i < lttp_kernel_cut_files(session); i++)
		blocks += lttp_copy_count(head, &cut->places[lttp_kernel_cut_number(head, i)],
					  lttp_kernel_cut_form(head, i));
	return blocks;
}

static int copy_all(struct lttp_session *session, int to, const struct lttp_cut *cut,
		    const struct lttp_place *processes, struct lttp_copying *copying)
{
	int result = 0;

	copying->blocks = 0;
	copying->total = count_blocks(session, cut, processes);
	for (uint32_t i = 0; result == 0 && i < lttp_session_files(session->head); i++)
		result = lttp_copy_tracefile(session, to, lttp_file_name(i).text, &cut->places[i],
					     LTTP_COPY_FLIGHT, copying);
	if (result == 0)
		result = copy_kernel(session, to, cut, copying);
	return result == 0 ? copy_rest(session, to, cut, processes, copying) : result;
}

/* One attempt to cut and copy. */
static int try_copy(struct lttp_session *session, int to, struct lttp_cut *cut,
		    struct lttp_copying *copying)
{
	struct lttp_place processes;
	int result;

	make_halves(session);
	result = lttp_cut_make(session, cut);
	if (result != 0)
		return result;
	result = lttp_control_place(session, cut->cycles, &processes);
	if (result == 0)
		result = copy_all(session, to, cut, &processes, copying);
	lttp_cut_end(session, cut);
	return result;
}

static int make_copy(struct lttp_session *session, const char *directory,
		     struct lttp_copying *copying)
{
	struct lttp_cut cut = {
		.places = calloc(lttp_cut_places(session->head), sizeof(struct lttp_place))};
	int result = cut.places != NULL ? -EAGAIN : -ENOMEM;

	for (int tries = 0; result == -EAGAIN && tries < TRIES; tries++) {
		int to = lttp_directory_make(directory);

		result = to < 0 ? to : try_copy(session, to, &cut, copying);
		lttp_close(to);
		if (result != 0 && to >= 0)
			lttp_session_remove(directory);
	}
	free(cut.places);
	return result == -EAGAIN ? -EBUSY : result;
}

int lttp_snapshot(struct lttp_session *session, const char *directory, struct lttp_copying *copying)
{
	/* One at a time. */
	int lock = lttp_session_lock(session, LTTP_LOCK_SNAPSHOT, F_WRLCK), result;

	if (lock < 0)
		return lock;
	if (lttp_load(&session->head->running))
		lttp_losses_report(session);
	result = make_copy(session, directory, copying);
	lttp_close(lock);
	return result;
}
