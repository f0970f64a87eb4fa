/* system.c - the attributes of info/system.xml; sealing checks those that reading depends on. */
#include "base/error-priv.h"
#include "model/arch-priv.h"

#include <ltt/ltt-system.h>

typedef struct Attribute {
	char *name;
	char *value;
} Attribute;

struct LttSystem {
	GArray *attributes; /* of Attribute, in order */
	char *text;
	LttArch arch;
	guint n_cpus;
	guint64 block_bytes;
	guint64 cycle_frequency;
	gboolean is_dialect_22;
};

static void clear_attribute(gpointer data)
{
	Attribute *attribute = data;

	g_free(attribute->name);
	g_free(attribute->value);
}

LttSystem *ltt_system_new(void)
{
	LttSystem *system = g_new0(LttSystem, 1);

	system->attributes = g_array_new(FALSE, FALSE, sizeof(Attribute));
	g_array_set_clear_func(system->attributes, clear_attribute);
	system->text = g_strdup("");
	return system;
}

LttSystem *ltt_system_dup(const LttSystem *system)
{
	LttSystem *copy = ltt_system_new();
	GArray *attributes = copy->attributes;
	char *text = copy->text;

	*copy = *system;
	copy->attributes = attributes;
	copy->text = text;
	for (guint i = 0; i < system->attributes->len; i++) {
		const Attribute *attribute = &g_array_index(system->attributes, Attribute, i);

		ltt_system_set(copy, attribute->name, attribute->value);
	}
	ltt_system_set_text(copy, system->text);
	return copy;
}

gboolean ltt_system_may_fall(const LttSystem *system)
{
	return ltt_system_get(system, LTT_SYSTEM_FALLING_TIMES) != NULL ||
	       ltt_system_get(system, LTT_SYSTEM_RECORDING) != NULL;
}

void ltt_system_free(LttSystem *system)
{
	if (system == NULL)
		return;
	g_array_unref(system->attributes);
	g_free(system->text);
	g_free(system);
}

static gboolean find(const LttSystem *system, const char *name, guint *index)
{
	for (guint i = 0; i < system->attributes->len; i++) {
		if (g_str_equal(g_array_index(system->attributes, Attribute, i).name, name)) {
			*index = i;
			return TRUE;
		}
	}
	return FALSE;
}

void ltt_system_set(LttSystem *system, const char *name, const char *value)
{
	guint index;

	if (!find(system, name, &index)) {
		Attribute added = {.name = g_strdup(name), .value = g_strdup(value)};

		if (value != NULL)
			g_array_append_val(system->attributes, added);
		else
			clear_attribute(&added);
	} else if (value == NULL) {
		g_array_remove_index(system->attributes, index);
	} else {
		Attribute *attribute = &g_array_index(system->attributes, Attribute, index);

		g_free(attribute->value);
		attribute->value = g_strdup(value);
	}
}

const char *ltt_system_get(const LttSystem *system, const char *name)
{
	guint index;

	return find(system, name, &index)
		       ? g_array_index(system->attributes, Attribute, index).value
		       : NULL;
}

guint ltt_system_get_n_attributes(const LttSystem *system)
{
	return system->attributes->len;
}

void ltt_system_get_attribute(const LttSystem *system, guint index, const char **name,
			      const char **value)
{
	const Attribute *attribute = &g_array_index(system->attributes, Attribute, index);

	*name = attribute->name;
	*value = attribute->value;
}

void ltt_system_set_text(LttSystem *system, const char *text)
{
	g_free(system->text);
	system->text = g_strdup(text);
}

const char *ltt_system_get_text(const LttSystem *system)
{
	return system->text;
}

/* ---- checked attributes ---- */

static gboolean get_required(const LttSystem *system, const char *name, const char **value,
			     GError **error)
{
	*value = ltt_system_get(system, name);
	return *value != NULL ||
	       ltt_fail(error, LTT_ERROR_DESCRIPTION, "attribute %s is missing", name);
}

