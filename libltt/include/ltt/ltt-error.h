/* ltt-error.h - errors and problems: codes, messages and places.
 *
 * Every function that can fail takes a GError ** as its last parameter. The message is for users:
 * first the place (file, block, byte, as far as they are known), then what is wrong and what was
 * expected: "cpu/3: block 17: byte 512: event id 900: no facility covers it". An error about the
 * contents of a trace also carries the place as numbers; ltt_problem_from_error() returns them.
 */
#ifndef LTT_ERROR_H
#define LTT_ERROR_H

#include <glib.h>

G_BEGIN_DECLS

#define LTT_ERROR ltt_error_quark()

typedef enum LttError {
	LTT_ERROR_IO,          /* the system refused: missing file, no permission, disk full */
	LTT_ERROR_CORRUPT,     /* bytes of a trace contradict each other or the format */
	LTT_ERROR_DESCRIPTION, /* an event description, system.xml or bookmarks.xml is wrong */
	LTT_ERROR_UNSUPPORTED, /* well formed, but of an unknown version or kind */
	LTT_ERROR_LIMIT,       /* a documented limit, or the memory, is exceeded */
	LTT_ERROR_INVALID,     /* the caller's value is invalid: a time, a payload, a name */
	LTT_ERROR_EXISTS,      /* the file or directory to create already exists */
	LTT_ERROR_CANCELLED,   /* the caller cancelled the job (ltt-job.h) */
} LttError;

GQuark ltt_error_quark(void);

/* Block or byte of a problem that has none. */
#define LTT_NOWHERE (-1)

/* One problem of a trace. Its strings belong to the object that returned the problem. */
typedef struct LttProblem {
	const char *tracefile; /* "cpu/3", "info/system.xml"; NULL: the trace as a whole */
	gint64 block;          /* index of the block in its file, from 0; or LTT_NOWHERE */
	gint64 byte;           /* offset in the block; or LTT_NOWHERE */
	const char *message;   /* what is wrong and what was expected, without the place */
	guint trace;           /* index of the trace in a request that has several; else 0 */
} LttProblem;

/**
 * ltt_problem_from_error:
 * @error: any GError
 * @problem: (out): the place and the message without the place, borrowed from @error. If the error
 *   has no place, tracefile is NULL, block and byte are LTT_NOWHERE and message is the whole text
 */
void ltt_problem_from_error(const GError *error, LttProblem *problem);

/**
 * ltt_problem_to_string:
 * Returns: (transfer full): "cpu/3: block 17: byte 512: message", without the unknown parts, with
 *   control characters, and those that reorder or break a line, escaped, and U+FFFD for invalid UTF-8;
 *   free it with g_free()
 */
char *ltt_problem_to_string(const LttProblem *problem);

G_END_DECLS

#endif /* LTT_ERROR_H */
