/* ltt-probe-aarch64.h - the restartable sequence of ltt-probe-section.h for AArch64, little endian.
 *
 * The word is stored with release semantics, so that a reader on another CPU sees the event before
 * the word. On the same CPU program order is enough.
 */
#ifndef LTT_PROBE_SECTION_H
#include <ltt/ltt-probe.h>
#elif defined(__aarch64__) && !defined(LTT_PROBE_HAS_SECTION)

#define LTT_PROBE_HAS_SECTION    1
#define LTT_PROBE_RSEQ_SIGNATURE UINT64_C(0xd428bc00)

/* Delays the read of the counter until all earlier loads are done. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_order(void)
{
	__asm__ __volatile__("isb" ::: "memory");
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
	".inst %c[signature]\n\t"                                                                  \
	"4:\n\t"                                                                                   \
	"b %l[slow]\n\t"                                                                           \
	".popsection\n\t"

/* Registers the sequence with the kernel, then begins it. */
#define LTT_PROBE_SECTION_ENTER                                                                    \
	"ldr x10, [%[thread], %c[rseq]]\n\t"                                                       \
	"adrp x9, 3b\n\t"                                                                          \
	"add x9, x9, :lo12:3b\n\t"                                                                 \
	"str x9, [x10, %c[sequence]]\n\t"                                                          \
	"1:\n\t"

/* Checks the gate and stores the header. Afterwards x11 is the address of the event, x14 its offset
 * in the block, x15 the offset of the next event, x13 the address of the block's word. */
#define LTT_PROBE_SECTION_HEADER                                                                   \
	"mrs x9, cntvct_el0\n\t"                                                                   \
	"ldrsw x11, [x10, %c[cpu_id]]\n\t"                                                         \
	"ldr x12, [%[thread], %c[cpus]]\n\t"                                                       \
	"add x11, x12, x11, lsl %c[cpu_shift]\n\t"                                                 \
	"ldr x12, [x11, %c[gate]]\n\t"                                                             \
	"cbz x12, %l[slow]\n\t"                                                                    \
	"ldr x13, [%[thread], %c[serial]]\n\t"                                                     \
	"ldp x14, x15, [x12, %c[owner]]\n\t" /* and cut_cycles, the next field */                  \
	"cmp x13, x14\n\t"                                                                         \
	"b.ne %l[slow]\n\t"                                                                        \
	"cmp x9, x15\n\t"                                                                          \
	"b.hs %l[slow]\n\t"                                                                        \
	"ldp x14, x15, [x12, %c[time_base]]\n\t" /* and limit_cycles */                            \
	"sub x9, x9, x14\n\t"                                                                      \
	"cmp x9, x15\n\t"                                                                          \
	"b.hs %l[slow]\n\t"                                                                        \
	"ldr x11, [x11, %c[block]]\n\t"                                                            \
	"ldp x13, x12, [%[thread], %c[word_bytes]]\n\t" /* and room_bytes */                       \
	"add x13, x13, x11\n\t"                                                                    \
	"ldr w14, [x13]\n\t" /* where the next event goes */                                       \
	"add x15, x14, %c[payload]\n\t"                                                            \
	"add x15, x15, %[size]\n\t"                                                                \
	"cmp x15, x12\n\t"                                                                         \
	"b.hi %l[slow]\n\t"                                                                        \
	"ldr w12, %[base]\n\t"                                                                     \
	"cbz w12, %l[slow]\n\t"                                                                    \
	"add w12, w12, %w[index]\n\t"                                                              \
	"orr x9, x12, x9, lsl 8 * %c[delta]\n\t"                                                   \
	"add x11, x11, x14\n\t"                                                                    \
	"str x9, [x11, %c[id]]\n\t"

/* The commit: {where the next event goes, where this one is}. */
#define LTT_PROBE_SECTION_COMMIT                                                                   \
	"orr x14, x15, x14, lsl #32\n\t"                                                           \
	"stlr x14, [x13]\n\t"                                                                      \
	"2:\n\t"

#define LTT_PROBE_SECTION_INPUTS                                                                   \
	[thread] "r"(thread), [base] "m"(facility->base), [index] "r"(index), [size] "r"(size),    \
		LTT_PROBE_SECTION_OFFSETS
#define LTT_PROBE_SECTION_CLOBBERS "x9", "x10", "x11", "x12", "x13", "x14", "x15", "cc", "memory"

/* Payload words from registers. The last may exceed the event by up to 7 bytes: the space after it is
 * free, and a block keeps room after its last event. */
#define LTT_PROBE_STORE_0          ""
#define LTT_PROBE_STORE_1          "stur %[w0], [x11, %c[payload]]\n\t"
#define LTT_PROBE_STORE_2          LTT_PROBE_STORE_1 "stur %[w1], [x11, %c[payload]+8]\n\t"
#define LTT_PROBE_STORE_3          LTT_PROBE_STORE_2 "stur %[w2], [x11, %c[payload]+16]\n\t"
#define LTT_PROBE_STORE_4          LTT_PROBE_STORE_3 "stur %[w3], [x11, %c[payload]+24]\n\t"

/* A payload of any size from memory, copied exactly. */
#define LTT_PROBE_STORE_BYTES                                                                      \
	"mov x9, %[size]\n\t"                                                                      \
	"mov x10, %[bytes]\n\t"                                                                    \
	"add x11, x11, %c[payload]\n\t"                                                            \
	"5:\n\t"                                                                                   \
	"subs x9, x9, #16\n\t"                                                                     \
	"b.lo 6f\n\t"                                                                              \
	"ldr q0, [x10], #16\n\t"                                                                   \
	"str q0, [x11], #16\n\t"                                                                   \
	"b 5b\n\t"                                                                                 \
	"6:\n\t" /* the low four bits of x9 count the rest */                                      \
	"tbz x9, #3, 7f\n\t"                                                                       \
	"ldr x12, [x10], #8\n\t"                                                                   \
	"str x12, [x11], #8\n\t"                                                                   \
	"7:\n\t"                                                                                   \
	"tbz x9, #2, 8f\n\t"                                                                       \
	"ldr w12, [x10], #4\n\t"                                                                   \
	"str w12, [x11], #4\n\t"                                                                   \
	"8:\n\t"                                                                                   \
	"and x9, x9, #3\n\t"                                                                       \
	"cbz x9, 9f\n\t"                                                                           \
	"ldrb w12, [x10], #1\n\t"                                                                  \
	"strb w12, [x11], #1\n\t"                                                                  \
	"sub x9, x9, #1\n\t"                                                                       \
	"b 8b\n\t"                                                                                 \
	"9:\n\t"
#define LTT_PROBE_BYTES_CLOBBERS LTT_PROBE_SECTION_CLOBBERS, "v0"

#endif /* AArch64 */
