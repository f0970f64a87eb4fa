/* redactor.c - see redactor-priv.h. */
#include "edit/redactor-priv.h"

#include "base/error-priv.h"
#include "edit/recode-priv.h"
#include "edit/redact-processes-priv.h"
#include "edit/redact-rules-priv.h"
#include "edit/redact-value-priv.h"
#include "reader/hosts-priv.h"
#include "reader/trace-priv.h"
#include "xml/shipped-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

/* Limit on the fields of all types. Types that contain a type several times, which does so itself, have
 * many. */
#define MOST_FIELDS (1 << 16)

/* A payload that is not a struct has one field of this name, as in SQL. */
#define ONLY_FIELD "value"

/* Imported events have a copy of their record here if the other fields cannot restore it. The copy
 * repeats values of the other fields, so it is emptied if one of them is redacted. */
#define VERBATIM_FIELD ".record.verbatim"

/* A count, which redactor->counts owns. */
typedef struct Count {
	LttRedactCount count;
	gboolean is_reported; /* even if it is 0: a pattern matches the field */
} Count;

/* What to do with a type at one place. NULL: nothing is redacted there. */
typedef struct Plan {
	Count *count;  /* how the whole value is redacted, borrowed; NULL: only parts of it */
	guint n_parts; /* members of a struct or union; 1: the element */
	struct Plan *parts[]; /* owned */
} Plan;

struct LttRedactor {
	LttRedactRules *rules;
	GHashTable *counts;     /* what, borrowed -> Count, owned */
	GHashTable *plans;      /* LttEventType -> Plan, owned; of all event types */
	LttProcessNames *names; /* owned; NULL: names of processes are not redacted */
	guint n_fields;
	/* Of the event type that is being planned: */
	gboolean changes_values;
	gboolean empties_verbatim;
};

/* ---- counts ---- */

static void free_count(gpointer data)
{
	LttRedactCount *count = data;

	g_free(count->what);
	g_free(count);
}

/* @is_reported: also if nothing is counted */
static Count *get_count(LttRedactor *redactor, const char *what, LttRedactHow how,
			gboolean is_reported)
{
	Count *count = g_hash_table_lookup(redactor->counts, what);

	if (count == NULL) {
		count = g_new0(Count, 1);
		count->count.what = g_strdup(what);
		count->count.how = how;
		g_hash_table_insert(redactor->counts, count->count.what, count);
	}
	count->is_reported = count->is_reported || is_reported;
	return count;
}

void ltt_redactor_count(LttRedactor *redactor, const char *what, guint64 n)
{
	if (n > 0)
		get_count(redactor, what, LTT_REDACT_LEFT_OUT, TRUE)->count.n += n;
}

static gint compare_counts(gconstpointer a, gconstpointer b)
{
	const LttRedactCount *left = *(const LttRedactCount *const *)a;
	const LttRedactCount *right = *(const LttRedactCount *const *)b;

	return g_strcmp0(left->what, right->what);
}

GPtrArray *ltt_redactor_take_counts(LttRedactor *redactor)
{
	GPtrArray *counts = g_ptr_array_new_with_free_func(free_count);
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, redactor->counts);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		Count *count = value;

		if (!count->is_reported && count->count.n == 0)
			continue;
		g_hash_table_iter_steal(&iter);
		g_ptr_array_add(counts, &count->count);
	}
	g_ptr_array_sort(counts, compare_counts);
	return counts;
}

/* ---- plans ---- */

static void free_plan(gpointer data)
{
	Plan *plan = data;

	if (plan == NULL)
		return;
	for (guint i = 0; i < plan->n_parts; i++)
		free_plan(plan->parts[i]);
	g_free(plan);
}

static Plan *make_plan(LttRedactor *redactor, const LttType *type, const char *path);

/* Returns: (transfer full) (nullable): the plan for the parts of a type, which are named after @path */
static Plan *plan_parts(LttRedactor *redactor, const LttType *type, const char *path)
{
	const LttType *element = ltt_type_get_element(type);
	const guint n_parts = element != NULL ? 1 : ltt_type_get_n_fields(type);
	Plan *plan = g_malloc0(sizeof(*plan) + n_parts * sizeof(*plan->parts));
	gboolean is_needed = FALSE;

	plan->n_parts = n_parts;
	if (element != NULL)
		plan->parts[0] = make_plan(redactor, element, path);
	for (guint i = 0; element == NULL && i < n_parts; i++) {
		const LttField *field = ltt_type_get_field(type, i);
		g_autofree char *part = g_strconcat(path, ".", field->name, NULL);

		plan->parts[i] = make_plan(redactor, field->type, part);
	}
	for (guint i = 0; i < n_parts; i++)
		is_needed = is_needed || plan->parts[i] != NULL;
	if (is_needed)
		return plan;
	free_plan(plan);
	return NULL;
}

