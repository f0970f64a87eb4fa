/* packed.c - generate a packed struct of values of constant size.
 *
 * A packed struct leaves the packing to the compiler: sizes and offsets are constant, and a few
 * small fields never reach memory. Enums have their size in the trace, structs have no padding, and
 * values that take no bytes are left out.
 */
#include "codegen/packed-priv.h"

#include "codegen/declare-priv.h"

typedef struct Piece {
	const char *name;
	const LttCType *type; /* NULL: an unsigned number of @width */
	LttWidth width;
	LttFrom from;
} Piece;

static void clear_piece(gpointer data)
{
	g_free(((Piece *)data)->from.text);
}

char *ltt_from_member(const LttFrom *from, const char *name)
{
	return g_strconcat(from->text, from->is_pointer ? "->" : ".", name, NULL);
}

char *ltt_from_element(const LttFrom *from, const char *index)
{
	return g_strconcat(from->text, "[", index, "]", NULL);
}

LttPacked *ltt_packed_new(void)
{
	LttPacked *packed = g_new0(LttPacked, 1);

	packed->pieces = g_array_new(FALSE, FALSE, sizeof(Piece));
	g_array_set_clear_func(packed->pieces, clear_piece);
	packed->names = ltt_names_new(LTT_NAMES_INSIDE);
	return packed;
}

void ltt_packed_free(LttPacked *packed)
{
	if (packed == NULL)
		return;
	g_array_unref(packed->pieces);
	ltt_names_free(packed->names);
	g_free(packed);
}

void ltt_packed_add(LttPacked *packed, const char *name, const LttCType *type, const LttFrom *from)
{
	Piece piece = {.type = type};

	g_assert(type->wire_bytes != LTT_WIRE_VARIES);
	if (type->wire_bytes == 0)
		return;
	piece.name = ltt_names_claim(packed->names, name);
	piece.from = (LttFrom){.text = g_strdup(from->text), .is_pointer = from->is_pointer};
	g_array_append_val(packed->pieces, piece);
	packed->wire_bytes += type->wire_bytes;
}

void ltt_packed_add_uint(LttPacked *packed, const char *name, LttWidth width, const char *variable)
{
	Piece piece = {.width = width};

	piece.name = ltt_names_claim(packed->names, name);
	piece.from.text = g_strdup(variable);
	g_array_append_val(packed->pieces, piece);
	packed->wire_bytes += 8;
}

gboolean ltt_packed_is_empty(const LttPacked *packed)
{
	return packed->pieces->len == 0;
}

const char *ltt_packed_get_plain(const LttPacked *packed)
{
	const Piece *piece = &g_array_index(packed->pieces, Piece, 0);

	if (packed->pieces->len != 1)
		return NULL;
	if (piece->type != NULL && (!piece->type->is_plain || piece->type->kind == LTT_ARRAY))
		return NULL;
	return piece->from.text;
}

/* ---- the declaration ---- */

static void declare(LttText *text, const LttCType *type, const char *declarator)
{
	if (type->wire_bytes == 0)
		return;
	if (type->kind == LTT_ARRAY) {
		g_autofree char *element = g_strdup_printf("%s[%" G_GUINT64_FORMAT "]", declarator,
							   ltt_type_get_n_elements(type->type));

		declare(text, type->element, element);
	} else if (type->kind == LTT_STRUCT) {
		ltt_text_open(text, "struct {");
		for (guint i = 0; i < ltt_ctype_n_members(type) && !text->is_full; i++) {
			const LttCMember *member = ltt_ctype_member(type, i);

			declare(text, member->type, member->name);
		}
		ltt_text_close(text, "} __attribute__((packed)) %s;", declarator);
	} else if (type->kind == LTT_ENUM) {
		ltt_text_line(text, "%s %s;",
			      ltt_c_integer(ltt_type_get_width(type->type),
					    ltt_type_is_signed(type->type)),
			      declarator);
	} else {
		g_autofree char *declaration = ltt_c_declaration(type, declarator, FALSE);

		ltt_text_line(text, "%s;", declaration);
	}
}

