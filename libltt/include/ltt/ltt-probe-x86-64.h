/* ltt-probe-x86-64.h - the restartable sequence of ltt-probe-section.h for x86-64.
 *
 * The order of the instructions was chosen by measuring: the processor reads the counter when almost
 * all earlier instructions are done, and starts almost none of the later ones before. So the first
 * loads of the chain that leads to the block precede the read, as many as do not delay it.
 */
#ifndef LTT_PROBE_SECTION_H
#include <ltt/ltt-probe.h>
#elif defined(__x86_64__) && !defined(LTT_PROBE_HAS_SECTION)

#define LTT_PROBE_HAS_SECTION    1
#define LTT_PROBE_RSEQ_SIGNATURE UINT64_C(0x53053053)

/* Delays the read of the counter until all earlier loads are done. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_order(void)
{
	__asm__ __volatile__("lfence" ::: "memory");
}

/* Describes the sequence from 1: to 2:, which the kernel aborts by a jump to 4:. The '?' puts the
 * description into the section group of its function, so that a linker may drop both. */
#define LTT_PROBE_SECTION_TABLE                                                                    \
	".pushsection __rseq_cs, \"aw?\"\n\t"                                                      \
	".balign 32\n\t"                                                                           \
	"3:\n\t"                                                                                   \
	".long 0, 0\n\t"                                                                           \
	".quad 1f, 2f - 1f, 4f\n\t"                                                                \
	".popsection\n\t"                                                                          \
	".pushsection __rseq_failure, \"ax?\"\n\t"                                                 \
	".byte 0x0f, 0xb9, 0x3d\n\t"                                                               \
	".long %c[signature]\n\t"                                                                  \
	"4:\n\t"                                                                                   \
	"jmp %l[slow]\n\t"                                                                         \
	".popsection\n\t"

/* Registers the sequence with the kernel, then begins it. */
#define LTT_PROBE_SECTION_ENTER                                                                    \
	"movq %c[rseq](%[thread]), %%rdi\n\t"                                                      \
	"leaq 3b(%%rip), %%rax\n\t"                                                                \
	"movq %%rax, %c[sequence](%%rdi)\n\t"                                                      \
	"1:\n\t"

/* Checks the gate and stores the header. Afterwards rcx is the address of the event, rdi its offset
 * in the block, rdx the offset of the next event, rsi the address of the block's word. */
#define LTT_PROBE_SECTION_HEADER                                                                   \
	"movslq %c[cpu_id](%%rdi), %%rcx\n\t"                                                      \
	"shlq %[cpu_shift], %%rcx\n\t"                                                             \
	"addq %c[cpus](%[thread]), %%rcx\n\t"                                                      \
	"rdtsc\n\t"                                                                                \
	"shlq $32, %%rdx\n\t"                                                                      \
	"orq %%rdx, %%rax\n\t"                                                                     \
	"movq %c[gate](%%rcx), %%rdx\n\t"                                                          \
	"testq %%rdx, %%rdx\n\t"                                                                   \
	"jz %l[slow]\n\t"                                                                          \
	"movq %c[serial](%[thread]), %%rsi\n\t"                                                    \
	"cmpq %%rsi, %c[owner](%%rdx)\n\t"                                                         \
	"jne %l[slow]\n\t"                                                                         \
	"cmpq %c[cut](%%rdx), %%rax\n\t"                                                           \
	"jae %l[slow]\n\t"                                                                         \
	"subq %c[time_base](%%rdx), %%rax\n\t"                                                     \
	"cmpq %c[limit](%%rdx), %%rax\n\t"                                                         \
	"jae %l[slow]\n\t"                                                                         \
	"movq %c[block](%%rcx), %%rcx\n\t"                                                         \
	"movq %c[word_bytes](%[thread]), %%rsi\n\t"                                                \
	"addq %%rcx, %%rsi\n\t"                                                                    \
	"movl (%%rsi), %%edi\n\t" /* where the next event goes */                                  \
	"leaq %c[payload](%%rdi), %%rdx\n\t"                                                       \
	"addq %[size], %%rdx\n\t"                                                                  \
	"cmpq %%rdx, %c[room_bytes](%[thread])\n\t"                                                \
	"jb %l[slow]\n\t"                                                                          \
	"movl %[base], %%r8d\n\t"                                                                  \
	"testl %%r8d, %%r8d\n\t"                                                                   \
	"jz %l[slow]\n\t"                                                                          \
	"addl %[index], %%r8d\n\t"                                                                 \
	"addq %%rdi, %%rcx\n\t"                                                                    \
	"movw %%r8w, %c[id](%%rcx)\n\t"                                                            \
	"movl %%eax, %c[delta](%%rcx)\n\t"

/* The commit: {where the next event goes, where this one is}. */
#define LTT_PROBE_SECTION_COMMIT                                                                   \
	"shlq $32, %%rdi\n\t"                                                                      \
	"orq %%rdx, %%rdi\n\t"                                                                     \
	"movq %%rdi, (%%rsi)\n\t"                                                                  \
	"2:\n\t"

#define LTT_PROBE_SECTION_INPUTS                                                                   \
	[thread] "r"(thread), [base] "m"(facility->base), [index] "g"(index), [size] "rme"(size),  \
		LTT_PROBE_SECTION_OFFSETS
#define LTT_PROBE_SECTION_CLOBBERS "rax", "rdx", "rcx", "rsi", "rdi", "r8", "cc", "memory"

/* Payload words from registers. The last may exceed the event by up to 7 bytes: the space after it is
 * free, and a block keeps room after its last event. */
#define LTT_PROBE_STORE_0          ""
#define LTT_PROBE_STORE_1          "movq %[w0], %c[payload](%%rcx)\n\t"
#define LTT_PROBE_STORE_2          LTT_PROBE_STORE_1 "movq %[w1], %c[payload]+8(%%rcx)\n\t"
#define LTT_PROBE_STORE_3          LTT_PROBE_STORE_2 "movq %[w2], %c[payload]+16(%%rcx)\n\t"
#define LTT_PROBE_STORE_4          LTT_PROBE_STORE_3 "movq %[w3], %c[payload]+24(%%rcx)\n\t"

#endif /* x86-64 */
