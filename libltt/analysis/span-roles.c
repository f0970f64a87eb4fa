/* span-roles.c - which event types begin and end spans, by declaration or by name.
 *
 * A declaration (doc/format.md, 8.9) excludes both event types from the rule for names. So does the entry
 * of a system call that does not return.
 */
#include <ltt/ltt-span.h>

static const struct {
	const char *begin;
	const char *end;
} words_of_pairs[] = {
	{"entry", "exit"}, {"enter", "exit"}, {"begin", "end"},  {"begin", "done"},
	{"start", "end"},  {"start", "stop"}, {"start", "done"},
};

/* ---- declared ---- */

/* Returns: whether another event type of the facility declares that it ends @type */
static gboolean is_declared_begin(const LttEventType *type)
{
	for (guint i = 0; i < ltt_facility_get_n_events(type->facility); i++) {
		const LttEventType *other = ltt_facility_get_event(type->facility, i);

		if (other->ends != NULL && g_str_equal(other->ends, type->name))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_declared(const LttEventType *type)
{
	return type->ends != NULL || is_declared_begin(type);
}

/* ---- by name ---- */

/* Returns: (nullable): the event type of the same facility whose name has @other as word number @at */
static const LttEventType *find_other(const LttEventType *type, char **words, guint at,
				      const char *other)
{
	char *own = words[at];
	g_autofree char *name = NULL;

	words[at] = (char *)other;
	name = g_strjoinv("_", words);
	words[at] = own;
	return ltt_facility_find_event(type->facility, name);
}

static char *join_others(const LttEventType *type, char **words, guint left_out)
{
	GString *name = g_string_new(ltt_facility_get_name(type->facility));
	char separator = '.';

	for (guint i = 0; words[i] != NULL; i++) {
		if (i == left_out)
			continue;
		g_string_append_printf(name, "%c%s", separator, words[i]);
		separator = '_';
	}
	return g_string_free(name, FALSE);
}

/* Finds the role that a word of the name gives. @begin: (out): set with a role */
static LttSpanRole find_role_of_word(const LttEventType *type, char **words, guint at,
				     const LttEventType **begin)
{
	for (guint i = 0; i < G_N_ELEMENTS(words_of_pairs); i++) {
		if (g_str_equal(words[at], words_of_pairs[i].begin) &&
		    find_other(type, words, at, words_of_pairs[i].end) != NULL) {
			*begin = type;
			return LTT_SPAN_BEGIN;
		}
		if (!g_str_equal(words[at], words_of_pairs[i].end))
			continue;
		*begin = find_other(type, words, at, words_of_pairs[i].begin);
		if (*begin != NULL)
			return LTT_SPAN_END;
	}
	return LTT_SPAN_NONE;
}

/* @begin: (out): the begin of the pair; NULL: the name of @type forms no pair
 * @name: (out) (transfer full): set with a role */
static LttSpanRole find_by_name(const LttEventType *type, const LttEventType **begin, char **name)
{
	g_auto(GStrv) words = g_strsplit(type->name, "_", 0);

	*begin = NULL;
	for (guint i = 0; words[i] != NULL; i++) {
		const LttSpanRole role = find_role_of_word(type, words, i, begin);

		if (role == LTT_SPAN_NONE)
			continue;
		*name = join_others(type, words, i);
		return role;
	}
	return LTT_SPAN_NONE;
}

/* Returns: whether an event is the entry of a system call that Linux does not leave by its exit. Without this rule each
 * exit of a process would be a span up to the end of the trace. */
static gboolean is_call_without_return(const LttEventType *type)
{
	static const char *const states[] = {
		"syscall_entry name=exit",
		"syscall_entry name=exit_group",
		"syscall_entry name=rt_sigreturn",
		"syscall_entry name=sigreturn",
		NULL,
	};

	return type->state != NULL && g_strv_contains(states, type->state);
}

/* ---- both ---- */

static char *name_spans_of(const LttEventType *begin)
{
	const LttEventType *named_begin;
	char *name = NULL;

	if (find_by_name(begin, &named_begin, &name) == LTT_SPAN_BEGIN)
		return name;
	g_free(name);
	return g_strdup(begin->full_name);
}

static gboolean has_declared_partner(const LttEventType *type)
{
	g_auto(GStrv) words = g_strsplit(type->name, "_", 0);

	for (guint at = 0; words[at] != NULL; at++) {
		for (guint i = 0; i < G_N_ELEMENTS(words_of_pairs); i++) {
			const LttEventType *other =
				g_str_equal(words[at], words_of_pairs[i].begin)
					? find_other(type, words, at, words_of_pairs[i].end)
					: NULL;

			if (other != NULL && is_declared(other))
				return TRUE;
		}
	}
	return FALSE;
}

static LttSpanRole find_declared(const LttEventType *type, const LttEventType **begin)
{
	LttSpanRole role = is_declared_begin(type) ? LTT_SPAN_BEGIN : LTT_SPAN_NONE;

	*begin = type->ends != NULL ? ltt_facility_find_event(type->facility, type->ends) : NULL;
	if (*begin != NULL)
		role |= LTT_SPAN_END;
	return role;
}

LttSpanRole ltt_span_role_find(const LttEventType *type, const LttEventType **begin, char **name)
{
	const LttEventType *found;
	g_autofree char *name_found = NULL;
	LttSpanRole role = find_declared(type, &found);

	if (role != LTT_SPAN_NONE) {
		name_found =
			name_spans_of((role & LTT_SPAN_BEGIN) != 0 || found == NULL ? type : found);
	} else {
		role = find_by_name(type, &found, &name_found);
		if ((role == LTT_SPAN_END &&
		     (is_declared(found) || is_call_without_return(found))) ||
		    (role == LTT_SPAN_BEGIN &&
		     (has_declared_partner(type) || is_call_without_return(type)))) {
			role = LTT_SPAN_NONE;
			g_clear_pointer(&name_found, g_free);
		}
		if (role != LTT_SPAN_END)
			found = NULL;
	}
	if (begin != NULL)
		*begin = found;
	if (name != NULL)
		*name = g_steal_pointer(&name_found);
	return role;
}
