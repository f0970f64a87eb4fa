/* support-random.c - random facilities and values; half of the values are limits. */
#include "support-random.h"

#include "unit.h"

#include <math.h>
#include <string.h>

#define MAX_DEPTH 4

static const LttWidth widths[] = {LTT_WIDTH_1,     LTT_WIDTH_2,      LTT_WIDTH_4,   LTT_WIDTH_8,
				  LTT_WIDTH_SHORT, LTT_WIDTH_MEDIUM, LTT_WIDTH_LONG};
static const LttWidth float_widths[] = {LTT_WIDTH_4, LTT_WIDTH_8, LTT_WIDTH_MEDIUM, LTT_WIDTH_LONG};

static guint below(GRand *random, guint end)
{
	return (guint)g_rand_int_range(random, 0, (gint32)end);
}

#define PICK(random, array) ((array)[below(random, G_N_ELEMENTS(array))])

/* ---- types ---- */

/* The types named so far. Typerefs refer only to these, so no type contains itself. */
typedef struct Names {
	GRand *random;
	guint n_types;
} Names;

static LttType *random_type(Names *names, guint depth);

static LttType *random_enum(GRand *random)
{
	LttType *type = ltt_type_new_enum(PICK(random, widths));
	const guint n_labels = 1 + below(random, 4);
	const gboolean is_signed = below(random, 2) != 0;

	for (guint i = 0; i < n_labels; i++) {
		g_autofree char *name = g_strdup_printf("L%u", i);

		/* Sometimes two labels have the same value: the first one is printed. */
		ltt_type_add_label(type, name, (gint64)below(random, 5) - (is_signed ? 3 : 0));
	}
	return type;
}

static LttType *random_members(Names *names, LttType *type, guint n_fields, guint depth)
{
	for (guint i = 0; i < n_fields; i++) {
		g_autofree char *name = g_strdup_printf("m%u", i);

		ltt_type_add_field(type, name, below(names->random, 3) == 0 ? "a <b> & c" : NULL,
				   random_type(names, depth + 1));
	}
	return type;
}

static LttType *formatted(GRand *random, LttType *type, const char *format)
{
	if (below(random, 4) == 0)
		ltt_type_set_format(type, format);
	return type;
}

static LttType *random_type(Names *names, guint depth)
{
	static const guint counts[] = {0, 1, 2, 3, 5};
	GRand *random = names->random;
	LttTypeKind kind = (LttTypeKind)below(random, LTT_N_TYPE_KINDS);
	LttWidth width = PICK(random, widths);

	if (depth >= MAX_DEPTH || (kind == LTT_TYPEREF && names->n_types == 0))
		kind = (LttTypeKind)below(random, LTT_ENUM + 1);
	switch (kind) {
	case LTT_INT:
		return formatted(random, ltt_type_new_int(width), "%+5lld ms");
	case LTT_UINT:
		return formatted(random, ltt_type_new_uint(width), "0x%08lx");
	case LTT_FLOAT:
		return formatted(random, ltt_type_new_float(PICK(random, float_widths)), "%.3g%%");
	case LTT_STRING:
		return formatted(random, ltt_type_new_string(), "\"%s\"");
	case LTT_ENUM:
		return random_enum(random);
	case LTT_ARRAY:
		return ltt_type_new_array(PICK(random, counts), random_type(names, depth + 1));
	case LTT_SEQUENCE:
		return ltt_type_new_sequence(width, random_type(names, depth + 1));
	case LTT_STRUCT:
		return random_members(names, ltt_type_new_struct(), below(random, 5), depth);
	case LTT_UNION:
		return random_members(names, ltt_type_new_union(width), 1 + below(random, 4),
				      depth);
	default: {
		g_autofree char *name = g_strdup_printf("t%u", below(random, names->n_types));

		return ltt_type_new_typeref(name);
	}
	}
}

LttFacility *random_facility(GRand *random, const char *name)
{
	LttFacility *facility = ltt_facility_new(name);
	const guint n_types = below(random, 5);
	const guint n_events = 3 + below(random, 10);
	g_autoptr(GError) error = NULL;
	Names names = {.random = random};

	while (names.n_types < n_types) {
		g_autofree char *type_name = g_strdup_printf("t%u", names.n_types);

		ltt_facility_add_type(facility, type_name, NULL, random_type(&names, 2));
		names.n_types++;
	}
	for (guint i = 0; i < n_events; i++) {
		g_autofree char *event_name = g_strdup_printf("e%u", i);
		LttType *type = below(random, 8) == 0 ? NULL : random_type(&names, 0);

		ltt_facility_add_event(facility, event_name, "an \"event\"", type);
	}
	UNIT_ASSERT_OK(ltt_facility_seal(facility, &error), error);
	return facility;
}

