/* ltt-filter.h - conditions on events, as a person writes them.
 *
 *	event == "core.schedchange" && (in == 12 || data.path =~ "*.so") && time > 1050000000.5
 *
 * Grammar, with the precedence of C:
 *
 *	filter     = and { "||" and }
 *	and        = condition { "&&" condition }
 *	condition  = "!" condition | "(" filter ")" | comparison
 *	comparison = operand ("==" | "!=" | "<" | "<=" | ">" | ">=") operand
 *	           | operand "=~" string
 *	operand    = number | string | path | "(" operand ")"
 *	path       = name { "." name | "[" index "]" }
 *	number     = ["-"] (decimal, 0x hexadecimal, 0 octal, or with a point or exponent)
 *	string     = bytes in double quotes, with the escapes of C
 *
 * Names. A path leads to a field of the payload at any depth; [2] is an element of an array or
 * sequence. These names stand for something else than a field:
 *
 *	event     "core.schedchange"        facility  "core"
 *	time      seconds since 1970        cpu       number of the cpu file
 *	pid, tid  the thread of the event   data      the payload
 *
 * A field that is called so is data.event, data.time and so on; otherwise data.x and x are the
 * same. A payload that is no struct is data itself. (A payload that has no field x but a field
 * called data is looked through for data.x, too.)
 *
 * Values. Numbers are compared by their mathematical value, whatever their types: -1 is less than
 * every unsigned number, and time > 1050000000.123456789 is exact. With a float field, a number
 * that has a point or an exponent stands for the nearest value of the field's own type, so that
 * what a dump shows can be filtered for; NaN differs from all numbers and from itself. An enum is
 * compared with a number by its value and with a string by the label that is shown for it. Strings
 * are compared by their bytes. The glob of =~ has * for any bytes, / included, ? for one character,
 * [a-z] and [!a-z] for one of several; a backslash takes the meaning from the character behind it.
 *
 * What is not there. A comparison with something that the event does not have is false: a field of
 * another event type or of another member of a union, an element behind the end, cpu in a control
 * file, pid where no thread is known; so is a comparison of things that cannot be compared, as a
 * number with a string or anything with a struct. Hence !(a == 1) is true where a != 1 is false.
 *
 * Threads: a filter is for one thread and one trace at a time, because it remembers the event types
 * that it has met; ltt_filter_dup() makes another one without parsing again.
 */
#ifndef LTT_FILTER_H
#define LTT_FILTER_H

#include <ltt/ltt-error.h>
#include <ltt/ltt-event.h>

G_BEGIN_DECLS

/* Ceilings on an expression. */
#define LTT_MAX_FILTER_BYTES 65536
#define LTT_MAX_FILTER_DEPTH 200 /* of parentheses */

typedef struct LttFilter LttFilter;

/**
 * ltt_filter_new:
 * @expression: a filter
 *
 * Returns: (transfer full) (nullable): the filter, compiled; NULL with LTT_ERROR_INVALID if it is
 *   wrong, LTT_ERROR_LIMIT if it is longer or deeper than the ceilings. The message begins with
 *   "byte N: ", and ltt_problem_from_error() gives that offset, at which ltt_filter_point() points.
 */
LttFilter *ltt_filter_new(const char *expression, GError **error);

/* Returns: (transfer full): a filter of the same expression, for another thread or trace */
LttFilter *ltt_filter_dup(const LttFilter *filter);
void ltt_filter_free(LttFilter *filter); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttFilter, ltt_filter_free)

/* Returns: the expression as it was given */
const char *ltt_filter_get_expression(const LttFilter *filter);

/* Returns: whether @event fulfils the condition */
gboolean ltt_filter_matches(LttFilter *filter, const LttEvent *event);

/**
 * ltt_filter_point:
 * @expression: what ltt_filter_new() was given
 * @error: what it said
 *
 * Returns: (transfer full): two lines without a line feed behind the second: the expression, or the
 *   part of a long one around the mistake, and a caret under the mistake; both begin with two
 *   spaces. For terminals: control characters are shown as spaces, bytes that are not UTF-8 as
 *   U+FFFD.
 */
char *ltt_filter_point(const char *expression, const GError *error);

G_END_DECLS

#endif /* LTT_FILTER_H */
