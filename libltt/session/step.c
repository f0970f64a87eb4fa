/* step.c - several stores in one restartable sequence. See step.h.
 *
 * Readers on other CPUs rely on the order of the stores, so machines with weak ordering need
 * barriers.
 */
#include "session/step.h"

#include "session/atomic.h"

#include <string.h>

void lttp_step_copy(struct lttp_step *step, char *at, const char *bytes, uint32_t size)
{
	for (uint32_t done = 0; done < size; done += 8) {
		uint64_t value = 0;

		memcpy(&value, bytes + done, size - done < 8 ? size - done : 8);
		lttp_step_store(step, at + done, value);
	}
}

/* model: step_in_lane */
static bool make_in_lane(const struct lttp_step *step)
{
	for (unsigned i = 0; i < step->checks; i++) {
		if (lttp_load((uint64_t *)step->check[i].at) != step->check[i].value)
			return false;
	}
	for (unsigned i = 0; i < step->stores; i++) {
		__atomic_thread_fence(__ATOMIC_RELEASE);
		memcpy(step->store[i].at, &step->store[i].value, 8);
	}
	__atomic_thread_fence(__ATOMIC_RELEASE);
	return true;
}

/* clang-format off */

#define PAIR_OFFSETS                                                                               \
	[pair_at] "i"(offsetof(struct lttp_pair, at)),                                             \
	[pair_value] "i"(offsetof(struct lttp_pair, value)),                                       \
	[pair_bytes] "i"(sizeof(struct lttp_pair))

#if defined(LTT_PROBE_HAS_SECTION) && defined(__x86_64__)

static bool make_on_cpu(const struct ltt_probe_thread *thread, uint32_t cpu,
			const struct lttp_step *step)
{
	__asm__ __volatile__ goto(
		LTT_PROBE_SECTION_TABLE LTT_PROBE_SECTION_ENTER
		"cmpl %[cpu], %c[cpu_id](%%rdi)\n\t"
		"jne %l[slow]\n\t"
		"movq %[check], %%rsi\n\t"
		"movl %[checks], %%ecx\n\t"
		"5:\n\t"
		"subl $1, %%ecx\n\t"
		"js 6f\n\t"
		"movq %c[pair_at](%%rsi), %%rax\n\t"
		"movq %c[pair_value](%%rsi), %%rdx\n\t"
		"cmpq %%rdx, (%%rax)\n\t"
		"jne %l[slow]\n\t"
		"addq %[pair_bytes], %%rsi\n\t"
		"jmp 5b\n\t"
		"6:\n\t"
		"movq %[store], %%rsi\n\t"
		"movl %[stores], %%ecx\n\t"
		"7:\n\t"
		"movq %c[pair_at](%%rsi), %%rax\n\t"
		"movq %c[pair_value](%%rsi), %%rdx\n\t"
		"addq %[pair_bytes], %%rsi\n\t"
		"subl $1, %%ecx\n\t"
		"jz 8f\n\t"
		"movq %%rdx, (%%rax)\n\t"
		"jmp 7b\n\t"
		"8:\n\t"
		"movq %%rdx, (%%rax)\n\t" /* the last instruction: no abort is after it */
		"2:\n\t"
		:
		: [thread] "r"(thread), [cpu] "r"(cpu), [check] "r"(step->check),
		  [checks] "r"(step->checks), [store] "r"(step->store), [stores] "r"(step->stores),
		  PAIR_OFFSETS, LTT_PROBE_ENTER_OFFSETS
		: LTT_PROBE_SECTION_CLOBBERS
		: slow);
	return true;
slow:
	return false;
}

static bool load_on_cpu(const struct ltt_probe_thread *thread, uint32_t cpu, const void *guard,
			uint64_t expected, const uint64_t *at, uint64_t *out)
{
	__asm__ __volatile__ goto(
		LTT_PROBE_SECTION_TABLE LTT_PROBE_SECTION_ENTER
		"cmpl %[cpu], %c[cpu_id](%%rdi)\n\t"
		"jne %l[slow]\n\t"
		"cmpq %[expected], (%[guard])\n\t"
		"jne %l[slow]\n\t"
		"movq (%[at]), %%rax\n\t"
		"movq %%rax, (%[out])\n\t"
		"2:\n\t"
		:
		: [thread] "r"(thread), [cpu] "r"(cpu), [guard] "r"(guard),
		  [expected] "r"(expected), [at] "r"(at), [out] "r"(out), LTT_PROBE_ENTER_OFFSETS
		: LTT_PROBE_SECTION_CLOBBERS
		: slow);
	return true;
slow:
	return false;
}

