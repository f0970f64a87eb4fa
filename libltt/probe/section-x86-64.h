/* section-x86-64.h - the sequence of section.h for x86-64.
 *
 * An ordered read of the counter waits for all that is before it. So it comes last, when the
 * payload is copied to where nothing is yet, and the copy overlaps with the end of the event
 * before. A read that is not ordered comes in front of the copy, which overlaps with the read.
 *
 * Stores are what is scarce: one leaves the store queue only when all instructions before it are
 * done, and the read of the counter takes long. Measured: one store less for each event, such as
 * that of a callee-saved register, makes an event with a payload up to a tenth faster. So the
 * thread's variables are addressed from fs, and no register holds their address.
 *
 * A text is tested for a 0 in the register from which it is stored, 16 bytes at a time. So its
 * length is what the copied bytes show, whoever changes the text meanwhile, and it is read once.
 * Loads of 16 bytes may run over the end of a text or of a part, but never into another page;
 * stores may run over the end of the event by 15 bytes, for which a block keeps room
 * (LTTP_BLOCK_RESERVE_BYTES).
 *
 *	rcx  address of the event          rax  where the next byte goes; in loops less r8
 *	rdi  its offset in the block       r8   what to copy
 *	rsi  address of the block's word   r9   the part
 *	r11  where the event must end      r10  bytes left; for a text where to stop reading
 *	r12  the gate                      rdx  the thread's variables, from fs; scratch;
 *	                                        end of the copy
 */
#ifndef LTTP_SECTION_H
#error "section-x86-64.h is part of section.h"
#endif

/* Tells the kernel of the sequence, then begins it. */
#define LTTP_SECTION_ENTER                                                                         \
	"movq ltt_probe_thread@gottpoff(%%rip), %%rdx\n\t"                                         \
	"movq %%fs:(%%rdx), %%rdi\n\t"                                                             \
	"leaq 3b(%%rip), %%rax\n\t"                                                                \
	"movq %%rax, 8(%%rdi)\n\t"                                                                 \
	"1:\n\t"

/* Finds the place of this CPU: rcx. */
#define LTTP_SECTION_CPU                                                                           \
	"movq %[parts], %%r9\n\t"                                                                  \
	"movl 4(%%rdi), %%ecx\n\t" /* rseq->cpu_id */                                              \
	"shlq $6, %%rcx\n\t"                                                                       \
	"addq %%fs:%c[cpus](%%rdx), %%rcx\n\t"

/* Reads the counter: rax. */
#define LTTP_SECTION_READ                                                                          \
	"rdtsc\n\t"                                                                                \
	"shlq $32, %%rdx\n\t"                                                                      \
	"orq %%rdx, %%rax\n\t"

/* Passes the owner of the gate, and finds where the event goes. */
#define LTTP_SECTION_BLOCK                                                                         \
	"movq %c[gate](%%rcx), %%r12\n\t"                                                          \
	"testq %%r12, %%r12\n\t"                                                                   \
	"jz %l[slow]\n\t"                                                                          \
	"movq %%fs:%c[serial](%%rdx), %%rsi\n\t"                                                   \
	"cmpq %%rsi, %c[owner](%%r12)\n\t"                                                         \
	"jne %l[slow]\n\t"                                                                         \
	"movq %c[block](%%rcx), %%rcx\n\t"                                                         \
	"movq %%fs:%c[word](%%rdx), %%rsi\n\t"                                                     \
	"addq %%rcx, %%rsi\n\t"                                                                    \
	"movl (%%rsi), %%edi\n\t" /* where the next event goes */                                  \
	"movq %%fs:%c[room](%%rdx), %%r11\n\t"                                                     \
	"addq %%rcx, %%r11\n\t"                                                                    \
	"addq %%rdi, %%rcx\n\t"

/* Passes the rest of the gate with the time in rax, which it stores in the header. */
#define LTTP_SECTION_TIME                                                                          \
	"cmpq %c[cut](%%r12), %%rax\n\t"                                                           \
	"jae %l[slow]\n\t"                                                                         \
	"subq %c[since](%%r12), %%rax\n\t"                                                         \
	"cmpq %c[limit](%%r12), %%rax\n\t"                                                         \
	"jae %l[slow]\n\t"                                                                         \
	"movl %%eax, 2(%%rcx)\n\t"

/* Goes to where the payload begins. */
#define LTTP_SECTION_PAYLOAD                                                                       \
	"leaq 6(%%rcx), %%rax\n\t"                                                                 \
	"cmpq %%r11, %%rax\n\t"                                                                    \
	"ja %l[slow]\n\t"

