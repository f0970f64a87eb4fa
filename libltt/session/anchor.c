/* anchor.c - files of the session that can be mapped without being opened. See anchor.h. */
#define _GNU_SOURCE
#include "session/anchor.h"

#include "session/atomic.h"
#include "session/sys.h"

struct lttp_anchors {
	size_t size_bytes; /* of this */
	void *pages[];     /* by file; NULL: not anchored */
};

static uint32_t count(const struct lttp_session *session)
{
	return LTTP_ANCHOR_TRACEFILES + lttp_session_files(session->head);
}

bool lttp_anchors_make(struct lttp_session *session)
{
	size_t size = sizeof(struct lttp_anchors) + count(session) * sizeof(void *);

	if (session->anchors != NULL)
		return true;
	session->anchors = lttp_map_memory(size);
	if (session->anchors == NULL)
		return false;
	session->anchors->size_bytes = size;
	return true;
}

void lttp_anchors_free(struct lttp_session *session)
{
	struct lttp_anchors *anchors = session->anchors;

	if (anchors == NULL)
		return;
	for (uint32_t i = 0; i < count(session); i++) {
		if (anchors->pages[i] != NULL)
			munmap(anchors->pages[i], lttp_page_bytes());
	}
	munmap(anchors, anchors->size_bytes);
	session->anchors = NULL;
}

bool lttp_anchor_set(const struct lttp_session *session, uint32_t which, int fd)
{
	struct lttp_anchors *anchors = session->anchors;
	size_t page = lttp_page_bytes();
	void *at, *none = NULL;

	if (anchors == NULL || which >= count(session))
		return false;
	at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return false;
	/* Another thread may have been faster. */
	if (!__atomic_compare_exchange_n(&anchors->pages[which], &none, at, false, __ATOMIC_SEQ_CST,
					 __ATOMIC_SEQ_CST))
		munmap(at, page);
	return true;
}

bool lttp_anchor_is_set(const struct lttp_session *session, uint32_t which)
{
	return session->anchors != NULL && lttp_load(&session->anchors->pages[which]) != NULL;
}

char *lttp_anchor_map(const struct lttp_session *session, uint32_t which, uint64_t offset,
		      size_t size)
{
	const struct lttp_anchors *anchors = session->anchors;
	char *all, *at;

	if (!lttp_anchor_is_set(session, which) || offset > SIZE_MAX - size)
		return NULL;
	all = mremap(anchors->pages[which], 0, (size_t)offset + size, MREMAP_MAYMOVE);
	if (all == MAP_FAILED)
		return NULL;
	at = all + offset;
	if (offset != 0)
		munmap(all, (size_t)offset);
	madvise(at, size, MADV_DONTFORK);
	return at;
}