#elif defined(LTT_PROBE_HAS_SECTION) && defined(__aarch64__)

/* One ldp loads both. */
_Static_assert(offsetof(struct lttp_pair, value) == offsetof(struct lttp_pair, at) + 8, "a pair");

static bool make_on_cpu(const struct ltt_probe_thread *thread, uint32_t cpu,
			const struct lttp_step *step)
{
	__asm__ __volatile__ goto(
		LTT_PROBE_SECTION_TABLE LTT_PROBE_SECTION_ENTER
		"ldr w11, [x10, %c[cpu_id]]\n\t"
		"cmp w11, %w[cpu]\n\t"
		"b.ne %l[slow]\n\t"
		"mov x13, %[check]\n\t"
		"mov w11, %w[checks]\n\t"
		"5:\n\t"
		"cbz w11, 6f\n\t"
		"ldp x14, x15, [x13, %c[pair_at]]\n\t"
		"add x13, x13, %c[pair_bytes]\n\t"
		"ldr x14, [x14]\n\t"
		"cmp x14, x15\n\t"
		"b.ne %l[slow]\n\t"
		"sub w11, w11, #1\n\t"
		"b 5b\n\t"
		"6:\n\t"
		"mov x13, %[store]\n\t"
		"mov w11, %w[stores]\n\t"
		"7:\n\t"
		"ldp x14, x15, [x13, %c[pair_at]]\n\t"
		"add x13, x13, %c[pair_bytes]\n\t"
		"dmb ish\n\t"
		"subs w11, w11, #1\n\t"
		"b.eq 8f\n\t"
		"str x15, [x14]\n\t"
		"b 7b\n\t"
		"8:\n\t"
		"str x15, [x14]\n\t"
		"2:\n\t"
		:
		: [thread] "r"(thread), [cpu] "r"(cpu), [check] "r"(step->check),
		  [checks] "r"(step->checks), [store] "r"(step->store), [stores] "r"(step->stores),
		  PAIR_OFFSETS, LTT_PROBE_ENTER_OFFSETS
		: LTT_PROBE_SECTION_CLOBBERS
		: slow);
	return true;
slow:
	return false;
}

static bool load_on_cpu(const struct ltt_probe_thread *thread, uint32_t cpu, const void *guard,
			uint64_t expected, const uint64_t *at, uint64_t *out)
{
	__asm__ __volatile__ goto(
		LTT_PROBE_SECTION_TABLE LTT_PROBE_SECTION_ENTER
		"ldr w11, [x10, %c[cpu_id]]\n\t"
		"cmp w11, %w[cpu]\n\t"
		"b.ne %l[slow]\n\t"
		"ldr x12, [%[guard]]\n\t"
		"cmp x12, %[expected]\n\t"
		"b.ne %l[slow]\n\t"
		"ldr x12, [%[at]]\n\t"
		"str x12, [%[out]]\n\t"
		"2:\n\t"
		:
		: [thread] "r"(thread), [cpu] "r"(cpu), [guard] "r"(guard),
		  [expected] "r"(expected), [at] "r"(at), [out] "r"(out), LTT_PROBE_ENTER_OFFSETS
		: LTT_PROBE_SECTION_CLOBBERS
		: slow);
	return true;
slow:
	return false;
}

#else

static bool make_on_cpu(const struct ltt_probe_thread *thread, uint32_t cpu,
			const struct lttp_step *step)
{
	(void)thread, (void)cpu, (void)step;
	return false;
}

static bool load_on_cpu(const struct ltt_probe_thread *thread, uint32_t cpu, const void *guard,
			uint64_t expected, const uint64_t *at, uint64_t *out)
{
	(void)thread, (void)cpu, (void)guard, (void)expected, (void)at, (void)out;
	return false;
}

#endif

/* clang-format on */

bool lttp_step_make(const struct lttp_actor *actor, const struct lttp_step *step)
{
	return actor->thread == NULL ? make_in_lane(step)
				     : make_on_cpu(actor->thread, actor->cpu, step);
}

bool lttp_step_load(const struct lttp_actor *actor, const void *guard, uint64_t expected,
		    const uint64_t *at, uint64_t *out)
{
	if (actor->thread != NULL)
		return load_on_cpu(actor->thread, actor->cpu, guard, expected, at, out);
	*out = lttp_load(at);
	return true;
}