/* Begins the part at r9: goes on with LTTP_SECTION_BYTES, or to 20: if it is a text. */
#define LTTP_SECTION_PART                                                                          \
	"5:\n\t"                                                                                   \
	"movq %c[bytes](%%r9), %%r8\n\t"                                                           \
	"movq %c[size](%%r9), %%r10\n\t"                                                           \
	"testq %%r10, %%r10\n\t"                                                                   \
	"js 20f\n\t"

/* Plain bytes: the last 16 or 64 first, which those before may overlap. */
#define LTTP_SECTION_BYTES                                                                         \
	"leaq (%%rax,%%r10), %%rdx\n\t"                                                            \
	"cmpq %%r11, %%rdx\n\t"                                                                    \
	"ja %l[slow]\n\t"                                                                          \
	"cmpq $16, %%r10\n\t"                                                                      \
	"jb 10f\n\t"                                                                               \
	"subq %%r8, %%rax\n\t"                                                                     \
	"cmpq $64, %%r10\n\t"                                                                      \
	"jb 8f\n\t"                                                                                \
	"movups -64(%%r8,%%r10), %%xmm0\n\t"                                                       \
	"movups -48(%%r8,%%r10), %%xmm1\n\t"                                                       \
	"movups -32(%%r8,%%r10), %%xmm2\n\t"                                                       \
	"movups -16(%%r8,%%r10), %%xmm3\n\t"                                                       \
	"leaq -64(%%r8,%%r10), %%r10\n\t"                                                          \
	"movups %%xmm0, -64(%%rdx)\n\t"                                                            \
	"movups %%xmm1, -48(%%rdx)\n\t"                                                            \
	"movups %%xmm2, -32(%%rdx)\n\t"                                                            \
	"movups %%xmm3, -16(%%rdx)\n\t"                                                            \
	"cmpq %%r10, %%r8\n\t"                                                                     \
	"jae 12f\n\t"                                                                              \
	"7:\n\t"                                                                                   \
	"movups (%%r8), %%xmm0\n\t"                                                                \
	"movups 16(%%r8), %%xmm1\n\t"                                                              \
	"movups 32(%%r8), %%xmm2\n\t"                                                              \
	"movups 48(%%r8), %%xmm3\n\t"                                                              \
	"movups %%xmm0, (%%r8,%%rax)\n\t"                                                          \
	"movups %%xmm1, 16(%%r8,%%rax)\n\t"                                                        \
	"movups %%xmm2, 32(%%r8,%%rax)\n\t"                                                        \
	"movups %%xmm3, 48(%%r8,%%rax)\n\t"                                                        \
	"addq $64, %%r8\n\t"                                                                       \
	"cmpq %%r10, %%r8\n\t"                                                                     \
	"jb 7b\n\t"                                                                                \
	"jmp 12f\n\t"                                                                              \
	"8:\n\t" /* 16 to 63 */                                                                    \
	"movups -16(%%r8,%%r10), %%xmm0\n\t"                                                       \
	"leaq -16(%%r8,%%r10), %%r10\n\t"                                                          \
	"movups %%xmm0, -16(%%rdx)\n\t"                                                            \
	"9:\n\t"                                                                                   \
	"cmpq %%r10, %%r8\n\t"                                                                     \
	"jae 12f\n\t"                                                                              \
	"movups (%%r8), %%xmm0\n\t"                                                                \
	"movups %%xmm0, (%%r8,%%rax)\n\t"                                                          \
	"addq $16, %%r8\n\t"                                                                       \
	"jmp 9b\n\t"                                                                               \
	"10:\n\t" /* less than 16: all at once, unless that reaches into another page */           \
	"testl %%r10d, %%r10d\n\t"                                                                 \
	"jz 12f\n\t"                                                                               \
	"movl %%r8d, %%r10d\n\t"                                                                   \
	"andl $4095, %%r10d\n\t"                                                                   \
	"cmpl $4080, %%r10d\n\t"                                                                   \
	"ja 11f\n\t"                                                                               \
	"movups (%%r8), %%xmm0\n\t"                                                                \
	"movups %%xmm0, (%%rax)\n\t"                                                               \
	"jmp 12f\n\t"                                                                              \
	"11:\n\t"                                                                                  \
	"movb (%%r8), %%r10b\n\t"                                                                  \
	"movb %%r10b, (%%rax)\n\t"                                                                 \
	"addq $1, %%r8\n\t"                                                                        \
	"addq $1, %%rax\n\t"                                                                       \
	"cmpq %%rdx, %%rax\n\t"                                                                    \
	"jb 11b\n\t"                                                                               \
	"12:\n\t"                                                                                  \
	"movq %%rdx, %%rax\n\t"                                                                    \
	"jmp 30f\n\t"

