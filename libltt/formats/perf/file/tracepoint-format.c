/* tracepoint-format.c - parse the text that describes the fields of a tracepoint.
 *
 *	field:char prev_comm[16];	offset:8;	size:16;	signed:1;
 */
#include "formats/perf/file/tracepoint-format-priv.h"

#include <string.h>

#define MOST_PLACE 65535

/* Maximum number of fields, above that of any tracepoint of the kernel. */
#define MOST_FIELDS 512

/* The print format of the kernel. Print formats above the maximum length are ignored. */
#define PRINT            "\nprint fmt: "
#define MOST_PRINT_BYTES 65536

/* Prefixes of the types of fields with a variable length. */
#define ABSOLUTE "__data_loc "
#define RELATIVE "__rel_loc "

static const LttPerfField octets[] = {{.name = "octet", .kind = LTT_PERF_HEX, .width = 1}};

/* Items of an array, by width and sign. */
static const LttPerfField items[2][4] = {
	{{.name = "item", .kind = LTT_PERF_UINT, .width = 1},
	 {.name = "item", .kind = LTT_PERF_UINT, .width = 2},
	 {.name = "item", .kind = LTT_PERF_UINT, .width = 4},
	 {.name = "item", .kind = LTT_PERF_UINT, .width = 8}},
	{{.name = "item", .kind = LTT_PERF_INT, .width = 1},
	 {.name = "item", .kind = LTT_PERF_INT, .width = 2},
	 {.name = "item", .kind = LTT_PERF_INT, .width = 4},
	 {.name = "item", .kind = LTT_PERF_INT, .width = 8}},
};

/* Returns: (nullable): the item of an array of numbers of @width bytes */
static const LttPerfField *item_of(guint64 width, gboolean is_signed)
{
	const guint row = is_signed ? 1 : 0;

	switch (width) {
	case 1:
		return &items[row][0];
	case 2:
		return &items[row][1];
	case 4:
		return &items[row][2];
	case 8:
		return &items[row][3];
	default:
		return NULL;
	}
}

/* Gets a number of a line, such as 8 from "offset:8;". */
static gboolean get_number(const char *line, const char *key, guint64 *value)
{
	const char *at = strstr(line, key);

	if (at == NULL)
		return FALSE;
	*value = g_ascii_strtoull(at + strlen(key), NULL, 10);
	return TRUE;
}

/* Returns: the size in bytes of an element of a dynamic array, derived from the words of its
 * type */
