/* vfork.c - a vfork() that suspends tracing in the child (borrow.h, copies.h).
 *
 * vfork() returns twice on the same stack, so it must keep its return address in a register and cannot be
 * written in C. It also keeps there what the thread was marked as before, because the child may call vfork() itself, and be
 * killed meanwhile.
 */
#include "probe/copies.h"

#define TEXT_OF(TOKENS) #TOKENS
#define TEXT(MACRO)     TEXT_OF(MACRO)

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

__asm__(BEGIN("@function")
	"endbr64\n\t"
	"subq $8, %rsp\n\t"
	"call lttp_copies_enter\n\t"
	"addq $8, %rsp\n\t"
	"movl %eax, %esi\n\t"
	"popq %rdx\n\t" /* return address: the child overwrites the stack */
	"movl $58, %eax\n\t"
	"syscall\n\t"
	"pushq %rdx\n\t"
	"movq %rax, %rdi\n\t"
	"testq %rax, %rax\n\t"
	"jnz lttp_copies_leave\n\t"
	"subq $8, %rsp\n\t"
	"call lttp_copies_begin_child\n\t"
	"addq $8, %rsp\n\t"
	"xorl %eax, %eax\n\t"
	/* A shadow stack is shared, too: the child must not pop from it. rdsspq does nothing without one. */
	"xorl %ecx, %ecx\n\t"
	"rdsspq %rcx\n\t"
	"testq %rcx, %rcx\n\t"
	"jnz 1f\n\t"
	"ret\n"
	"1:\n\t"
	"popq %rdx\n\t"
	"jmp *%rdx\n\t"
	END);

#elif defined(__aarch64__) && defined(__LP64__)

/* clone(CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0); the return address stays in x30. */
__asm__(BEGIN("%function")
	"hint #34\n\t"
	"sub sp, sp, #16\n\t"
	"stp x29, x30, [sp]\n\t"
	"bl lttp_copies_enter\n\t"
	"ldp x29, x30, [sp], #16\n\t"
	"mov w9, w0\n\t"
	"mov x0, #0x4111\n\t"
	"mov x1, #0\n\t"
	"mov x2, #0\n\t"
	"mov x3, #0\n\t"
	"mov x4, #0\n\t"
	"mov x8, #220\n\t"
	"svc #0\n\t"
	"mov w1, w9\n\t"
	"cbz x0, 1f\n\t"
	"b lttp_copies_leave\n"
	"1:\n\t"
	"sub sp, sp, #16\n\t"
	"stp x29, x30, [sp]\n\t"
	"bl lttp_copies_begin_child\n\t"
	"ldp x29, x30, [sp], #16\n\t"
	"mov x0, #0\n\t"
	"ret\n\t"
	END);

#endif

/* clang-format on */
