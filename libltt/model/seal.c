/* seal.c - check a facility and make it immutable (doc/format.md, 8.3 and 8.6).
 *
 * Names and sizes are checked type by type. The extent of a type is what follows from resolving its
 * typerefs: depth, minimum size, number of values that take no bytes. The extent of a named type is
 * computed once, so a description in which each type uses the previous one twice takes linear, not
 * exponential time. Arithmetic on extents saturates.
 */
#include "model/arch-priv.h"
#include "model/facility-priv.h"
#include "model/mistakes-priv.h"
#include "model/type-priv.h"

#include <ltt/ltt-format.h>
#include <ltt/ltt-hash.h>
#include <ltt/ltt-layout.h>

#include <string.h>

/* Far above every limit, and the sum of two does not overflow. */
#define SATURATED ((guint64)1 << 62)

typedef struct Extent {
	guint depth;            /* 1 for a type without parts */
	guint64 min_bytes;      /* on the architecture with the largest sizes */
	guint64 n_empty_values; /* inner values of no bytes; used only if min_bytes is 0 */
} Extent;

typedef enum NamedState { UNSEEN, UNDER_WAY, DONE } NamedState;

typedef struct Named {
	const LttNamedType *type;
	NamedState state;
	Extent extent;
} Named;

typedef struct Seal {
	GPtrArray *mistakes;
	GHashTable *named; /* name -> Named */
} Seal;

static guint64 saturate(guint64 value)
{
	return MIN(value, SATURATED);
}

static guint64 multiply(guint64 count, guint64 value)
{
	if (value != 0 && count > SATURATED / value)
		return SATURATED;
	return count * value;
}

static guint widest_bytes(LttWidth width)
{
	const LttArch widest = {LTT_LITTLE_ENDIAN, LTT_ILP64};

	return ltt_arch_integer_bytes(&widest, width);
}

/* ---- names and sizes of a single type ---- */

static void check_fields(Seal *seal, const LttType *type)
{
	const char *kind = ltt_type_kind_name(type->kind);
	g_autoptr(GHashTable) names = g_hash_table_new(ltt_hash_text, g_str_equal);

	for (guint i = 0; i < type->fields->len; i++) {
		const LttField *field = ltt_type_get_field(type, i);

		if (!ltt_name_is_valid(field->name))
			ltt_mistakes_add(seal->mistakes, field->type->line,
					 "field name \"%s\": expected a C identifier", field->name);
		if (!g_hash_table_add(names, field->name))
			ltt_mistakes_add(seal->mistakes, field->type->line,
					 "field \"%s\" occurs twice in a %s", field->name, kind);
	}
	if (type->kind == LTT_UNION && type->fields->len == 0)
		ltt_mistakes_add(seal->mistakes, type->line,
				 "union without fields: expected at least one");
	if (type->kind == LTT_UNION && widest_bytes(type->width) < 4 &&
	    type->fields->len > (guint)1 << (8 * widest_bytes(type->width)))
		ltt_mistakes_add(seal->mistakes, type->line,
				 "union of %u fields: its code of size %s counts only %u",
				 type->fields->len, ltt_width_name(type->width),
				 (guint)1 << (8 * widest_bytes(type->width)));
}

static gboolean label_fits(const LttLabel *label, guint bytes, gboolean is_signed)
{
	const gint64 top = bytes == 8 ? G_MAXINT64 : ((gint64)1 << (8 * bytes - 1)) - 1;

	if (label->is_negative)
		return label->value >= -top - 1;
	if (is_signed)
		return label->value >= 0 && label->value <= top;
	return bytes == 8 || (guint64)label->value >> (8 * bytes) == 0;
}

static void check_labels(Seal *seal, const LttType *type)
{
	const gboolean is_signed = ltt_type_is_signed(type);
	g_autoptr(GHashTable) names = g_hash_table_new(ltt_hash_text, g_str_equal);

	if (type->labels->len == 0)
		ltt_mistakes_add(seal->mistakes, type->line,
				 "enum without labels: expected at least one");
	for (guint i = 0; i < type->labels->len; i++) {
		const LttLabel *label = ltt_type_get_label(type, i);

		if (label->name[0] == '\0')
			ltt_mistakes_add(seal->mistakes, type->line, "enum label without a name");
		else if (!g_hash_table_add(names, label->name))
			ltt_mistakes_add(seal->mistakes, type->line,
					 "label \"%s\" occurs twice in an enum", label->name);
		if (!label_fits(label, widest_bytes(type->width), is_signed))
			ltt_mistakes_add(seal->mistakes, type->line,
					 "label \"%s\": its value does not fit %s enum of size %s",
					 label->name, is_signed ? "a signed" : "an unsigned",
					 ltt_width_name(type->width));
	}
}

static void check_width(Seal *seal, const LttType *type)
{
	if (type->kind == LTT_FLOAT && (type->width == LTT_WIDTH_1 || type->width == LTT_WIDTH_2 ||
					type->width == LTT_WIDTH_SHORT))
		ltt_mistakes_add(seal->mistakes, type->line,
				 "float of size %s: expected 4, 8, medium or long",
				 ltt_width_name(type->width));
	else if (type->width == LTT_WIDTH_NONE)
		ltt_mistakes_add(seal->mistakes, type->line, "%s without a size",
				 ltt_type_kind_name(type->kind));
}