static guint element_bytes(const char *type, guint long_bytes)
{
	if (strstr(type, "64") != NULL || strstr(type, "long long") != NULL)
		return 8;
	if (strstr(type, "long") != NULL || strchr(type, '*') != NULL)
		return long_bytes;
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
	/* In "__data_loc char[] name", the brackets belong to the type. */
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

/* Returns whether the field is a word that locates its data. */
static gboolean is_located(const char *type)
{
	return g_str_has_prefix(type, ABSOLUTE) || g_str_has_prefix(type, RELATIVE);
}

/* Makes a field of a type such as "__data_loc char[][2]": two words, each of which locates a text.
 * Returns: FALSE for other types */
static gboolean make_texts(const char *type, guint64 size, LttPerfField *field)
{
	const char *second = strstr(type, "][");
	const guint64 count =
		second != NULL ? g_ascii_strtoull(second + strlen("]["), NULL, 10) : 0;

	if (count == 0 || count > MOST_PLACE || size != count * sizeof(guint32) ||
	    !g_str_has_prefix(type, ABSOLUTE "char["))
		return FALSE;
	field->kind = LTT_PERF_LOC_TEXTS;
	field->n = (guint32)count;
	return TRUE;
}

static gboolean make_field(const char *type, const char *brackets, guint64 size, gboolean is_signed,
			   guint long_bytes, LttPerfField *field)
{
	const LttPerfField *item;
	guint64 count;

	if (is_located(type)) {
		const guint width = element_bytes(type, long_bytes);

		if (make_texts(type, size, field))
			return TRUE;
		if (size != sizeof(guint32))
			return FALSE;
		/* The offset in the word is relative to the begin of the raw bytes or, with
		 * __rel_loc, to the end of the word. */
		if (g_str_has_prefix(type, RELATIVE))
			field->n = field->place + (guint32)size;
		field->kind = LTT_PERF_LOC_ITEMS;
		if (strstr(type, "char") != NULL && strstr(type, "unsigned char") == NULL)
			field->kind = LTT_PERF_LOC_TEXT;
		field->members = item_of(width, is_signed);
		field->n_members = 1;
		return field->members != NULL;
	}
	if (brackets != NULL && g_str_equal(type, "char")) {
		field->kind = LTT_PERF_TEXT;
		field->n = (guint32)size;
		return TRUE;
	}
	if (brackets == NULL && item_of(size, is_signed) != NULL) {
		field->kind = is_signed                   ? LTT_PERF_INT
			      : strchr(type, '*') != NULL ? LTT_PERF_HEX
							  : LTT_PERF_UINT;
		field->width = (guint8)size;
		return TRUE;
	}
	count = brackets != NULL ? g_ascii_strtoull(brackets, NULL, 10) : 0;
	/* Arguments of probes have a size but no count, for example "s16 arg[]" with 8 bytes. */
	if (count == 0 && brackets != NULL && size % element_bytes(type, long_bytes) == 0)
		count = size / element_bytes(type, long_bytes);
	item = count > 0 && size % count == 0 ? item_of(size / count, is_signed) : NULL;
	field->kind = LTT_PERF_ARRAY;
	field->n = (guint32)(item != NULL ? count : size);
	field->members = item != NULL ? item : octets;
	field->n_members = 1;
	return TRUE;
}

static void parse_field(GArray *fields, LttPerfArena *arena, const char *line, guint long_bytes)
{
	const char *begin = strstr(line, "field:");
	const char *end = begin != NULL ? strchr(begin, ';') : NULL;
	LttPerfField field = {0};
	guint64 offset;
	guint64 size;
	guint64 is_signed = 0;
	char *declaration;
	char *brackets;
	char *name;

	if (end == NULL || !get_number(end, "offset:", &offset) ||
	    !get_number(end, "size:", &size) || offset > MOST_PLACE || size == 0 ||
	    size > MOST_PLACE - offset)
		return;
	get_number(end, "signed:", &is_signed);
	begin += strlen("field:");
	declaration = ltt_perf_arena_text(arena, g_strndup(begin, (gsize)(end - begin)));
	field.place = (guint32)offset;
	if (!split(declaration, &name, &brackets) ||
	    !make_field(declaration, brackets, size, is_signed != 0, long_bytes, &field))
		return;
	field.name = name;
	g_array_append_val(fields, field);
}

/* Returns: (nullable): the text after "print fmt:", which can contain newlines */
static const char *find_print(LttPerfArena *arena, const char *text)
{
	const char *at = strstr(text, PRINT);

	if (at == NULL || strlen(at) > MOST_PRINT_BYTES)
		return NULL;
	return ltt_perf_arena_text(arena, g_strchomp(g_strdup(at + strlen(PRINT))));
}

gboolean ltt_perf_format_parse(LttPerfArena *arena, const char *text, gsize length,
			       guint long_bytes, LttPerfFormat *format)
{
	g_autofree char *copy = g_strndup(text, length);
	g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
	GArray *fields = g_array_new(FALSE, FALSE, sizeof(LttPerfField));
	gboolean has_id = FALSE;

	format->name = NULL;
	format->print = find_print(arena, copy);
	for (guint i = 0; lines[i] != NULL; i++) {
		if (format->name == NULL && g_str_has_prefix(lines[i], "name: "))
			format->name =
				ltt_perf_arena_text(arena, g_strdup(lines[i] + strlen("name: ")));
		else if (!has_id && g_str_has_prefix(lines[i], "ID: "))
			has_id = get_number(lines[i], "ID: ", &format->id);
		else if (lines[i][0] == '\t' && fields->len < MOST_FIELDS)
			parse_field(fields, arena, lines[i], long_bytes);
	}
	format->n_fields = fields->len;
	format->fields = ltt_perf_arena_fields(arena, fields);
	return format->name != NULL && has_id;
}