/* ---- values ---- */

guint64 random_number(GRand *random, guint width_bytes)
{
	const guint64 all = G_MAXUINT64 >> (64 - 8 * width_bytes);
	const guint64 edges[] = {0, 1, all, all >> 1, (all >> 1) + 1, all - 1};
	const guint64 any = ((guint64)g_rand_int(random) << 32 | g_rand_int(random)) & all;

	return below(random, 2) == 0 ? PICK(random, edges) : any;
}

static gint64 with_sign(guint64 bits, guint width_bytes)
{
	const guint unused_bits = 64 - 8 * width_bytes;

	return (gint64)(bits << unused_bits) >> unused_bits;
}

static LttWidth of_bytes(guint width_bytes)
{
	return (LttWidth)width_bytes; /* 1, 2, 4 and 8 are sizes in bytes */
}

/* Returns: the first label with the value of @bits; "-" if there is none */
static const char *label_of(const LttLayout *layout, guint64 bits)
{
	const guint64 all = G_MAXUINT64 >> (64 - 8 * layout->width_bytes);

	for (guint i = 0; i < ltt_type_get_n_labels(layout->type); i++) {
		const LttLabel *label = ltt_type_get_label(layout->type, i);

		if (((guint64)label->value & all) == bits)
			return label->name;
	}
	return "-";
}

static void describe_number(GString *text, const LttLayout *layout, guint64 bits)
{
	if (layout->is_signed)
		g_string_append_printf(text, "%" G_GINT64_FORMAT,
				       with_sign(bits, layout->width_bytes));
	else
		g_string_append_printf(text, "%" G_GUINT64_FORMAT, bits);
}

/* By its bits, so that -0.0 differs from 0.0; all NaNs are equal. */
static void describe_float(GString *text, double value)
{
	guint64 bits;

	memcpy(&bits, &value, sizeof(bits));
	if (isnan(value))
		g_string_append(text, "nan");
	else
		g_string_append_printf(text, "%016" G_GINT64_MODIFIER "x", bits);
}

static void random_float(GRand *random, const LttLayout *layout, LttPayload *payload, GString *text)
{
	const double edges[] = {0.0,
				-0.0,
				1.0,
				-1.5,
				NAN,
				-NAN,
				INFINITY,
				-INFINITY,
				1e-45,
				5e-324,
				3.4028234663852886e38,
				1.7976931348623157e308,
				0.1,
				1e-30};
	const double any = g_rand_double_range(random, -1e10, 1e10);
	const double value = below(random, 4) == 0 ? any : PICK(random, edges);

	ltt_payload_add_float(payload, of_bytes(layout->width_bytes), value);
	describe_float(text, layout->width_bytes == 4 ? (double)(float)value : value);
}

static void describe_string(GString *text, const char *bytes, gsize length)
{
	g_string_append_c(text, '"');
	for (gsize i = 0; i < length; i++)
		g_string_append_printf(text, "%02x", (guint8)bytes[i]);
	g_string_append_c(text, '"');
}

/* Any bytes except NUL, rarely valid UTF-8. */
static void random_string(GRand *random, LttPayload *payload, GString *text)
{
	char bytes[13];
	const guint length = below(random, sizeof(bytes));

	for (guint i = 0; i < length; i++)
		bytes[i] = (char)(1 + below(random, 255));
	bytes[length] = '\0';
	ltt_payload_add_string(payload, bytes);
	describe_string(text, bytes, length);
}

static void random_elements(GRand *random, const LttLayout *element, guint64 count,
			    LttPayload *payload, GString *text)
{
	g_string_append_c(text, '[');
	for (guint64 i = 0; i < count; i++) {
		g_string_append_c(text, ' ');
		random_value(random, element, payload, text);
	}
	g_string_append_c(text, ']');
}

static void random_member(GRand *random, const LttMember *member, LttPayload *payload,
			  GString *text)
{
	g_string_append_printf(text, " %s=", member->name);
	random_value(random, member->layout, payload, text);
}

