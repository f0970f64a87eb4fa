/* section-x86-64.h - the sequences of section.h for x86-64.
 *
 * An ordered read of the counter waits for all earlier instructions. So it comes last, when the
 * payload has been copied to the free part of the block, and the copy overlaps with the end of the
 * previous event. A fast read comes before the copy, which overlaps with the read.
 *
 * Stores are the scarce resource: the read of the counter takes long, and a store leaves the store
 * queue only when all instructions before it are done. Measured on an EPYC (doc/bench.md): six
 * registers fewer to save, and 32 bytes a store in place of 16, make an event of 256 bytes 15 %
 * faster. Therefore:
 *   - the functions that contain a sequence use no register that their caller wants back. The
 *     arguments are kept in vector registers (struct lttp_call), the thread's variables are
 *     addressed from fs;
 *   - a payload of one part needs no list of parts in memory;
 *   - where the processor has AVX, plain bytes are copied 32 at a time. The upper halves of the
 *     registers are cleared afterwards: code without AVX is slow while they are in use.
 *
 * A text is searched for its 0 in the register that is stored, 16 bytes at a time. So its length
 * agrees with the copied bytes even if another thread changes the text, and it is read once. Loads
 * of 16 bytes may run over the end of a text or of a part, but never into another page. Stores may
 * run over the end of the event by 15 bytes; a block has room for them (LTTP_BLOCK_RESERVE_BYTES).
 *
 *	rcx  address of the event          rax  address of the next byte; in loops minus r8
 *	rdi  its offset in the block       r8   source of the copy
 *	rsi  address of the block's word   r9   the gate; during the copy the part
 *	r11  limit of the event            r10  bytes left; for a text the limit of reading
 *	xmm2 the gate, during the copy     rdx  the thread's variables, from fs; scratch;
 *	                                        end of the copy
 */
#ifndef LTTP_SECTION_H
#error "section-x86-64.h is part of section.h"
#endif

/* Whether processor and kernel support AVX. */
extern __attribute__((visibility("hidden"))) uint8_t lttp_section_has_avx;

/* Registers the sequence with the kernel, then begins it. */
#define LTTP_SECTION_ENTER                                                                         \
	"movq ltt_probe_thread@gottpoff(%%rip), %%rdx\n\t"                                         \
	"movq %%fs:%c[rseq](%%rdx), %%rdi\n\t"                                                     \
	"leaq 3b(%%rip), %%rax\n\t"                                                                \
	"movq %%rax, %c[sequence](%%rdi)\n\t"                                                      \
	"1:\n\t"

/* Checks the owner of this CPU's gate, and finds where the event goes. */
#define LTTP_SECTION_BLOCK                                                                         \
	"movslq %c[cpu_id](%%rdi), %%rcx\n\t"                                                      \
	"shlq %[cpu_shift], %%rcx\n\t"                                                             \
	"addq %%fs:%c[cpus](%%rdx), %%rcx\n\t"                                                     \
	"movq %c[gate](%%rcx), %%r9\n\t"                                                           \
	"testq %%r9, %%r9\n\t"                                                                     \
	"jz %l[slow]\n\t"                                                                          \
	"movq %%fs:%c[serial](%%rdx), %%rsi\n\t"                                                   \
	"cmpq %%rsi, %c[owner](%%r9)\n\t"                                                          \
	"jne %l[slow]\n\t"                                                                         \
	"movq %c[block](%%rcx), %%rcx\n\t"                                                         \
	"movq %%fs:%c[word_bytes](%%rdx), %%rsi\n\t"                                               \
	"addq %%rcx, %%rsi\n\t"                                                                    \
	"movl (%%rsi), %%edi\n\t" /* where the next event goes */                                  \
	"movq %%fs:%c[room_bytes](%%rdx), %%r11\n\t"                                               \
	"addq %%rcx, %%r11\n\t"                                                                    \
	"addq %%rdi, %%rcx\n\t"

/* Reads the counter, checks it against the gate, and stores the time. model: gate */
#define LTTP_SECTION_TIME                                                                          \
	"rdtsc\n\t"                                                                                \
	"shlq $32, %%rdx\n\t"                                                                      \
	"orq %%rdx, %%rax\n\t"                                                                     \
	"cmpq %c[cut](%%r9), %%rax\n\t"                                                            \
	"jae %l[slow]\n\t"                                                                         \
	"subq %c[time_base](%%r9), %%rax\n\t"                                                      \
	"cmpq %c[limit](%%r9), %%rax\n\t"                                                          \
	"jae %l[slow]\n\t"                                                                         \
	"movl %%eax, %c[delta](%%rcx)\n\t"

