/* rseq.c - registration of restartable sequences. See rseq.h. */
#define _GNU_SOURCE
#include "probe/rseq.h"

#include "session/atomic.h"
#include "session/session-layout.h"
#include "session/sys.h"

#include <dlfcn.h>
#include <stddef.h>

/* Of glibc 2.35 and later: offset of its struct rseq from the thread pointer, and size or 0. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

/* A strong reference to it draws a linker warning in a static program. */
#pragma weak dlsym

#define CPU_UNINITIALIZED UINT32_MAX

enum {
	RSEQ_BYTES = 32, /* size of the first version of the kernel */
	MEMBARRIER_PRIVATE_RSEQ = 1 << 7,
	MEMBARRIER_REGISTER_PRIVATE_RSEQ = 1 << 8,
};

#if defined(LTT_PROBE_HAS_SECTION) && defined(SYS_rseq)

/* Our own, if libc knows nothing of them. The kernel updates it until the thread ends. */
static __thread struct {
	struct ltt_probe_rseq used;
	uint32_t flags;
	uint32_t reserved[3];
} own_area __attribute__((aligned(RSEQ_BYTES), tls_model("initial-exec"))) = {
	.used = {.cpu_id = CPU_UNINITIALIZED}};
_Static_assert(sizeof(own_area) == RSEQ_BYTES, "the kernel checks the size");

/* Addresses of the two variables; NULL: this libc has none. */
static const unsigned int *size_of_libc;
static const ptrdiff_t *offset_of_libc;

/* The dynamic linker defines them, and programs are not linked with it. GNU ld leaves weak references
 * unresolved until run time; mold resolves them to NULL. */
void lttp_rseq_find(void)
{
	size_of_libc = &__rseq_size;
	offset_of_libc = &__rseq_offset;
	if ((size_of_libc == NULL || offset_of_libc == NULL) && dlsym != NULL) {
		size_of_libc = dlsym(RTLD_DEFAULT, "__rseq_size");
		offset_of_libc = dlsym(RTLD_DEFAULT, "__rseq_offset");
	}
}

static struct ltt_probe_rseq *area_of_libc(void)
{
	return (struct ltt_probe_rseq *)(void *)((char *)__builtin_thread_pointer() +
						 *offset_of_libc);
}

static bool is_registered(const struct ltt_probe_rseq *area)
{
	return (int32_t)lttp_load(&area->cpu_id) >= 0;
}

struct ltt_probe_rseq *lttp_rseq_area(void)
{
	/* If its size is 0, libc has been told to leave the registration to somebody else. */
	if (size_of_libc != NULL && offset_of_libc != NULL && *size_of_libc == 0)
		return NULL;
	if (size_of_libc != NULL && offset_of_libc != NULL)
		return is_registered(area_of_libc()) ? area_of_libc() : NULL;
	if (is_registered(&own_area.used))
		return &own_area.used;
	if (syscall(SYS_rseq, &own_area, RSEQ_BYTES, 0, LTT_PROBE_RSEQ_SIGNATURE) == 0)
		return &own_area.used;
	return NULL;
}

bool lttp_rseq_is_there(void)
{
	if (size_of_libc != NULL && offset_of_libc != NULL)
		return *size_of_libc != 0 && is_registered(area_of_libc());
	/* Unknown flags are an error if the kernel has the call. */
	return is_registered(&own_area.used) ||
	       (syscall(SYS_rseq, NULL, 0, ~0, 0) != 0 && errno == EINVAL);
}

void lttp_rseq_disown(void)
{
	if (size_of_libc != NULL && offset_of_libc != NULL && *size_of_libc != 0)
		lttp_store(&area_of_libc()->cpu_id, CPU_UNINITIALIZED);
	lttp_store(&own_area.used.cpu_id, CPU_UNINITIALIZED);
}

#else

void lttp_rseq_find(void)
{
}

bool lttp_rseq_is_there(void)
{
	return false;
}

void lttp_rseq_disown(void)
{
}

struct ltt_probe_rseq *lttp_rseq_area(void)
{
	return NULL;
}

#endif

void lttp_rseq_forget(struct ltt_probe_rseq *area)
{
	lttp_store(&area->sequence, 0);
}

void lttp_rseq_strike(struct ltt_probe_rseq *area, uint64_t from, uint64_t to)
{
	uint64_t named = lttp_load(&area->sequence);

	/* If the thread begins another sequence in the meantime, that one stays registered. */
	if (named >= from && named < to)
		lttp_replace(&area->sequence, named, 0);
}

void lttp_rseq_prepare(void)
{
	syscall(SYS_membarrier, MEMBARRIER_REGISTER_PRIVATE_RSEQ, 0, 0);
}

int lttp_rseq_wait(void)
{
	return syscall(SYS_membarrier, MEMBARRIER_PRIVATE_RSEQ, 0, 0) == 0;
}