/* An invalid format is removed: it does not affect the layout (doc/format.md, 8.5). */
static void check_format(Seal *seal, LttType *type)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(LttFormat) format = NULL;

	if (type->format == NULL)
		return;
	format = ltt_format_parse(type->format, type->kind, &error);
	if (format == NULL) {
		ltt_mistakes_add_harmless(seal->mistakes, type->line, "%s", error->message);
		ltt_type_set_format(type, NULL);
	}
}

static void check_one(Seal *seal, LttType *type)
{
	switch (type->kind) {
	case LTT_INT:
	case LTT_UINT:
	case LTT_FLOAT:
	case LTT_SEQUENCE:
		check_width(seal, type);
		break;
	case LTT_ENUM:
		check_width(seal, type);
		check_labels(seal, type);
		break;
	case LTT_UNION:
		check_width(seal, type);
		check_fields(seal, type);
		break;
	case LTT_STRUCT:
		check_fields(seal, type);
		break;
	case LTT_ARRAY:
		if (type->n_elements > LTT_MAX_ARRAY_ELEMENTS)
			ltt_mistakes_add(seal->mistakes, type->line,
					 "array of %" G_GUINT64_FORMAT
					 " elements: expected at most %" G_GUINT64_FORMAT,
					 type->n_elements, LTT_MAX_ARRAY_ELEMENTS);
		break;
	default:
		break;
	}
	check_format(seal, type);
}

/* ---- extents of types ---- */

static Extent measure_type(Seal *seal, LttType *type, guint outer_depth);

/* Resolves a typeref. It counts as a level of its own, so that chains of typerefs end. A type that
 * contains itself gets a placeholder as its extent. */
static Extent measure_typeref(Seal *seal, LttType *type, guint outer_depth)
{
	const Extent nothing = {.depth = 1, .min_bytes = 1};
	Extent extent;
	Named *named = g_hash_table_lookup(seal->named, type->ref_name);

	if (named == NULL) {
		ltt_mistakes_add(seal->mistakes, type->line,
				 "typeref to \"%s\": no type of that name in the facility",
				 type->ref_name);
		return nothing;
	}
	if (named->state == UNDER_WAY) {
		ltt_mistakes_add(seal->mistakes, type->line, "type \"%s\" contains itself",
				 type->ref_name);
		named->extent = nothing;
		return nothing;
	}
	if (named->state == UNSEEN) {
		named->state = UNDER_WAY;
		named->extent = measure_type(seal, named->type->type, outer_depth + 1);
		named->state = DONE;
	}
	type->target = named->type->type;
	extent = named->extent;
	extent.depth++;
	return extent;
}

/* Limits values that take no bytes: they cost nothing to write but time to show. */
static void check_empty_values(Seal *seal, const LttType *type, Extent *extent)
{
	if (extent->n_empty_values <= LTT_MAX_EMPTY_VALUES)
		return;
	ltt_mistakes_add(seal->mistakes, type->line, "%s of more than %d values that take no bytes",
			 ltt_type_kind_name(type->kind), LTT_MAX_EMPTY_VALUES);
	extent->n_empty_values = 0;
}

static Extent measure_fields(Seal *seal, const LttType *type, guint outer_depth)
{
	const gboolean is_union = type->kind == LTT_UNION;
	Extent all = {0};
	guint64 least = SATURATED;

	for (guint i = 0; i < type->fields->len; i++) {
		const Extent part =
			measure_type(seal, ltt_type_get_field(type, i)->type, outer_depth + 1);

		all.depth = MAX(all.depth, part.depth);
		all.min_bytes = saturate(all.min_bytes + part.min_bytes);
		all.n_empty_values = is_union ? MAX(all.n_empty_values, part.n_empty_values)
					      : saturate(all.n_empty_values + part.n_empty_values);
		least = MIN(least, part.min_bytes);
	}
	if (is_union)
		all.min_bytes =
			saturate(widest_bytes(type->width) + (type->fields->len ? least : 0));
	if (all.min_bytes == 0)
		all.n_empty_values++;
	all.depth++;
	check_empty_values(seal, type, &all);
	return all;
}

static Extent measure_array(Seal *seal, const LttType *type, guint outer_depth)
{
	Extent all = measure_type(seal, type->element, outer_depth + 1);

	all.depth++;
	if (type->kind == LTT_SEQUENCE) {
		all.min_bytes = widest_bytes(type->width);
		all.n_empty_values = 0;
		return all;
	}
	if (all.min_bytes == 0 || type->n_elements == 0)
		all.n_empty_values = multiply(type->n_elements, all.n_empty_values);
	all.min_bytes = multiply(type->n_elements, all.min_bytes);
	if (all.min_bytes == 0)
		all.n_empty_values = saturate(1 + all.n_empty_values);
	check_empty_values(seal, type, &all);
	return all;
}