/* Decides how a field is redacted as a whole. Returns: FALSE if it is not */
static gboolean choose(LttRedactor *redactor, const LttType *type, const char *path,
		       LttRedactHow *how, gboolean *is_matched)
{
	*is_matched = ltt_redact_rules_match(redactor->rules, path, how);
	if ((redactor->names != NULL && ltt_redact_is_of_process(path, type)) ||
	    (redactor->empties_verbatim && g_str_has_suffix(path, VERBATIM_FIELD)))
		*how = LTT_REDACT_EMPTIED;
	else if (!*is_matched && redactor->names != NULL &&
		 ltt_type_get_kind(ltt_type_resolve(type)) == LTT_STRING)
		*how = LTT_REDACT_KEPT;
	else
		return *is_matched;
	return TRUE;
}

/* Returns: (transfer full) (nullable) */
static Plan *make_plan(LttRedactor *redactor, const LttType *type, const char *path)
{
	gboolean is_matched;
	LttRedactHow how;
	Plan *plan;

	if (redactor->n_fields >= MOST_FIELDS)
		return NULL;
	redactor->n_fields++;
	if (!choose(redactor, type, path, &how, &is_matched))
		return plan_parts(redactor, ltt_type_resolve(type), path);
	redactor->changes_values = redactor->changes_values || how != LTT_REDACT_KEPT;
	plan = g_malloc0(sizeof(*plan));
	plan->count = get_count(redactor, path, how, is_matched);
	return plan;
}

/* Events that make up the trace itself cannot be redacted. */
static gboolean is_of_the_trace(const LttEventType *type)
{
	static const char *const names[] = {
		"tracer.thread",
		"tracer.events_lost",
		"tracer.clock",
		NULL,
	};

	return g_str_equal(ltt_facility_get_name(type->facility), "builtin") ||
	       (ltt_is_shipped(type->facility, "tracer") &&
		g_strv_contains(names, type->full_name));
}

static void plan_type(LttRedactor *redactor, const LttEventType *type)
{
	const LttType *payload = type->type != NULL ? ltt_type_resolve(type->type) : NULL;
	g_autofree char *only = g_strconcat(type->full_name, "." ONLY_FIELD, NULL);
	const guint n_fields = redactor->n_fields;
	Plan *plan;

	if (payload == NULL || is_of_the_trace(type) ||
	    g_hash_table_contains(redactor->plans, type))
		return;
	redactor->changes_values = FALSE;
	plan = ltt_type_get_kind(payload) == LTT_STRUCT
		       ? plan_parts(redactor, payload, type->full_name)
		       : make_plan(redactor, payload, only);
	if (redactor->changes_values && ltt_type_get_kind(payload) == LTT_STRUCT) {
		free_plan(plan);
		redactor->n_fields = n_fields;
		redactor->empties_verbatim = TRUE;
		plan = plan_parts(redactor, payload, type->full_name);
		redactor->empties_verbatim = FALSE;
	}
	g_hash_table_insert(redactor->plans, (gpointer)type, plan);
}

static gboolean plan_types(LttRedactor *redactor, const LttTrace *trace, GError **error)
{
	g_autoptr(GPtrArray) facilities = ltt_trace_list_facilities(trace);

	for (guint i = 0; i < facilities->len; i++)
		for (guint j = 0; j < ltt_facility_get_n_events(facilities->pdata[i]); j++)
			plan_type(redactor, ltt_facility_get_event(facilities->pdata[i], j));
	if (redactor->n_fields >= MOST_FIELDS)
		return ltt_fail(error, LTT_ERROR_LIMIT,
				"%s: the event types have more than %d fields",
				ltt_trace_get_path(trace), MOST_FIELDS);
	return ltt_redact_rules_check(redactor->rules, error);
}

LttRedactor *ltt_redactor_new(const LttRedaction *redaction, LttTrace *trace, GError **error)
{
	LttRedactor *redactor = g_new0(LttRedactor, 1);

	redactor->counts = g_hash_table_new_full(ltt_hash_text, g_str_equal, NULL, free_count);
	redactor->plans = g_hash_table_new_full(NULL, NULL, NULL, free_plan);
	redactor->rules = ltt_redact_rules_new(redaction, error);
	if (redactor->rules != NULL && redactor->rules->drops_processes)
		redactor->names = ltt_process_names_new(trace);
	if (redactor->rules != NULL && plan_types(redactor, trace, error))
		return redactor;
	ltt_redactor_free(redactor);
	return NULL;
}

void ltt_redactor_free(LttRedactor *redactor)
{
	if (redactor == NULL)
		return;
	g_hash_table_unref(redactor->plans);
	g_hash_table_unref(redactor->counts);
	ltt_process_names_free(redactor->names);
	ltt_redact_rules_free(redactor->rules);
	g_free(redactor);
}

/* ---- the system ---- */