/* A text: 16 bytes from its start, then 16 at a time from where addresses are multiples of 16.
 * These begin inside what is already copied, and count as read now. */
#define LTTP_SECTION_TEXT                                                                          \
	"20:\n\t"                                                                                  \
	"btrq $63, %%r10\n\t"                                                                      \
	"movq %%r11, %%rdx\n\t"                                                                    \
	"subq %%rax, %%rdx\n\t"                                                                    \
	"jbe %l[slow]\n\t"                                                                         \
	"cmpq %%rdx, %%r10\n\t"                                                                    \
	"cmovaq %%rdx, %%r10\n\t"                                                                  \
	"addq %%r8, %%r10\n\t"                                                                     \
	"subq %%r8, %%rax\n\t"                                                                     \
	"pxor %%xmm1, %%xmm1\n\t" /* stays 0 until there is a 0 in the text */                     \
	"movl %%r8d, %%edx\n\t"                                                                    \
	"andl $4095, %%edx\n\t"                                                                    \
	"cmpl $4080, %%edx\n\t"                                                                    \
	"ja 25f\n\t"                                                                               \
	"movups (%%r8), %%xmm0\n\t"                                                                \
	"movups %%xmm0, (%%r8,%%rax)\n\t"                                                          \
	"pcmpeqb %%xmm0, %%xmm1\n\t"                                                               \
	"pmovmskb %%xmm1, %%edx\n\t"                                                               \
	"testl %%edx, %%edx\n\t"                                                                   \
	"jnz 23f\n\t"                                                                              \
	"andq $-16, %%r8\n\t"                                                                      \
	"21:\n\t"                                                                                  \
	"addq $16, %%r8\n\t"                                                                       \
	"22:\n\t"                                                                                  \
	"cmpq %%r10, %%r8\n\t"                                                                     \
	"jae 27f\n\t"                                                                              \
	"movaps (%%r8), %%xmm0\n\t"                                                                \
	"movups %%xmm0, (%%r8,%%rax)\n\t"                                                          \
	"pcmpeqb %%xmm0, %%xmm1\n\t"                                                               \
	"pmovmskb %%xmm1, %%edx\n\t"                                                               \
	"testl %%edx, %%edx\n\t"                                                                   \
	"jz 21b\n\t"                                                                               \
	"23:\n\t"                                                                                  \
	"rep; bsfl %%edx, %%edx\n\t" /* tzcnt where there is one, which is faster */               \
	"addq %%rdx, %%r8\n\t"                                                                     \
	"cmpq %%r10, %%r8\n\t"                                                                     \
	"jae 27f\n\t"                                                                              \
	"24:\n\t" /* r8 is at the 0 */                                                             \
	"leaq 1(%%r8,%%rax), %%rax\n\t"                                                            \
	"jmp 30f\n\t"                                                                              \
	"25:\n\t" /* the end of a page: byte by byte, to an address that is a multiple of 16 */    \
	"cmpq %%r10, %%r8\n\t"                                                                     \
	"jae 27f\n\t"                                                                              \
	"movzbl (%%r8), %%edx\n\t"                                                                 \
	"movb %%dl, (%%r8,%%rax)\n\t"                                                              \
	"testl %%edx, %%edx\n\t"                                                                   \
	"jz 24b\n\t"                                                                               \
	"addq $1, %%r8\n\t"                                                                        \
	"testl $15, %%r8d\n\t"                                                                     \
	"jnz 25b\n\t"                                                                              \
	"jmp 22b\n\t"                                                                              \
	"27:\n\t" /* no 0 before the text's size, or before the end of the room */                 \
	"addq %%r10, %%rax\n\t"                                                                    \
	"cmpq %%r11, %%rax\n\t"                                                                    \
	"jae %l[slow]\n\t"                                                                         \
	"movb $0, (%%rax)\n\t"                                                                     \
	"addq $1, %%rax\n\t"

#define LTTP_SECTION_NEXT                                                                          \
	"30:\n\t"                                                                                  \
	"addq %[part_bytes], %%r9\n\t"                                                             \
	"cmpq %[end], %%r9\n\t"                                                                    \
	"jb 5b\n\t"

