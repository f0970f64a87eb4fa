/* ltt-probe-x86-64.h - the restartable sequence of ltt-probe-section.h for x86-64.
 *
 * The order in it is chosen for speed, as measured: the processor reads the counter when all before
 * it is nearly done, and does nothing of what is behind it until it is nearly read. So the first
 * loads of the chain that leads to the block go in front of it, as many as do not hold it up.
 */
#ifndef LTT_PROBE_SECTION_H
#include <ltt/ltt-probe.h>
#elif defined(__x86_64__) && !defined(LTT_PROBE_HAS_SECTION)

#define LTT_PROBE_HAS_SECTION    1
#define LTT_PROBE_RSEQ_SIGNATURE 0x53053053

/* Keeps the counter from being read before the loads of the program are done. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_order(void)
{
	__asm__ __volatile__("lfence" ::: "memory");
}

/* Describes the sequence from 1: to 2:, which the kernel leaves for 4:. The '?' keeps the
 * description with its function, so that a linker may drop both. */
#define LTT_PROBE_SECTION_TABLE                                                                    \
	".pushsection __rseq_cs, \"aw?\"\n\t"                                                      \
	".balign 32\n\t"                                                                           \
	"3:\n\t"                                                                                   \
	".long 0, 0\n\t"                                                                           \
	".quad 1f, 2f - 1f, 4f\n\t"                                                                \
	".popsection\n\t"                                                                          \
	".pushsection __rseq_failure, \"ax?\"\n\t"                                                 \
	".byte 0x0f, 0xb9, 0x3d\n\t"                                                               \
	".long 0x53053053\n\t"                                                                     \
	"4:\n\t"                                                                                   \
	"jmp %l[slow]\n\t"                                                                         \
	".popsection\n\t"

/* Tells the kernel of the sequence, then begins it. */
#define LTT_PROBE_SECTION_ENTER                                                                    \
	"movq (%[thread]), %%rdi\n\t"                                                              \
	"leaq 3b(%%rip), %%rax\n\t"                                                                \
	"movq %%rax, 8(%%rdi)\n\t"                                                                 \
	"1:\n\t"

/* Passes the gate and stores the header. Behind it rcx is the address of the event, rdi its offset
 * in the block, rdx the offset behind it, rsi the address of the block's word. */
#define LTT_PROBE_SECTION_HEADER                                                                   \
	"movl 4(%%rdi), %%ecx\n\t" /* rseq->cpu_id */                                              \
	"shlq $6, %%rcx\n\t"                                                                       \
	"addq 8(%[thread]), %%rcx\n\t" /* thread->cpus */                                          \
	"rdtsc\n\t"                                                                                \
	"shlq $32, %%rdx\n\t"                                                                      \
	"orq %%rdx, %%rax\n\t"                                                                     \
	"movq (%%rcx), %%rdx\n\t" /* cpu->gate */                                                  \
	"testq %%rdx, %%rdx\n\t"                                                                   \
	"jz %l[slow]\n\t"                                                                          \
	"movq 16(%[thread]), %%rsi\n\t" /* thread->serial */                                       \
	"cmpq %%rsi, (%%rdx)\n\t"       /* gate->owner */                                          \
	"jne %l[slow]\n\t"                                                                         \
	"cmpq 8(%%rdx), %%rax\n\t" /* gate->cut_cycles */                                          \
	"jae %l[slow]\n\t"                                                                         \
	"subq 16(%%rdx), %%rax\n\t" /* gate->base_cycles */                                        \
	"cmpq 24(%%rdx), %%rax\n\t" /* gate->limit_cycles */                                       \
	"jae %l[slow]\n\t"                                                                         \
	"movq 8(%%rcx), %%rcx\n\t"      /* cpu->block */                                           \
	"movq 24(%[thread]), %%rsi\n\t" /* thread->word_bytes */                                   \
	"addq %%rcx, %%rsi\n\t"                                                                    \
	"movl (%%rsi), %%edi\n\t" /* where the next event goes */                                  \
	"leaq 6(%%rdi), %%rdx\n\t"                                                                 \
	"addq %[size], %%rdx\n\t"                                                                  \
	"cmpq %%rdx, 32(%[thread])\n\t" /* thread->room_bytes */                                   \
	"jb %l[slow]\n\t"                                                                          \
	"movl %[base], %%r8d\n\t"                                                                  \
	"testl %%r8d, %%r8d\n\t"                                                                   \
	"jz %l[slow]\n\t"                                                                          \
	"addl %[index], %%r8d\n\t"                                                                 \
	"addq %%rdi, %%rcx\n\t"                                                                    \
	"movw %%r8w, (%%rcx)\n\t"                                                                  \
	"movl %%eax, 2(%%rcx)\n\t"

/* The commit: {where the next event goes, where this one is}. */
#define LTT_PROBE_SECTION_COMMIT                                                                   \
	"shlq $32, %%rdi\n\t"                                                                      \
	"orq %%rdx, %%rdi\n\t"                                                                     \
	"movq %%rdi, (%%rsi)\n\t"                                                                  \
	"2:\n\t"

#define LTT_PROBE_SECTION_INPUTS                                                                   \
	[thread] "r"(thread), [base] "m"(facility->base), [index] "g"(index), [size] "rme"(size)
#define LTT_PROBE_SECTION_CLOBBERS "rax", "rdx", "rcx", "rsi", "rdi", "r8", "cc", "memory"

/* Payload words from registers. The last may run over the event by up to 7 bytes: nothing is there
 * yet, and a block keeps room behind its last event. */
#define LTT_PROBE_STORE_0          ""
#define LTT_PROBE_STORE_1          "movq %[w0], 6(%%rcx)\n\t"
#define LTT_PROBE_STORE_2          LTT_PROBE_STORE_1 "movq %[w1], 14(%%rcx)\n\t"
#define LTT_PROBE_STORE_3          LTT_PROBE_STORE_2 "movq %[w2], 22(%%rcx)\n\t"
#define LTT_PROBE_STORE_4          LTT_PROBE_STORE_3 "movq %[w3], 30(%%rcx)\n\t"

#endif /* x86-64 */