/* Returns: whether an attribute describes the trace, not the machine */
static gboolean is_kept(const char *name)
{
	static const char *const names[] = {"cpu",
					    "arch_size",
					    "endian",
					    "ltt_major_version",
					    "ltt_minor_version",
					    "ltt_block_size",
					    "cycle_frequency",
					    "lanes",
					    "kernel",
					    "tracer",
					    LTT_SYSTEM_CLOCK,
					    LTT_SYSTEM_CLOCK_ZERO,
					    LTT_SYSTEM_CLOCK_ERROR,
					    LTT_SYSTEM_NAMING_EVENTS,
					    LTT_SYSTEM_LASTING_EVENTS,
					    LTT_SYSTEM_FALLING_TIMES,
					    NULL};

	return g_strv_contains(names, name);
}

LttSystem *ltt_redactor_filter_system(LttRedactor *redactor, const LttSystem *system)
{
	LttSystem *filtered = ltt_system_dup(system);

	ltt_system_set_text(filtered, "");
	ltt_redactor_count(redactor, "system text", *ltt_system_get_text(system) != '\0' ? 1 : 0);
	for (guint i = 0; i < ltt_system_get_n_attributes(system); i++) {
		g_autofree char *what = NULL;
		const char *name, *value;

		ltt_system_get_attribute(system, i, &name, &value);
		if (!redactor->rules->drops_host || is_kept(name))
			continue;
		what = g_strconcat("system.", name, NULL);
		ltt_redactor_count(redactor, what, 1);
		/* Which files are of one machine is no description of it. */
		if (g_str_equal(name, LTT_SYSTEM_HOSTS))
			ltt_hosts_hide_names(filtered);
		else
			ltt_system_set(filtered, name, NULL);
	}
	if (ltt_system_may_fall(system))
		ltt_system_set(filtered, LTT_SYSTEM_FALLING_TIMES, "yes");
	ltt_system_seal(filtered, NULL); /* the attributes that it checks are kept */
	return filtered;
}

/* ---- events ---- */

gboolean ltt_redactor_drops(LttRedactor *redactor, const LttEvent *event)
{
	const LttRedactRules *rules = redactor->rules;
	const char *name = event->type->full_name;

	if (!ltt_facility_is_bookkeeping(event->type->facility) &&
	    !(rules->drops_processes && ltt_redact_drops_process(event)) &&
	    !(rules->drops_host && g_str_equal(name, "interrupts.interrupt")))
		return FALSE;
	ltt_redactor_count(redactor, name, 1);
	return TRUE;
}

/* Returns: whether a value was empty before, too. @emptied: it, emptied */
static gboolean is_empty(const LttValue *value, const guint8 *emptied, gsize length)
{
	return ltt_value_get_size(value) == length && memcmp(value->bytes, emptied, length) == 0;
}

static void redact_whole(LttRedactor *redactor, Count *count, const LttValue *value,
			 GByteArray *out)
{
	const guint at = out->len;
	gboolean counts = TRUE;

	switch (count->count.how) {
	case LTT_REDACT_HASHED:
		ltt_redact_hash(value, redactor->rules->key, out);
		break;
	case LTT_REDACT_KEPT:
		ltt_recode_append(out, value->bytes, ltt_value_get_size(value));
		counts = ltt_process_names_contain(redactor->names,
						   ltt_value_get_string(value, NULL));
		break;
	default:
		ltt_redact_empty(value->layout, value->byte_order, out);
		counts = count->is_reported || !is_empty(value, out->data + at, out->len - at);
		break;
	}
	count->count.n += counts ? 1 : 0;
}

static void redact(LttRedactor *redactor, const Plan *plan, const LttValue *value, GByteArray *out)
{
	const LttLayout *layout = value->layout;
	LttValueIter iter;
	LttValue item;

	if (plan == NULL) {
		ltt_recode_append(out, value->bytes, ltt_value_get_size(value));
		return;
	}
	if (plan->count != NULL) {
		redact_whole(redactor, plan->count, value, out);
		return;
	}
	if (layout->kind == LTT_SEQUENCE)
		ltt_recode_put_number(ltt_value_get_n_items(value), layout, value->byte_order, out);
	if (layout->kind == LTT_UNION)
		ltt_recode_put_number(ltt_value_get_union_code(value), layout, value->byte_order,
				      out);
	ltt_value_iter_init(&iter, value);
	for (guint i = 0; !ltt_recode_is_too_large(out) && ltt_value_iter_next(&iter, &item, NULL);
	     i++) {
		guint part = 0;

		if (layout->kind == LTT_STRUCT)
			part = i;
		else if (layout->kind == LTT_UNION)
			part = ltt_value_get_union_code(value);
		redact(redactor, plan->parts[part], &item, out);
	}
}

void ltt_redactor_apply(LttRedactor *redactor, const LttEvent *event, GByteArray *payload)
{
	const Plan *plan = g_hash_table_lookup(redactor->plans, event->type);
	LttValue value;

	if (plan != NULL && ltt_event_get_value(event, &value))
		redact(redactor, plan, &value, payload);
}
