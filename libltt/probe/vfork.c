/* vfork.c - a vfork() that suspends tracing in the child (borrow.h, copies.h).
 *
 * vfork() returns twice on the same stack, so it must keep its return address in a register and cannot be
 * written in C. So must what the thread was marked as before, because the child may call vfork() itself, and be killed
 * meanwhile.
 */
#include "probe/copies.h"

#include <ltt/ltt-probe.h>
#include <stddef.h>

/* Offsets in struct ltt_probe_thread, as text: assembly outside of a function has no operands. */
#define MODE            48
#define VFORKED         52
#define TEXT_OF(TOKENS) #TOKENS
#define TEXT(MACRO)     TEXT_OF(MACRO)
_Static_assert(offsetof(struct ltt_probe_thread, mode) == MODE, "vfork()");
_Static_assert(offsetof(struct ltt_probe_thread, vforked) == VFORKED, "vfork()");
_Static_assert(LTT_PROBE_MODE_NONE == 0, "vfork()");

/* clang-format off */

#define BEGIN(TYPE)                                                                                \
	".pushsection .text\n\t"                                                                   \
	".balign 16\n\t"                                                                           \
	".quad " TEXT(LTTP_COPIES_MAGIC) "\n\t"                                                    \
	".quad lttp_copies - .\n\t"                                                         \
	".globl vfork\n\t"                                                                         \
	".type vfork, " TYPE "\n"                                                                  \
	"vfork:\n\t"

#define END                                                                                        \
	".size vfork, . - vfork\n\t"                                                               \
	".popsection"

#if defined(__x86_64__) && defined(__LP64__)

/* Stores a 32-bit operand in `vforked`, and 0 in `mode`, of each copy. Changes rcx and r8. */
#define MARK(VALUE)                                                                                \
	"leaq lttp_copies(%rip), %r8\n"                                                     \
	"7:\n\t"                                                                                   \
	"movq (%r8), %rcx\n\t"                                                                     \
	"testq %rcx, %rcx\n\t"                                                                     \
	"jz 8f\n\t"                                                                                \
	"movl " VALUE ", %fs:" TEXT(VFORKED) "(%rcx)\n\t"                                          \
	"movl $0, %fs:" TEXT(MODE) "(%rcx)\n\t"                                                    \
	"addq $8, %r8\n\t"                                                                         \
	"jmp 7b\n"                                                                                 \
	"8:\n\t"

__asm__(BEGIN("@function")
	"endbr64\n\t"
	"movq ltt_probe_thread@gottpoff(%rip), %rdx\n\t"
	"movl %fs:" TEXT(VFORKED) "(%rdx), %edx\n\t"
	MARK("$1")
	"popq %rdi\n\t" /* return address: the child overwrites the stack */
	"movl $58, %eax\n\t"
	"syscall\n\t"
	"pushq %rdi\n\t"
	"testq %rax, %rax\n\t"
	"jz 1f\n\t"
	MARK("%edx")
	"movq %rax, %rdi\n\t"
	"jmp lttp_copies_end\n"
	"1:\n\t"
	/* A shadow stack is shared, too: the child must not pop from it. rdsspq does nothing without one. */
	"xorl %ecx, %ecx\n\t"
	"rdsspq %rcx\n\t"
	"testq %rcx, %rcx\n\t"
	"jnz 2f\n\t"
	"ret\n"
	"2:\n\t"
	"popq %rdi\n\t"
	"jmp *%rdi\n\t"
	END);

#elif defined(__aarch64__) && defined(__LP64__)

/* Stores w10 in `vforked`, and 0 in `mode`, of each copy. x9: the thread pointer. Changes x11 to x13. */
#define MARK                                                                                       \
	"adrp x11, lttp_copies\n\t"                                                         \
	"add x11, x11, #:lo12:lttp_copies\n"                                                \
	"7:\n\t"                                                                                   \
	"ldr x12, [x11], #8\n\t"                                                                   \
	"cbz x12, 8f\n\t"                                                                          \
	"add x13, x9, x12\n\t"                                                                     \
	"str w10, [x13, " TEXT(VFORKED) "]\n\t"                                                    \
	"str wzr, [x13, " TEXT(MODE) "]\n\t"                                                       \
	"b 7b\n"                                                                                   \
	"8:\n\t"

/* clone(CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0); the return address stays in x30. */
__asm__(BEGIN("%function")
	"hint #34\n\t"
	"mrs x9, tpidr_el0\n\t"
	"adrp x10, :gottprel:ltt_probe_thread\n\t"
	"ldr x10, [x10, #:gottprel_lo12:ltt_probe_thread]\n\t"
	"add x10, x9, x10\n\t"
	"ldr w14, [x10, " TEXT(VFORKED) "]\n\t"
	"mov w10, #1\n\t"
	MARK
	"mov x0, #0x4111\n\t"
	"mov x1, #0\n\t"
	"mov x2, #0\n\t"
	"mov x3, #0\n\t"
	"mov x4, #0\n\t"
	"mov x8, #220\n\t"
	"svc #0\n\t"
	"cbz x0, 1f\n\t"
	"mov w10, w14\n\t"
	MARK
	"b lttp_copies_end\n"
	"1:\n\t"
	"ret\n\t"
	END);

#endif

/* clang-format on */
