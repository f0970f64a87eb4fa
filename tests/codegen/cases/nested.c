/* Structs, arrays, sequences and unions in one another, through names and without. */
#include "nested.h"

static const struct nested_point points[3] = {{1, 2}, {3, 4}, {-1, -2}};

static void trace_structs(void)
{
	struct nested_structs_box box;

	box.low = points[0];
	box.high = points[1];
	box.kind = nested_structs_box_kind_EMPTY;
	for (uint16_t i = 0; i < 6; i++)
		box.grid[i / 3][i % 3] = i;
	trace_nested_structs(&points[2], &box, points);
}

static void trace_lists(void)
{
	const float numbers[2] = {0.5f, 1.0f};
	const char *names[3] = {"one", NULL, "three"};
	const struct nested_row_sequence rows[2] = {{2, points}, {0, NULL}};
	const uint8_t pairs[2][2] = {{1, 2}, {3, 4}};
	const char *two[2] = {"", "x"};
	const uint8_t bytes[3] = {0xaa, 0xbb, 0xcc};
	const struct nested_lists_matrix_sequence lines[2] = {{3, bytes}, {1, bytes}};
	const struct nested_lists_matrix_sequence_2 matrix[2] = {{1, lines}, {2, lines}};

	trace_nested_lists(3, points, 2, numbers, 3, names, 2, rows, 2, pairs, two, matrix);
	trace_nested_lists(0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, two, matrix);
}

static void trace_unions(void)
{
	const uint16_t list[2] = {0x1234, 0x5678};
	struct nested_value values[5];
	struct nested_unions_deep deep;

	memset(values, 0, sizeof(values));
	values[0].code = nested_value_code_number;
	values[0].u.number = -9;
	values[1].code = nested_value_code_text;
	values[1].u.text = "word";
	values[2].code = nested_value_code_list;
	values[2].u.list.length = 2;
	values[2].u.list.items = list;
	values[3].code = nested_value_code_corners;
	memcpy(values[3].u.corners, points, 2 * sizeof(points[0]));
	values[4].code = 4;
	deep.inner.code = 0;
	deep.inner.u.value = values[1];
	trace_nested_unions(0x77, &values[0], 5, values, &deep);
	deep.inner.code = 1;
	deep.inner.u.pair.a = 9;
	deep.inner.u.pair.b.length = 3;
	deep.inner.u.pair.b.items = (const uint8_t *)"abc";
	trace_nested_unions(0x77, &values[4], 0, NULL, &deep);
	for (int i = 0; i < 5; i++)
		trace_nested_alone(&values[i]);
}

int main(void)
{
	const int8_t cube[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};

	trace_structs();
	trace_lists();
	trace_unions();
	trace_nested_same(5, 6);
	trace_nested_list(2, points);
	trace_nested_cube(cube);
	trace_nested_text("text");
	trace_nested_text(NULL);
	return 0;
}
