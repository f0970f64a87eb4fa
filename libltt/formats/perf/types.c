/* types.c - make facilities from the shapes of a perf recording (types-priv.h).
 *
 * The layout of a type is equal to the packed form of its field (formats/perf/file/field-priv.h),
 * so packed fields are payloads.
 */
#include "formats/perf/types-priv.h"

#include "base/error-priv.h"
#include "model/facility-priv.h"
#include "tracepoint/state-priv.h"

static LttType *type_of(const LttPerfField *field);

static LttType *with_format(LttType *type, const char *format)
{
	ltt_type_set_format(type, format);
	return type;
}

static void add_fields(LttType *structure, const LttPerfField *fields, guint n_fields);

/* Makes the type of an item: the type of its only member, or a struct of several members. */
static LttType *type_of_item(const LttPerfField *members, guint n_members)
{
	LttType *structure;

	if (n_members == 1)
		return type_of(&members[0]);
	structure = ltt_type_new_struct();
	add_fields(structure, members, n_members);
	return structure;
}

static LttType *label_type(const LttPerfField *field)
{
	LttType *type = ltt_type_new_enum((LttWidth)field->width);

	for (guint i = 0; i < field->n_labels; i++)
		ltt_type_add_label(type, field->labels[i], i);
	return type;
}

static LttType *octets_type(void)
{
	return ltt_type_new_sequence(LTT_WIDTH_8,
				     with_format(ltt_type_new_uint(LTT_WIDTH_1), "0x%x"));
}

static LttType *stack_type(void)
{
	LttType *structure = ltt_type_new_struct();

	ltt_type_add_field(structure, "octets", NULL, octets_type());
	ltt_type_add_field(structure, "used", "Number of these octets that are on the stack",
			   ltt_type_new_uint(LTT_WIDTH_8));
	return structure;
}

static LttType *behind_type(const LttPerfField *field)
{
	LttType *structure = ltt_type_new_struct();

	add_fields(structure, field->members, field->n);
	ltt_type_add_field(
		structure, "entries", NULL,
		ltt_type_new_sequence(LTT_WIDTH_8, type_of_item(field->members + field->n,
								field->n_members - field->n)));
	return structure;
}

static LttType *type_of(const LttPerfField *field)
{
	const LttWidth width = (LttWidth)field->width;
	LttType *type;

	switch (field->kind) {
	case LTT_PERF_UINT:
		return ltt_type_new_uint(width);
	case LTT_PERF_HEX:
		return with_format(ltt_type_new_uint(width), "0x%x");
	case LTT_PERF_INT:
		return ltt_type_new_int(width);
	case LTT_PERF_FLOAT:
		return ltt_type_new_float(width);
	case LTT_PERF_LABEL:
		return label_type(field);
	case LTT_PERF_SET:
		return ltt_type_new_sequence(LTT_WIDTH_1, label_type(field));
	case LTT_PERF_ARRAY:
		return ltt_type_new_array(field->n, type_of_item(field->members, field->n_members));
	case LTT_PERF_TEXT:
	case LTT_PERF_NAME:
	case LTT_PERF_STRING:
	case LTT_PERF_LOC_TEXT:
		return ltt_type_new_string();
	case LTT_PERF_LOC_TEXTS:
		return ltt_type_new_array(field->n, ltt_type_new_string());
	case LTT_PERF_STRUCT:
	case LTT_PERF_PARTS:
		type = ltt_type_new_struct();
		add_fields(type, field->members, field->n_members);
		return type;
	case LTT_PERF_SEQUENCE:
		return ltt_type_new_sequence(width, type_of_item(field->members, field->n_members));
	case LTT_PERF_TAIL:
	case LTT_PERF_TIMES:
	case LTT_PERF_LOC_ITEMS:
		return ltt_type_new_sequence(LTT_WIDTH_4,
					     type_of_item(field->members, field->n_members));
	case LTT_PERF_AGAIN:
		return ltt_type_new_sequence(LTT_WIDTH_8,
					     type_of_item(field->members, field->n_members));
	case LTT_PERF_UNION:
		type = ltt_type_new_union(width);
		add_fields(type, field->members, field->n_members);
		return type;
	case LTT_PERF_BEHIND:
		return behind_type(field);
	case LTT_PERF_STACK:
		return stack_type();
	default:
		return octets_type();
	}
}

static void add_field(LttType *structure, const LttPerfField *field)
{
	ltt_type_add_field(structure, field->name, NULL, type_of(field));
	ltt_type_show_field(structure, field->is_hidden  ? LTT_SHOW_HIDDEN
				       : field->is_first ? LTT_SHOW_FIRST
							 : LTT_SHOW_USUAL);
	if (g_str_equal(field->name, "ip") || g_str_equal(field->name, "callchain"))
		ltt_type_set_field_role(structure, LTT_FIELD_CODE);
}

