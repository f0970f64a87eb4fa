/* anchor.c - files of the session that are within reach without being opened. See anchor.h. */
#define _GNU_SOURCE
#include "anchor.h"

#include "atomic.h"
#include "file.h"
#include "sys.h"

struct lttp_anchors {
	size_t size_bytes; /* of the mapping */
	char *pages;       /* one for each file */
	bool set[];
};

static uint32_t count(const struct lttp_session *session)
{
	return LTTP_ANCHOR_TRACEFILES + lttp_session_files(session->head);
}

bool lttp_anchors_make(struct lttp_session *session)
{
	size_t page = lttp_page_bytes(), files = count(session);
	size_t head = (sizeof(struct lttp_anchors) + files + page - 1) / page * page;
	struct lttp_anchors *anchors;

	if (session->anchors != NULL)
		return true;
	anchors = lttp_map_memory(head + files * page);
	if (anchors == NULL)
		return false;
	anchors->size_bytes = head + files * page;
	anchors->pages = (char *)anchors + head;
	session->anchors = anchors;
	return true;
}

void lttp_anchors_free(struct lttp_session *session)
{
	if (session->anchors != NULL)
		munmap(session->anchors, session->anchors->size_bytes);
	session->anchors = NULL;
}

bool lttp_anchor_set(const struct lttp_session *session, uint32_t which, int fd)
{
	struct lttp_anchors *anchors = session->anchors;
	size_t page = lttp_page_bytes();
	const void *at;

	if (anchors == NULL || which >= count(session))
		return false;
	at = mmap(anchors->pages + which * page, page, PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_FIXED, fd, 0);
	if (at == MAP_FAILED)
		return false;
	lttp_store(&anchors->set[which], true);
	return true;
}

bool lttp_anchor_is_set(const struct lttp_session *session, uint32_t which)
{
	return session->anchors != NULL && lttp_load(&session->anchors->set[which]);
}

char *lttp_anchor_map(const struct lttp_session *session, uint32_t which, uint64_t offset,
		      size_t size)
{
	const struct lttp_anchors *anchors = session->anchors;
	char *all, *at;

	if (!lttp_anchor_is_set(session, which) || offset > SIZE_MAX - size)
		return NULL;
	all = mremap(anchors->pages + which * lttp_page_bytes(), 0, (size_t)offset + size,
		     MREMAP_MAYMOVE);
	if (all == MAP_FAILED)
		return NULL;
	at = all + offset;
	if (offset != 0)
		munmap(all, (size_t)offset);
	madvise(at, size, MADV_DONTFORK);
	return at;
}

static void anchor(struct lttp_session *session, uint32_t which, int fd)
{
	if (fd >= 0)
		lttp_anchor_set(session, which, fd);
	lttp_close(fd);
}

void lttp_anchors_open(struct lttp_session *session, int directory)
{
	if (!lttp_anchors_make(session))
		return;
	anchor(session, LTTP_ANCHOR_PROCESSES,
	       lttp_openat(directory, "control/processes", O_RDWR | O_NOFOLLOW, 0));
	anchor(session, LTTP_ANCHOR_FACILITIES,
	       lttp_openat(directory, "control/facilities", O_RDWR | O_NOFOLLOW, 0));
	for (uint32_t i = 0; i < session->head->cpus; i++) {
		if (lttp_load(&session->files[i].made) == LTTP_MADE_WHOLE)
			anchor(session, LTTP_ANCHOR_TRACEFILES + i,
			       lttp_file_open(session, directory, i));
	}
}
