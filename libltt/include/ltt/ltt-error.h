/* ltt-error.h - how libltt says that something could not be done.
 *
 * Every function that can fail takes a GError ** last. The message is meant for a person: the
 * place comes first (file, block, byte, as far as they are known), then what is wrong and what
 * was expected: "cpu/3: block 17: byte 512: event id 900: no facility covers it". An error about
 * the contents of a trace also carries that place as numbers; ltt_problem_from_error() gives it.
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
	LTT_ERROR_UNSUPPORTED, /* well formed, but of a version or kind that is not known */
	LTT_ERROR_LIMIT,       /* a stated ceiling was passed */
	LTT_ERROR_INVALID,     /* the caller's value does not fit: a time, a payload, a name */
	LTT_ERROR_EXISTS,      /* what was to be made is there already */
} LttError;

GQuark ltt_error_quark(void);

/* Where there is no block or no byte to name. */
#define LTT_NOWHERE (-1)

/* One problem of a trace. The strings live as long as what the problem was got from. */
typedef struct LttProblem {
	const char *tracefile; /* "cpu/3", "info/system.xml"; NULL: the trace as a whole */
	gint64 block;          /* place of the block in its file, from 0; or LTT_NOWHERE */
	gint64 byte;           /* offset in the block; or LTT_NOWHERE */
	const char *message;   /* what is wrong and what was expected, without the place */
} LttProblem;

/* Told of each problem, in the order in which they are met. */
typedef void (*LttProblemFunc)(const LttProblem *problem, gpointer user_data);

/* Told now and then how far something long is: @n_done of @n_total, or, where it is not known how
 * much there will be, with an @n_total of 0. What is counted is said where it is called. Returns:
 * FALSE to end it */
typedef gboolean (*LttProgressFunc)(guint64 n_done, guint64 n_total, gpointer user_data);

/**
 * ltt_problem_from_error:
 * @error: any GError
 * @problem: (out): the place and the bare message, borrowed from @error. Of an error without a
 *   place, tracefile is NULL, block and byte are LTT_NOWHERE and the message is the whole text.
 */
void ltt_problem_from_error(const GError *error, LttProblem *problem);

/**
 * ltt_problem_to_string:
 * Returns: (transfer full): "cpu/3: block 17: byte 512: message", the known parts of it, with
 *   control bytes escaped and U+FFFD for what is not UTF-8; free it with g_free()
 */
char *ltt_problem_to_string(const LttProblem *problem);

G_END_DECLS

#endif /* LTT_ERROR_H */
