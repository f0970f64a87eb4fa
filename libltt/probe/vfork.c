/* vfork.c - a vfork() that suspends tracing in the child.
 *
 * Between vfork() and exec the child runs in the memory of its parent and with the thread-local
 * variables of the parent's thread, but on a CPU of its own and with a registration of restartable
 * sequences that does not match those variables. If it traced, it could damage a tracefile. In
 * programs that are linked so that they call this vfork(), not that of libc, the thread is marked from the call until
 * its return in the parent, and events in between count as lost. vfork() returns twice on the same
 * stack, so it must keep its return address in a register and cannot be written in C.
 */
#include "session/session-layout.h"

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

/* Offsets in struct ltt_probe_thread, as text: assembly outside of a function has no operands. */
#define MODE            48
#define VFORKED         52
#define TEXT_OF(TOKENS) #TOKENS
#define TEXT(MACRO)     TEXT_OF(MACRO)
_Static_assert(offsetof(struct ltt_probe_thread, mode) == MODE, "vfork()");
_Static_assert(offsetof(struct ltt_probe_thread, vforked) == VFORKED, "vfork()");
_Static_assert(LTT_PROBE_MODE_NONE == 0, "vfork()");

/* clang-format off */

#if defined(__x86_64__) && defined(__LP64__)

pid_t lttp_vfork_failed(int error);

__attribute__((visibility("hidden"))) pid_t lttp_vfork_failed(int error)
{
	errno = error;
	return -1;
}

__asm__(".pushsection .text\n\t"
	".globl vfork\n\t"
	".type vfork, @function\n"
	"vfork:\n\t"
	"endbr64\n\t"
	"movq ltt_probe_thread@gottpoff(%rip), %rdx\n\t"
	"movl $1, %fs:" TEXT(VFORKED) "(%rdx)\n\t"
	"movl $0, %fs:" TEXT(MODE) "(%rdx)\n\t"
	"popq %rdi\n\t" /* return address: the child overwrites the stack */
	"movl $58, %eax\n\t"
	"syscall\n\t"
	"pushq %rdi\n\t"
	"testq %rax, %rax\n\t"
	"jz 1f\n\t"
	"movl $0, %fs:" TEXT(VFORKED) "(%rdx)\n\t"
	"js 2f\n"
	"1:\n\t"
	"ret\n"
	"2:\n\t"
	"negl %eax\n\t"
	"movl %eax, %edi\n\t"
	"jmp lttp_vfork_failed\n\t"
	".size vfork, . - vfork\n\t"
	".popsection");

#elif defined(__aarch64__) && defined(__LP64__)

pid_t lttp_vfork_failed(int error);

__attribute__((visibility("hidden"))) pid_t lttp_vfork_failed(int error)
{
	errno = error;
	return -1;
}

/* clone(CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0); the return address stays in x30. */
__asm__(".pushsection .text\n\t"
	".globl vfork\n\t"
	".type vfork, %function\n"
	"vfork:\n\t"
	"hint #34\n\t"
	"mrs x9, tpidr_el0\n\t"
	"adrp x10, :gottprel:ltt_probe_thread\n\t"
	"ldr x10, [x10, #:gottprel_lo12:ltt_probe_thread]\n\t"
	"add x9, x9, x10\n\t"
	"mov w10, #1\n\t"
	"str w10, [x9, " TEXT(VFORKED) "]\n\t"
	"str wzr, [x9, " TEXT(MODE) "]\n\t"
	"mov x0, #0x4111\n\t"
	"mov x1, #0\n\t"
	"mov x2, #0\n\t"
	"mov x3, #0\n\t"
	"mov x4, #0\n\t"
	"mov x8, #220\n\t"
	"svc #0\n\t"
	"cbz x0, 1f\n\t"
	"str wzr, [x9, " TEXT(VFORKED) "]\n\t"
	"tbnz x0, #63, 2f\n"
	"1:\n\t"
	"ret\n"
	"2:\n\t"
	"neg w0, w0\n\t"
	"b lttp_vfork_failed\n\t"
	".size vfork, . - vfork\n\t"
	".popsection");

#endif

/* clang-format on */