/* Stores the id, and has in r8 where the next event goes. */
#define LTTP_SECTION_ID                                                                            \
	"movq %%rax, %%r8\n\t"                                                                     \
	"subq %%rcx, %%r8\n\t"                                                                     \
	"addq %%rdi, %%r8\n\t"                                                                     \
	"movl %[base], %%r10d\n\t"                                                                 \
	"testl %%r10d, %%r10d\n\t"                                                                 \
	"jz %l[slow]\n\t"                                                                          \
	"addl %[index], %%r10d\n\t"                                                                \
	"movw %%r10w, (%%rcx)\n\t"

/* The commit: {where the next event goes, where this one is}. */
#define LTTP_SECTION_COMMIT                                                                        \
	"shlq $32, %%rdi\n\t"                                                                      \
	"orq %%r8, %%rdi\n\t"                                                                      \
	"movq %%rdi, (%%rsi)\n\t"                                                                  \
	"2:\n\t"

#define LTTP_SECTION_PARTS                                                                         \
	LTTP_SECTION_PAYLOAD LTTP_SECTION_PART LTTP_SECTION_BYTES LTTP_SECTION_TEXT                \
		LTTP_SECTION_NEXT LTTP_SECTION_ID

#define LTTP_OFFSET(NAME, STRUCT, FIELD) [NAME] "i"(offsetof(struct STRUCT, FIELD))

/* clang-format off */
#define LTTP_DEFINE_SECTION(NAME, BEFORE, BEHIND)                                                  \
	static inline bool NAME(const struct ltt_probe_facility *facility, uint32_t index,         \
				const struct ltt_probe_part *parts, uint32_t n)                    \
	{                                                                                          \
		__asm__ __volatile__ goto(                                                         \
			LTT_PROBE_SECTION_TABLE LTTP_SECTION_ENTER LTTP_SECTION_CPU BEFORE         \
			LTTP_SECTION_PARTS BEHIND LTTP_SECTION_COMMIT                              \
			:                                                                          \
			: [base] "m"(facility->base), [index] "g"(index),                          \
			  [parts] "r"(parts), [end] "rm"(parts + n),                               \
			  [part_bytes] "i"(sizeof(*parts)),                                        \
			  LTT_PROBE_ENTER_OFFSETS,                                                 \
			  LTTP_OFFSET(cpus, ltt_probe_thread, cpus),                               \
			  LTTP_OFFSET(serial, ltt_probe_thread, serial),                           \
			  LTTP_OFFSET(word, ltt_probe_thread, word_bytes),                         \
			  LTTP_OFFSET(room, ltt_probe_thread, room_bytes),                         \
			  LTTP_OFFSET(gate, ltt_probe_cpu, gate),                                  \
			  LTTP_OFFSET(block, ltt_probe_cpu, block),                                \
			  LTTP_OFFSET(owner, ltt_probe_gate, owner),                               \
			  LTTP_OFFSET(cut, ltt_probe_gate, cut_cycles),                            \
			  LTTP_OFFSET(since, ltt_probe_gate, base_cycles),                         \
			  LTTP_OFFSET(limit, ltt_probe_gate, limit_cycles),                        \
			  LTTP_OFFSET(bytes, ltt_probe_part, bytes),                               \
			  LTTP_OFFSET(size, ltt_probe_part, size)                                  \
			: LTT_PROBE_SECTION_CLOBBERS, "r9", "r10", "r11", "r12", "xmm0", "xmm1",   \
			  "xmm2", "xmm3"                                                           \
			: slow);                                                                   \
		return true;                                                                       \
	slow:                                                                                      \
		return false;                                                                      \
	}
/* clang-format on */

LTTP_DEFINE_SECTION(lttp_section_fast, LTTP_SECTION_BLOCK LTTP_SECTION_READ LTTP_SECTION_TIME, "")
LTTP_DEFINE_SECTION(lttp_section_ordered, LTTP_SECTION_BLOCK,
		    "lfence\n\t" LTTP_SECTION_READ LTTP_SECTION_TIME)

static inline bool lttp_section_write(const struct ltt_probe_thread *thread,
				      const struct ltt_probe_facility *facility, uint32_t index,
				      const struct ltt_probe_part *parts, uint32_t n)
{
	return thread->mode == LTT_PROBE_MODE_FAST
		       ? lttp_section_fast(facility, index, parts, n)
		       : lttp_section_ordered(facility, index, parts, n);
}
