/* ltt-filter.h - filter expressions: conditions on events.
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
 *	           | operand "in" "(" element { "," element } ")"
 *	operand    = element | "(" operand ")"
 *	element    = number | string | path | "length" "(" path ")"
 *	path       = name { "." name | "[" index "]" | "[" "*" "]" }
 *	number     = ["-"] (decimal, 0x hexadecimal, 0 octal, or with a point or exponent)
 *	string     = bytes in double quotes, with the escapes of C
 *
 * Names. A path selects a field of the payload at any depth; [2] is an element of an array or
 * sequence. A comparison with [*] is true if it is true for at least one element; [*] may be on one
 * side of a comparison only. length(path) is the number of elements of an array or sequence, or of
 * bytes of a string. x in (1, 2) is the same as x == 1 || x == 2. These names are not fields:
 *
 *	event     "core.schedchange"        facility  "core"
 *	time      seconds since 1970        cpu       number of the cpu file
 *	pid, tid  the thread of the event   comm      the name of that thread
 *	host      the name of the machine   data      the payload
 *
 * Write data.event, data.time and so on for a field with one of these names; for all other fields
 * data.x and x are the same. A payload that is not a struct is data itself. (If a payload has no
 * field x but a field named data, data.x also finds x inside that field.)
 *
 * Values. Numbers compare by their mathematical value, whatever their types: -1 is less than every
 * unsigned number, and time > 1050000000.123456789 is exact. Compared with a float field, a number
 * with a point or an exponent is first rounded to the type of the field, so that a value copied
 * from a dump matches. NaN differs from every number and from itself. An enum compares with a
 * number by its value and with a string by its label. Strings compare by their bytes, also by < and
 * >; a proper prefix is less. In a pattern of =~, * matches any bytes including /, ? matches one
 * character, and [a-z] and [!a-z] match a character in or outside of a set. A backslash escapes the
 * next character.
 *
 * Missing values. A comparison with a value that the event does not have is false: a field of
 * another event type or of another union member, an element past the end, cpu in a control file,
 * pid or comm where they are unknown. A comparison of incompatible values, such as a number with a
 * string or anything with a struct, is false too. Hence !(a == 1) can be true where a != 1 is
 * false.
 *
 * Threads: a filter serves one thread and one trace at a time, because it caches a plan for each
 * event type; ltt_filter_dup() makes another one without parsing again.
 */
#ifndef LTT_FILTER_H
#define LTT_FILTER_H

#include <ltt/ltt-error.h>
#include <ltt/ltt-event.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

/* Limits on an expression. */
#define LTT_MAX_FILTER_BYTES 65536
#define LTT_MAX_FILTER_DEPTH 200 /* nested parentheses */

typedef struct LttFilter LttFilter;

/**
 * ltt_filter_new:
 *
 * Compiles an expression.
 *
 * Returns: (transfer full) (nullable): the filter; NULL with LTT_ERROR_INVALID if the expression is
 *   wrong, LTT_ERROR_LIMIT if it exceeds a limit. The message begins with "byte N: ";
 *   ltt_problem_from_error() returns that offset and ltt_filter_point() shows it
 */
LttFilter *ltt_filter_new(const char *expression, GError **error);

/* Returns: (transfer full): a filter with the same expression, for another thread or trace */
LttFilter *ltt_filter_dup(const LttFilter *filter);
void ltt_filter_free(LttFilter *filter); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttFilter, ltt_filter_free)

/* Returns: the expression, as passed to ltt_filter_new() */
const char *ltt_filter_get_expression(const LttFilter *filter);

/* Returns: whether @event satisfies the condition */
gboolean ltt_filter_matches(LttFilter *filter, const LttEvent *event);

/**
 * ltt_filter_point:
 * @expression: as passed to ltt_filter_new()
 * @error: the error that it returned
 *
 * Shows a mistake on a terminal.
 *
 * Returns: (transfer full): two lines, each indented by two spaces, without a final line feed: the
 *   expression, or the part of a long one around the mistake; and a caret below the mistake.
 *   Control characters are replaced by spaces, invalid UTF-8 by U+FFFD
 */
char *ltt_filter_point(const char *expression, const GError *error);

/* ---- names that a trace does not have ---- */

typedef enum LttDoubtKind {
	LTT_DOUBT_FIELD,     /* no event has the field */
	LTT_DOUBT_EVENT,     /* no event has the name, or a name that matches */
	LTT_DOUBT_FACILITY,  /* likewise */
	LTT_DOUBT_LABEL,     /* the enum has no such label */
	LTT_DOUBT_KIND,      /* the operands are not comparable, such as a number and a string */
	LTT_DOUBT_THREAD,    /* the trace does not record threads */
	LTT_DOUBT_CPU,       /* the trace has no such CPU */
	LTT_DOUBT_ATTRIBUTE, /* a field has the name of an attribute, which takes precedence */
	LTT_DOUBT_HOST,      /* no machine has the name */
} LttDoubtKind;

/* A part of a filter, or of another list of names, that is most likely mistyped. */
typedef struct LttDoubt {
	LttDoubtKind kind;
	gint64 byte;   /* offset in the expression; LTT_NOWHERE: not in a filter */
	char *name;    /* the name: "fdd" */
	char *nearest; /* the most similar existing name: "fd"; NULL: none is similar */
	char *message; /* "fdd: the trace has no such field" */
} LttDoubt;

/* Returns: (transfer full) (element-type LttDoubt): an empty list */
GPtrArray *ltt_doubts_new(void);

/* Adds a doubt about @name, unless there is one with the same message. @byte: in the expression, or
 * LTT_NOWHERE. @near: (nullable): the suggested name. @message: (transfer full) */
void ltt_doubts_add(GPtrArray *doubts, LttDoubtKind kind, gint64 byte, const char *name,
		    const char *near, char *message);

/**
 * ltt_filter_check:
 *
 * Finds the comparisons of @filter that have the same answer for all events of @trace because of a
 * name or a type: a field that no event type has; an event, a facility or a label, compared by ==,
 * != or =~, that does not exist; a comparison of a number with a string, or of a struct or list
 * with any value; pid, tid or comm, if the trace does not record threads; a host that no machine of
 * the trace has as its name.
 *
 * In a joined trace, a name is not in doubt if one of the traces has it. While a trace is being
 * recorded (ltt-follow.h), it can get more event types later.
 *
 * Returns: (transfer full) (element-type LttDoubt): in the order of the expression
 */
GPtrArray *ltt_filter_check(const LttFilter *filter, const LttTrace *trace);

G_END_DECLS

#endif /* LTT_FILTER_H */