/* Goes to where the payload begins. */
#define LTTP_SECTION_PAYLOAD                                                                       \
	"leaq %c[payload](%%rcx), %%rax\n\t"                                                       \
	"cmpq %%r11, %%rax\n\t"                                                                    \
	"ja %l[slow]\n\t"

/* Loads the part at r9, and goes to 20: if it is a text. */
#define LTTP_SECTION_PART                                                                          \
	"5:\n\t"                                                                                   \
	"movq %c[bytes](%%r9), %%r8\n\t"                                                           \
	"movq %c[size](%%r9), %%r10\n\t"                                                           \
	"testq %%r10, %%r10\n\t"                                                                   \
	"js 20f\n\t"

/* The only part: the arguments are its start and its end. */
#define LTTP_SECTION_ONLY_PART                                                                     \
	"movq %[from], %%r8\n\t"                                                                   \
	"movq %[end], %%r10\n\t"                                                                   \
	"subq %%r8, %%r10\n\t"

/* Copies plain bytes: the last 16 or 64 first, which those before may overlap. */
#define LTTP_SECTION_BYTES                                                                         \
	"leaq (%%rax,%%r10), %%rdx\n\t"                                                            \
	"cmpq %%r11, %%rdx\n\t"                                                                    \
	"ja %l[slow]\n\t"                                                                          \
	"cmpq $16, %%r10\n\t"                                                                      \
	"jb 10f\n\t"                                                                               \
	"subq %%r8, %%rax\n\t"                                                                     \
	"cmpq $64, %%r10\n\t"                                                                      \
	"jb 8f\n\t"                                                                                \
	"cmpb $0, %[has_avx]\n\t"                                                                  \
	"je 8f\n\t"                                                                                \
	"vmovdqu -64(%%r8,%%r10), %%ymm0\n\t"                                                      \
	"vmovdqu -32(%%r8,%%r10), %%ymm1\n\t"                                                      \
	"leaq -64(%%r8,%%r10), %%r10\n\t"                                                          \
	"vmovdqu %%ymm0, -64(%%rdx)\n\t"                                                           \
	"vmovdqu %%ymm1, -32(%%rdx)\n\t"                                                           \
	"cmpq %%r10, %%r8\n\t"                                                                     \
	"jae 7f\n\t"                                                                               \
	"6:\n\t"                                                                                   \
	"vmovdqu (%%r8), %%ymm0\n\t"                                                               \
	"vmovdqu 32(%%r8), %%ymm1\n\t"                                                             \
	"vmovdqu %%ymm0, (%%r8,%%rax)\n\t"                                                         \
	"vmovdqu %%ymm1, 32(%%r8,%%rax)\n\t"                                                       \
	"addq $64, %%r8\n\t"                                                                       \
	"cmpq %%r10, %%r8\n\t"                                                                     \
	"jb 6b\n\t"                                                                                \
	"7:\n\t"                                                                                   \
	"vzeroupper\n\t"                                                                           \
	"jmp 12f\n\t"                                                                              \
	"8:\n\t" /* 16 to 63, or without AVX */                                                    \
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
	"10:\n\t" /* less than 16: in one load, unless that reaches into another page */           \
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
	"movq %%rdx, %%rax\n\t"

/* Copies a text: 16 bytes from its start, then 16 at a time from aligned addresses. The first of
 * these overlaps the start, and replaces it in the copy. */
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
	"pxor %%xmm1, %%xmm1\n\t" /* stays 0 until the text has a 0 */                             \
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
	"rep; bsfl %%edx, %%edx\n\t" /* tzcnt if available, which is faster */                     \
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
	"27:\n\t" /* no 0 within the size of the text, or within the room */                       \
	"addq %%r10, %%rax\n\t"                                                                    \
	"cmpq %%r11, %%rax\n\t"                                                                    \
	"jae %l[slow]\n\t"                                                                         \
	"movb $0, (%%rax)\n\t"                                                                     \
	"addq $1, %%rax\n\t"

