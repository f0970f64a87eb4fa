/* format.c - parse the format file of a tracepoint. */
#include "tracepoint/format-priv.h"

#include <string.h>

#define MAX_PLACE 65535

/* More than any tracepoint of the kernel has. */
#define MAX_FIELDS 512

/* Longer print formats are omitted. */
#define PRINT           "\nprint fmt: "
#define MAX_PRINT_BYTES 65536

/* Prefixes of types whose field contains a location. An absolute location is relative to the start
 * of the raw event, a relative one to the end of the field. */
#define ABSOLUTE "__data_loc "
#define RELATIVE "__rel_loc "

/* Longer names are cut. */
#define MAX_NAME_BYTES 200

char *ltt_tracepoint_identifier(const char *name)
{
	GString *out = g_string_new(NULL);
	const char *end = name + MIN(strlen(name), MAX_NAME_BYTES);

	for (const char *at = name; at < end; at++)
		g_string_append_c(out, g_ascii_isalnum(*at) ? *at : '_');
	while (out->len > 0 && out->str[out->len - 1] == '_')
		g_string_truncate(out, out->len - 1);
	if (out->len == 0 || g_ascii_isdigit(out->str[0]))
		g_string_prepend_c(out, '_');
	return g_string_free(out, FALSE);
}

char *ltt_tracepoint_facility(const char *system, const char *const *reserved)
{
	g_autofree char *name = ltt_tracepoint_identifier(system);

	return g_strv_contains(reserved, name) ? g_strconcat(name, "_events", NULL)
					       : g_steal_pointer(&name);
}

static void clear_field(gpointer data)
{
	LttTracepointField *field = data;

	g_free(field->name);
}

void ltt_tracepoint_free(LttTracepoint *tracepoint)
{
	if (tracepoint == NULL)
		return;
	g_free(tracepoint->name);
	g_free(tracepoint->print);
	g_array_unref(tracepoint->fields);
	g_free(tracepoint);
}

const LttTracepointField *ltt_tracepoint_find(const LttTracepoint *tracepoint, const char *name)
{
	for (guint i = 0; i < tracepoint->fields->len; i++) {
		const LttTracepointField *field =
			&g_array_index(tracepoint->fields, LttTracepointField, i);

		if (g_str_equal(field->name, name))
			return field;
	}
	return NULL;
}