static void add_fields(LttType *structure, const LttPerfField *fields, guint n_fields)
{
	for (guint i = 0; i < n_fields; i++) {
		if (fields[i].kind == LTT_PERF_PAD)
			continue;
		/* The fields of a tracepoint are fields of the event. */
		if (fields[i].kind == LTT_PERF_TRACE)
			add_fields(structure, fields[i].members, fields[i].n_members);
		else
			add_field(structure, &fields[i]);
	}
}

/* Makes the type of the struct at the end of every event. */
static LttType *record_type(void)
{
	LttType *structure = ltt_type_new_struct();

	ltt_type_add_field(structure, "misc", "misc of the record header",
			   with_format(ltt_type_new_uint(LTT_WIDTH_2), "0x%x"));
	ltt_type_add_field(structure, "offset", "Offset of the record in the file",
			   ltt_type_new_uint(LTT_WIDTH_8));
	ltt_type_add_field(
		structure, "verbatim",
		"The record without its header, if the fields do not restore it exactly",
		ltt_type_new_sequence(LTT_WIDTH_2,
				      with_format(ltt_type_new_uint(LTT_WIDTH_1), "0x%x")));
	return structure;
}

static LttType *type_of_shape(const LttPerfCatalog *catalog, const LttPerfShape *shape)
{
	LttType *type = ltt_type_new_struct();
	guint n_id_fields;
	const LttPerfField *id_fields = ltt_perf_catalog_get_id_fields(catalog, &n_id_fields);

	add_fields(type, shape->fields, shape->n_fields);
	if (shape->has_id) {
		LttType *id = ltt_type_new_struct();

		add_fields(id, id_fields, n_id_fields);
		ltt_type_add_field(type, "sample_id", NULL, id);
		ltt_type_show_field(type, LTT_SHOW_HIDDEN);
	}
	ltt_type_add_field(type, "record", NULL, record_type());
	ltt_type_show_field(type, LTT_SHOW_HIDDEN);
	return type;
}

static guint find_facility(LttPerfTypes *types, const char *name)
{
	for (guint i = 0; i < types->facilities->len; i++)
		if (g_str_equal(ltt_facility_get_name(types->facilities->pdata[i]), name))
			return i;
	g_ptr_array_add(types->facilities, ltt_facility_new(name));
	return types->facilities->len - 1;
}

static void set_state(LttFacility *facility, const LttPerfShape *shape)
{
	g_autofree char *state = NULL;

	if (shape->system != NULL)
		state = ltt_tracepoint_state(shape->system, shape->tracepoint);
	ltt_facility_set_state(facility, state);
}

static gboolean describe(LttPerfTypes *types, const LttPerfCatalog *catalog, GError **error)
{
	const guint n = ltt_perf_catalog_get_n(catalog);
	g_autoptr(GArray) counts = g_array_new(FALSE, TRUE, sizeof(guint));

	types->facilities = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_facility_unref);
	types->events = g_array_new(FALSE, FALSE, sizeof(LttPerfEventOf));
	for (guint i = 0; i < n; i++) {
		const LttPerfShape *shape = ltt_perf_catalog_get(catalog, i);
		LttPerfEventOf of = {.facility = find_facility(types, shape->facility)};

		if (counts->len <= of.facility)
			g_array_set_size(counts, of.facility + 1);
		of.event = g_array_index(counts, guint, of.facility)++;
		g_array_append_val(types->events, of);
		ltt_facility_add_event(types->facilities->pdata[of.facility], shape->name,
				       shape->description, type_of_shape(catalog, shape));
		ltt_facility_set_print(types->facilities->pdata[of.facility], shape->print);
		set_state(types->facilities->pdata[of.facility], shape);
	}
	for (guint i = 0; i < types->facilities->len; i++)
		if (!ltt_facility_seal_foreign(types->facilities->pdata[i], error)) {
			ltt_perf_types_clear(types);
			return FALSE;
		}
	return TRUE;
}

gboolean ltt_perf_types_init(LttPerfTypes *types, LttPerfCatalog *catalog, GError **error)
{
	g_autoptr(GError) failed = NULL;

	while (!describe(types, catalog, &failed)) {
		if (!ltt_perf_catalog_halve(catalog)) {
			g_propagate_error(error, g_steal_pointer(&failed));
			return FALSE;
		}
		g_clear_error(&failed);
	}
	return TRUE;
}

void ltt_perf_types_clear(LttPerfTypes *types)
{
	g_clear_pointer(&types->facilities, g_ptr_array_unref);
	g_clear_pointer(&types->events, g_array_unref);
}