/* Continues with the next part, if any. */
#define LTTP_SECTION_NEXT                                                                          \
	"30:\n\t"                                                                                  \
	"addq %[part_bytes], %%r9\n\t"                                                             \
	"movq %[end], %%r10\n\t"                                                                   \
	"cmpq %%r10, %%r9\n\t"                                                                     \
	"jb 5b\n\t"

/* Stores the id. Afterwards r8 is the offset of the next event. */
#define LTTP_SECTION_ID                                                                            \
	"movq %%rax, %%r8\n\t"                                                                     \
	"subq %%rcx, %%r8\n\t"                                                                     \
	"addq %%rdi, %%r8\n\t"                                                                     \
	"movq %[facility], %%r10\n\t"                                                              \
	"movl %c[base](%%r10), %%r10d\n\t"                                                         \
	"testl %%r10d, %%r10d\n\t"                                                                 \
	"jz %l[slow]\n\t"                                                                          \
	"movq %[index], %%rax\n\t"                                                                 \
	"addl %%eax, %%r10d\n\t"                                                                   \
	"movw %%r10w, %c[id](%%rcx)\n\t"

/* The commit: {offset of the next event, offset of this one}. model: commit */
#define LTTP_SECTION_COMMIT                                                                        \
	"shlq $32, %%rdi\n\t"                                                                      \
	"orq %%r8, %%rdi\n\t"                                                                      \
	"movq %%rdi, (%%rsi)\n\t"                                                                  \
	"2:\n\t"

/* clang-format off */
#define LTTP_COPY_PARTS                                                                            \
	"movq %[from], %%r9\n\t"                                                                   \
	LTTP_SECTION_PART LTTP_SECTION_BYTES "jmp 30f\n\t" LTTP_SECTION_TEXT LTTP_SECTION_NEXT
#define LTTP_COPY_BYTES                                                                            \
	LTTP_SECTION_ONLY_PART LTTP_SECTION_BYTES

/* The two places of the counter's read. */
#define LTTP_FAST(COPY)                                                                            \
	LTTP_SECTION_BLOCK LTTP_SECTION_TIME LTTP_SECTION_PAYLOAD COPY LTTP_SECTION_ID
#define LTTP_ORDERED(COPY)                                                                         \
	LTTP_SECTION_BLOCK "movq %%r9, %%xmm2\n\t"                                                 \
	LTTP_SECTION_PAYLOAD COPY LTTP_SECTION_ID                                                  \
	"movq %%xmm2, %%r9\n\t" "lfence\n\t" LTTP_SECTION_TIME

#define LTTP_DEFINE_SECTION(NAME, CODE)                                                            \
	static inline __attribute__((always_inline)) bool NAME(struct lttp_call call)              \
	{                                                                                          \
		__asm__ __volatile__ goto(                                                         \
			LTT_PROBE_SECTION_TABLE LTTP_SECTION_ENTER CODE LTTP_SECTION_COMMIT        \
			:                                                                          \
			: [facility] "x"(call.facility), [index] "x"(call.index),                  \
			  [from] "x"(call.from), [end] "x"(call.end),                              \
			  [has_avx] "m"(lttp_section_has_avx),                                     \
			  [part_bytes] "i"(sizeof(struct ltt_probe_part)),                         \
			  LTT_PROBE_OFFSET(base, ltt_probe_facility, base),                        \
			  LTT_PROBE_OFFSET(bytes, ltt_probe_part, bytes),                          \
			  LTT_PROBE_OFFSET(size, ltt_probe_part, size),                            \
			  LTT_PROBE_SECTION_OFFSETS                                                \
			: LTT_PROBE_SECTION_CLOBBERS, "r9", "r10", "r11",                          \
			  "xmm0", "xmm1", "xmm2"                                                   \
			: slow);                                                                   \
		return true;                                                                       \
	slow:                                                                                      \
		return false;                                                                      \
	}

LTTP_DEFINE_SECTION(lttp_section_parts_fast, LTTP_FAST(LTTP_COPY_PARTS))
LTTP_DEFINE_SECTION(lttp_section_parts_ordered, LTTP_ORDERED(LTTP_COPY_PARTS))
LTTP_DEFINE_SECTION(lttp_section_bytes_fast, LTTP_FAST(LTTP_COPY_BYTES))
LTTP_DEFINE_SECTION(lttp_section_bytes_ordered, LTTP_ORDERED(LTTP_COPY_BYTES))
/* clang-format on */