static gboolean is_width(guint64 size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Finds the value of "offset:8;" in a line. */
static gboolean get_number(const char *line, const char *key, guint64 *value)
{
	const char *at = strstr(line, key);

	if (at == NULL)
		return FALSE;
	*value = g_ascii_strtoull(at + strlen(key), NULL, 10);
	return TRUE;
}

/* Returns: the size of an element of a dynamic array, from the words of its type */
static guint8 element_bytes(const char *type, guint long_bytes)
{
	if (strstr(type, "64") != NULL || strstr(type, "long long") != NULL)
		return 8;
	if (strstr(type, "long") != NULL || strchr(type, '*') != NULL)
		return (guint8)long_bytes;
	if (strstr(type, "16") != NULL || strstr(type, "short") != NULL)
		return 2;
	if (strstr(type, "32") != NULL || strstr(type, "int") != NULL)
		return 4;
	return 1;
}

/* Splits "char prev_comm[16]" into the type, the name and the text in brackets. Returns: FALSE if
 * there is no name */
static gboolean split(char *declaration, char **name, char **brackets)
{
	char *open = strchr(declaration, '[');
	char *space;

	*brackets = NULL;
	/* In "__data_loc char[] name" the brackets belong to the type. */
	if (open != NULL && strchr(open, ' ') == NULL) {
		*brackets = open + 1;
		*open = '\0';
	}
	space = strrchr(declaration, ' ');
	if (space == NULL || space[1] == '\0')
		return FALSE;
	*space = '\0';
	*name = space + 1;
	return TRUE;
}

/* "__data_loc char[][2]" is an array of locations. Returns: the number of them; 0: another type */
static guint32 count_texts(const char *type, guint64 size)
{
	const char *second = strstr(type, "][");
	const guint64 count =
		second != NULL ? g_ascii_strtoull(second + strlen("]["), NULL, 10) : 0;

	if (count > MAX_PLACE || size != count * sizeof(guint32) ||
	    !g_str_has_prefix(type, ABSOLUTE "char["))
		return 0;
	return (guint32)count;
}

static gboolean set_location(LttTracepointField *field, const char *type, guint long_bytes)
{
	field->count = count_texts(type, field->size);
	if (field->count > 0) {
		field->kind = LTT_TRACEPOINT_LOC_TEXTS;
		return TRUE;
	}
	if (field->size != sizeof(guint32))
		return FALSE;
	if (g_str_has_prefix(type, RELATIVE))
		field->base = field->offset + field->size;
	field->kind = LTT_TRACEPOINT_LOC_ARRAY;
	field->width = element_bytes(type, long_bytes);
	if (strstr(type, "char") != NULL && strstr(type, "unsigned char") == NULL)
		field->kind = LTT_TRACEPOINT_LOC_TEXT;
	return is_width(field->width);
}

static void set_array(LttTracepointField *field, const char *type, const char *brackets,
		      guint long_bytes)
{
	guint64 count = brackets != NULL ? g_ascii_strtoull(brackets, NULL, 10) : 0;

	field->kind = LTT_TRACEPOINT_ARRAY;
	/* Arguments of probes, such as "s16 arg[]" of 8 bytes, have a size but no count. */
	if (count == 0 && brackets != NULL && field->size % element_bytes(type, long_bytes) == 0)
		count = field->size / element_bytes(type, long_bytes);
	if (count > 0 && field->size % count == 0 && is_width(field->size / count)) {
		field->count = (guint32)count;
		field->width = (guint8)(field->size / count);
		return;
	}
	field->count = field->size;
	field->width = 1;
	field->is_signed = FALSE;
	field->is_hex = TRUE;
}

/* Returns: FALSE if the type is not understood */
static gboolean set_type(LttTracepointField *field, const char *type, const char *brackets,
			 guint long_bytes)
{
	if (g_str_has_prefix(type, ABSOLUTE) || g_str_has_prefix(type, RELATIVE))
		return set_location(field, type, long_bytes);
	if (brackets != NULL && g_str_equal(type, "char")) {
		field->kind = LTT_TRACEPOINT_TEXT;
		field->count = field->size;
	} else if (brackets == NULL && is_width(field->size)) {
		field->kind = LTT_TRACEPOINT_NUMBER;
		field->width = (guint8)field->size;
		field->is_hex = !field->is_signed && strchr(type, '*') != NULL;
	} else {
		set_array(field, type, brackets, long_bytes);
	}
	return TRUE;
}

static void parse_field(GArray *fields, const char *line, guint long_bytes)
{
	const char *begin = strstr(line, "field:");
	const char *end = begin != NULL ? strchr(begin, ';') : NULL;
	g_autofree char *declaration = NULL;
	LttTracepointField field = {0};
	guint64 is_signed = 0;
	guint64 offset;
	guint64 size;
	char *brackets;
	char *name;

	if (end == NULL || !get_number(end, "offset:", &offset) ||
	    !get_number(end, "size:", &size) || offset > MAX_PLACE || size == 0 ||
	    size > MAX_PLACE - offset)
		return;
	get_number(end, "signed:", &is_signed);
	begin += strlen("field:");
	declaration = g_strndup(begin, (gsize)(end - begin));
	field.offset = (guint32)offset;
	field.size = (guint32)size;
	field.is_signed = is_signed != 0;
	if (!split(declaration, &name, &brackets) ||
	    !set_type(&field, declaration, brackets, long_bytes))
		return;
	field.name = g_strdup(name);
	g_array_append_val(fields, field);
}

/* Returns: (transfer full) (nullable): the text after "print fmt:", which extends to the end and may
 *   contain line feeds */
static char *find_print(const char *text)
{
	const char *at = strstr(text, PRINT);

	if (at == NULL || strlen(at) > MAX_PRINT_BYTES)
		return NULL;
	return g_strchomp(g_strdup(at + strlen(PRINT)));
}

LttTracepoint *ltt_tracepoint_parse(const char *text, gsize length, guint long_bytes)
{
	g_autoptr(LttTracepoint) tracepoint = g_new0(LttTracepoint, 1);
	g_autofree char *copy = g_strndup(text, length);
	g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
	gboolean has_id = FALSE;

	tracepoint->print = find_print(copy);
	tracepoint->fields = g_array_new(FALSE, FALSE, sizeof(LttTracepointField));
	g_array_set_clear_func(tracepoint->fields, clear_field);
	for (guint i = 0; lines[i] != NULL; i++) {
		if (tracepoint->name == NULL && g_str_has_prefix(lines[i], "name: "))
			tracepoint->name = g_strdup(lines[i] + strlen("name: "));
		else if (!has_id && g_str_has_prefix(lines[i], "ID: "))
			has_id = get_number(lines[i], "ID: ", &tracepoint->id);
		else if (lines[i][0] == '\t' && tracepoint->fields->len < MAX_FIELDS)
			parse_field(tracepoint->fields, lines[i], long_bytes);
	}
	if (tracepoint->name == NULL || !has_id)
		return NULL;
	return g_steal_pointer(&tracepoint);
}