static gboolean get_number(const LttSystem *system, const char *name, guint64 least,
			   guint64 greatest, guint64 *number, GError **error)
{
	const char *value;

	if (!get_required(system, name, &value, error))
		return FALSE;
	if (!g_ascii_string_to_unsigned(value, 10, least, greatest, number, NULL))
		return ltt_fail(error, LTT_ERROR_DESCRIPTION,
				"%s=\"%s\": expected a number from %" G_GUINT64_FORMAT
				" to %" G_GUINT64_FORMAT,
				name, value, least, greatest);
	return TRUE;
}

static gboolean seal_version(LttSystem *system, GError **error)
{
	guint64 major;
	guint64 minor;

	if (!get_number(system, "ltt_major_version", 0, G_MAXUINT32, &major, error) ||
	    !get_number(system, "ltt_minor_version", 0, G_MAXUINT64, &minor, error))
		return FALSE;
	if (major != 2)
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
				"ltt_major_version=\"%" G_GUINT64_FORMAT "\": expected 2", major);
	system->is_dialect_22 = minor == 2 || minor == 3;
	return TRUE;
}

static gboolean seal_arch(LttSystem *system, GError **error)
{
	const char *value;

	if (!get_required(system, "endian", &value, error))
		return FALSE;
	if (!ltt_byte_order_from_name(value, &system->arch.byte_order))
		return ltt_fail(error, LTT_ERROR_DESCRIPTION,
				"endian=\"%s\": expected little or big", value);
	if (!get_required(system, "arch_size", &value, error))
		return FALSE;
	if (!ltt_arch_size_from_name(value, &system->arch.size))
		return ltt_fail(error, LTT_ERROR_DESCRIPTION,
				"arch_size=\"%s\": expected LP32, ILP32, LP64 or ILP64", value);
	return TRUE;
}

gboolean ltt_system_seal(LttSystem *system, GError **error)
{
	guint64 n_cpus;

	if (!seal_version(system, error) || !seal_arch(system, error) ||
	    !get_number(system, "cpu", 1, LTT_MAX_CPUS, &n_cpus, error) ||
	    !get_number(system, "ltt_block_size", LTT_MIN_BLOCK_BYTES, LTT_MAX_BLOCK_BYTES,
			&system->block_bytes, error))
		return FALSE;
	system->n_cpus = (guint)n_cpus;
	system->cycle_frequency = 0;
	return ltt_system_get(system, "cycle_frequency") == NULL ||
	       get_number(system, "cycle_frequency", 1, G_MAXUINT64, &system->cycle_frequency,
			  error);
}

const LttArch *ltt_system_get_arch(const LttSystem *system)
{
	return &system->arch;
}

guint ltt_system_get_n_cpus(const LttSystem *system)
{
	return system->n_cpus;
}

/* Returns: the value of an attribute; 0 if it is missing or no number up to @most */
static guint get_count(const LttSystem *system, const char *name, guint most)
{
	const char *text = ltt_system_get(system, name);
	guint64 count = 0;

	if (text != NULL)
		g_ascii_string_to_unsigned(text, 10, 0, most, &count, NULL);
	return (guint)count;
}

guint ltt_system_get_n_kernel_files(const LttSystem *system)
{
	return get_count(system, "kernel", system->n_cpus);
}

guint ltt_system_get_n_lanes(const LttSystem *system)
{
	return get_count(system, "lanes", system->n_cpus - ltt_system_get_n_kernel_files(system));
}

guint64 ltt_system_get_block_bytes(const LttSystem *system)
{
	return system->block_bytes;
}

guint64 ltt_system_get_cycle_frequency(const LttSystem *system)
{
	return system->cycle_frequency;
}

gboolean ltt_system_is_dialect_22(const LttSystem *system)
{
	return system->is_dialect_22;
}