/* Checks @type and all types inside it. @outer_depth: number of types around it */
static Extent measure_type(Seal *seal, LttType *type, guint outer_depth)
{
	if (outer_depth >= LTT_MAX_TYPE_DEPTH) {
		/* Stops at the limit. The caller checks the depth of shared types. */
		return (Extent){.depth = LTT_MAX_TYPE_DEPTH + 1};
	}
	check_one(seal, type);
	switch (type->kind) {
	case LTT_TYPEREF:
		return measure_typeref(seal, type, outer_depth);
	case LTT_STRUCT:
	case LTT_UNION:
		return measure_fields(seal, type, outer_depth);
	case LTT_ARRAY:
	case LTT_SEQUENCE:
		return measure_array(seal, type, outer_depth);
	case LTT_STRING:
		return (Extent){.depth = 1, .min_bytes = 1};
	case LTT_FLOAT:
		return (Extent){.depth = 1, .min_bytes = ltt_arch_float_bytes(type->width)};
	default:
		return (Extent){.depth = 1, .min_bytes = widest_bytes(type->width)};
	}
}

static void check_extent(Seal *seal, const Extent *extent, guint line, const char *what,
			 const char *name)
{
	if (extent->depth > LTT_MAX_TYPE_DEPTH)
		ltt_mistakes_add(seal->mistakes, line,
				 "%s \"%s\" is nested more than %d types deep", what, name,
				 LTT_MAX_TYPE_DEPTH);
	else if (extent->min_bytes > LTT_MAX_FIXED_BYTES)
		ltt_mistakes_add(seal->mistakes, line,
				 "%s \"%s\" takes more than %" G_GUINT64_FORMAT " bytes", what,
				 name, LTT_MAX_FIXED_BYTES);
}

/* ---- the facility ---- */

static void seal_types(Seal *seal, const LttFacility *facility)
{
	for (guint i = 0; i < facility->types->len; i++) {
		const LttNamedType *type = facility->types->pdata[i];
		Named *named;

		if (!ltt_name_is_valid(type->name))
			ltt_mistakes_add(seal->mistakes, type->line,
					 "type name \"%s\": expected a C identifier", type->name);
		if (g_hash_table_contains(seal->named, type->name)) {
			ltt_mistakes_add(seal->mistakes, type->line, "type \"%s\" is defined twice",
					 type->name);
			continue;
		}
		named = g_new0(Named, 1);
		named->type = type;
		g_hash_table_insert(seal->named, type->name, named);
	}
	for (guint i = 0; i < facility->types->len; i++) {
		const LttNamedType *type = facility->types->pdata[i];
		Named *named = g_hash_table_lookup(seal->named, type->name);

		if (named->type != type) {
			measure_type(seal, type->type, 0);
			continue;
		}
		if (named->state == UNSEEN) {
			named->state = UNDER_WAY;
			named->extent = measure_type(seal, type->type, 0);
			named->state = DONE;
		}
		check_extent(seal, &named->extent, type->line, "type", type->name);
	}
}

static void seal_events(Seal *seal, LttFacility *facility)
{
	facility->by_name = g_hash_table_new(ltt_hash_text, g_str_equal);
	if (facility->events->len > LTT_MAX_EVENTS)
		ltt_mistakes_add(seal->mistakes, facility->line,
				 "facility of %u events: expected at most %d",
				 facility->events->len, LTT_MAX_EVENTS);
	for (guint i = 0; i < facility->events->len; i++) {
		LttEventType *event = facility->events->pdata[i];

		if (!ltt_name_is_valid(event->name))
			ltt_mistakes_add(seal->mistakes, event->line,
					 "event name \"%s\": expected a C identifier", event->name);
		if (!g_hash_table_insert(facility->by_name, event->name, event))
			ltt_mistakes_add(seal->mistakes, event->line, "event \"%s\" occurs twice",
					 event->name);
		if (event->type != NULL) {
			const Extent extent = measure_type(seal, event->type, 0);

			check_extent(seal, &extent, event->line, "event", event->name);
		}
	}
}

gboolean ltt_facility_seal_telling(LttFacility *facility, GPtrArray *mistakes)
{
	g_autoptr(GHashTable) named =
		g_hash_table_new_full(ltt_hash_text, g_str_equal, NULL, g_free);
	Seal seal = {.mistakes = mistakes, .named = named};

	g_return_val_if_fail(facility->canonical == NULL, FALSE);
	if (!ltt_name_is_valid(facility->name))
		ltt_mistakes_add(mistakes, facility->line,
				 "facility name \"%s\": expected a C identifier", facility->name);
	seal_types(&seal, facility);
	seal_events(&seal, facility);
	if (!ltt_mistakes_are_harmless(mistakes))
		return FALSE;
	ltt_seal_declarations(facility, mistakes);

	facility->canonical = ltt_canonical_text(facility);
	if (facility->canonical == NULL) {
		ltt_mistakes_add(mistakes, facility->line,
				 "facility \"%s\": its types written out are longer than %d bytes",
				 facility->name, LTT_MAX_CANONICAL_BYTES);
		return FALSE;
	}
	facility->checksum = ltt_crc32(facility->canonical, strlen(facility->canonical));
	return TRUE;
}
