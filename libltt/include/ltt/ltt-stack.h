/* ltt-stack.h - the call stacks of sampled events, with the modules that contain their addresses.
 *
 * A sample is an event with a call chain, as profilers record it (doc/import.md): its payload has a
 * field "callchain", a sequence of addresses with the innermost first, or only an address "ip". Other
 * events of the trace record the mapped files and their addresses. ltt-symbols.h reads the names of
 * functions from these files.
 *
 *	g_autoptr(LttStacks) stacks = ltt_stacks_new(trace, NULL);
 *	const LttStack *stack;
 *	while (ltt_stacks_next(stacks, &stack, &error) == LTT_STEP_EVENT)
 *		printf("%s\n", stack->frames[0].module->path);
 */
#ifndef LTT_STACK_H
#define LTT_STACK_H

#include <ltt/ltt-cursor.h>
#include <ltt/ltt-select.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

#define LTT_MAX_STACK_FRAMES 1024 /* of a stack; further outer frames are omitted */
#define LTT_MAX_BUILD_ID     20

/* A file with code. Lives as long as the LttStacks. */
typedef struct LttModule {
	const char *path; /* as recorded: "/usr/lib/libc.so.6", "[vdso]" */
	guint8 build_id[LTT_MAX_BUILD_ID];
	guint build_id_bytes; /* 0: not recorded */
	gboolean is_kernel;   /* the kernel itself, not one of its modules */
	guint64 kernel_text;  /* of the kernel: address of its symbol _text; 0: not recorded */
} LttModule;

typedef struct LttStackFrame {
	guint64 address;
	gboolean is_kernel;
	const LttModule *module; /* NULL: no file is known to be mapped there */
	guint64 offset;     /* with a symbol: from its start; in the kernel itself: the address;
			     * else in the file */
	const char *symbol; /* a name that the trace contains, for example for code generated at run
			     * time; NULL: none */
} LttStackFrame;

/* Read only; valid until the next call on the LttStacks that returned it. */
typedef struct LttStack {
	const LttEvent *event;
	const char *thread_name;     /* at the time of the event; NULL: unknown */
	guint n_frames;              /* at least 1 */
	const LttStackFrame *frames; /* the innermost first */
} LttStack;

typedef struct LttStacks LttStacks;

/* Returns: whether the trace has event types that are samples */
gboolean ltt_trace_has_stacks(const LttTrace *trace);

/* @select: (nullable): which samples; NULL: all. Both must outlive the stacks.
 * Returns: (transfer full): stacks before the first */
LttStacks *ltt_stacks_new(LttTrace *trace, LttSelect *select);
void ltt_stacks_free(LttStacks *stacks); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttStacks, ltt_stacks_free)

/* Moves to the next sample, in the order of time. Returns: as ltt_merge_next() */
LttStep ltt_stacks_next(LttStacks *stacks, const LttStack **stack, GError **error);

/* Skips the rest of the block in which the last step failed. */
void ltt_stacks_skip_block(LttStacks *stacks);

G_END_DECLS

#endif /* LTT_STACK_H */