static void declare_piece(LttText *text, const Piece *piece, const char *name)
{
	if (piece->type == NULL)
		ltt_text_line(text, "%s %s;", ltt_c_integer(piece->width, FALSE), name);
	else
		declare(text, piece->type, name);
}

void ltt_packed_declare(LttText *text, const LttPacked *packed, const char *variable)
{
	if (packed->pieces->len == 1) {
		declare_piece(text, &g_array_index(packed->pieces, Piece, 0), variable);
		return;
	}
	ltt_text_open(text, "struct {");
	for (guint i = 0; i < packed->pieces->len; i++) {
		const Piece *piece = &g_array_index(packed->pieces, Piece, i);

		declare_piece(text, piece, piece->name);
	}
	ltt_text_close(text, "} __attribute__((packed)) %s;", variable);
}

/* ---- the statements ---- */

static void fill(LttText *text, const LttCType *type, const char *to, const LttFrom *from,
		 guint n_loops);

static void fill_enum(LttText *text, const LttCType *type, const char *to, const LttFrom *from)
{
	const char *integer =
		ltt_c_integer(ltt_type_get_width(type->type), ltt_type_is_signed(type->type));
	g_autofree char *value = g_strdup_printf("(%s)%s", integer, from->text);

	ltt_text_assign(text, to, value);
}

static void fill_array(LttText *text, const LttCType *type, const char *to, const LttFrom *from,
		       guint n_loops)
{
	g_autofree char *index = g_strdup_printf("ltt_k%u", n_loops + 1);
	g_autofree char *condition = g_strdup_printf("%s < %" G_GUINT64_FORMAT, index,
						     ltt_type_get_n_elements(type->type));
	g_autofree char *to_element = g_strconcat(to, "[", index, "]", NULL);
	const LttFrom from_element = {.text = ltt_from_element(from, index)};

	ltt_text_loop(text, index, condition);
	fill(text, type->element, to_element, &from_element, n_loops + 1);
	ltt_text_close(text, "}");
	g_free(from_element.text);
}

static void fill_struct(LttText *text, const LttCType *type, const char *to, const LttFrom *from,
			guint n_loops)
{
	for (guint i = 0; i < ltt_ctype_n_members(type); i++) {
		const LttCMember *member = ltt_ctype_member(type, i);
		g_autofree char *to_member = g_strconcat(to, ".", member->name, NULL);
		const LttFrom from_member = {.text = ltt_from_member(from, member->name)};

		fill(text, member->type, to_member, &from_member, n_loops);
		g_free(from_member.text);
	}
}

static void fill(LttText *text, const LttCType *type, const char *to, const LttFrom *from,
		 guint n_loops)
{
	if (type->wire_bytes == 0 || text->is_full)
		return;
	if (type->kind == LTT_STRUCT)
		fill_struct(text, type, to, from, n_loops);
	else if (type->kind == LTT_ENUM)
		fill_enum(text, type, to, from);
	else if (type->kind != LTT_ARRAY)
		ltt_text_assign(text, to, from->text);
	else if (type->is_plain)
		ltt_text_line(text, "memcpy(%s, %s, sizeof(%s));", to, from->text, to);
	else
		fill_array(text, type, to, from, n_loops);
}

static void fill_piece(LttText *text, const Piece *piece, const char *to)
{
	if (piece->type == NULL)
		ltt_text_assign(text, to, piece->from.text);
	else
		fill(text, piece->type, to, &piece->from, 0);
}

void ltt_packed_fill(LttText *text, const LttPacked *packed, const char *variable)
{
	if (packed->pieces->len == 1) {
		fill_piece(text, &g_array_index(packed->pieces, Piece, 0), variable);
		return;
	}
	for (guint i = 0; i < packed->pieces->len; i++) {
		const Piece *piece = &g_array_index(packed->pieces, Piece, i);
		g_autofree char *to = g_strconcat(variable, ".", piece->name, NULL);

		fill_piece(text, piece, to);
	}
}