void random_value(GRand *random, const LttLayout *layout, LttPayload *payload, GString *text)
{
	const LttWidth width = of_bytes(layout->width_bytes);
	guint64 number = layout->width_bytes > 0 ? random_number(random, layout->width_bytes) : 0;

	switch (layout->kind) {
	case LTT_ENUM:
		if (below(random, 2) == 0)
			number = below(random, 6) & G_MAXUINT8;
		ltt_payload_add_int(payload, width, number);
		describe_number(text, layout, number);
		g_string_append_printf(text, ":%s", label_of(layout, number));
		break;
	case LTT_INT:
	case LTT_UINT:
		ltt_payload_add_int(payload, width, number);
		describe_number(text, layout, number);
		break;
	case LTT_FLOAT:
		random_float(random, layout, payload, text);
		break;
	case LTT_STRING:
		random_string(random, payload, text);
		break;
	case LTT_ARRAY:
		random_elements(random, layout->element, layout->n_elements, payload, text);
		break;
	case LTT_SEQUENCE:
		number = below(random, 6);
		ltt_payload_add_int(payload, width, number);
		random_elements(random, layout->element, number, payload, text);
		break;
	case LTT_UNION:
		number = below(random, layout->n_members);
		ltt_payload_add_int(payload, width, number);
		g_string_append_c(text, '(');
		random_member(random, &layout->members[number], payload, text);
		g_string_append_c(text, ')');
		break;
	default:
		g_string_append_c(text, '{');
		for (guint i = 0; i < layout->n_members; i++)
			random_member(random, &layout->members[i], payload, text);
		g_string_append_c(text, '}');
		break;
	}
}

/* ---- read back ---- */

/* Reads items sequentially, and the same ones by index and by name. */
static void describe_items(const LttValue *value, GString *text, guint *n_wrong)
{
	LttValueIter iter;
	LttValue item;
	LttValue same;
	const char *name = NULL;
	gsize size_bytes = value->layout->kind == LTT_SEQUENCE || value->layout->kind == LTT_UNION
				   ? value->layout->width_bytes
				   : 0;

	ltt_value_iter_init(&iter, value);
	for (guint64 i = 0; ltt_value_iter_next(&iter, &item, &name); i++) {
		g_string_append_c(text, ' ');
		if (name != NULL)
			g_string_append_printf(text, "%s=", name);
		describe_value(&item, text, n_wrong);
		size_bytes += ltt_value_get_size(&item);
		*n_wrong += !ltt_value_get_item(value, i, &same) || same.bytes != item.bytes ||
			    same.layout != item.layout;
		if (name != NULL)
			*n_wrong += !ltt_value_find(value, name, &same) || same.bytes != item.bytes;
	}
	*n_wrong += iter.index != ltt_value_get_n_items(value);
	*n_wrong += ltt_value_get_item(value, iter.index, &same);
	*n_wrong += size_bytes != ltt_value_get_size(value);
}

void describe_value(const LttValue *value, GString *text, guint *n_wrong)
{
	const LttLayout *layout = value->layout;
	const char *string;
	gsize length;

	switch (layout->kind) {
	case LTT_ENUM:
	case LTT_INT:
	case LTT_UINT:
		if (layout->is_signed)
			g_string_append_printf(text, "%" G_GINT64_FORMAT, ltt_value_get_int(value));
		else
			g_string_append_printf(text, "%" G_GUINT64_FORMAT,
					       ltt_value_get_uint(value));
		if (layout->kind == LTT_ENUM)
			g_string_append_printf(text, ":%s",
					       ltt_value_get_label(value) != NULL
						       ? ltt_value_get_label(value)
						       : "-");
		break;
	case LTT_FLOAT:
		describe_float(text, ltt_value_get_float(value));
		break;
	case LTT_STRING:
		string = ltt_value_get_string(value, &length);
		describe_string(text, string, length);
		break;
	case LTT_ARRAY:
	case LTT_SEQUENCE:
		g_string_append_c(text, '[');
		describe_items(value, text, n_wrong);
		g_string_append_c(text, ']');
		break;
	case LTT_UNION:
		g_string_append_c(text, '(');
		describe_items(value, text, n_wrong);
		g_string_append_c(text, ')');
		break;
	default:
		g_string_append_c(text, '{');
		describe_items(value, text, n_wrong);
		g_string_append_c(text, '}');
		break;
	}
}
