/* programs.c - pack a BPF program (programs-priv.h).
 *
 * The numbers of a program come first. The arrays follow, each with a preceding count.
 */
#include "formats/perf/file/programs-priv.h"

#include "base/bytes-priv.h"

/* Offsets of numbers in struct bpf_prog_info. */
enum {
	AT_TYPE = 0,
	AT_ID = 4,
	AT_TAG = 8,
	AT_JITED_BYTES = 16,
	AT_XLATED_BYTES = 20,
	AT_JITED = 24,
	AT_XLATED = 32,
	AT_LOAD_TIME = 40,
	AT_UID = 48,
	AT_N_MAP_IDS = 52,
	AT_MAP_IDS = 56,
	AT_NAME = 64,
	AT_IFINDEX = 80,
	AT_GPL = 84,
	AT_NETNS_DEV = 88,
	AT_NETNS_INO = 96,
	AT_N_KSYMS = 104,
	AT_N_FUNC_LENS = 108,
	AT_KSYMS = 112,
	AT_FUNC_LENS = 120,
	AT_BTF_ID = 128,
	AT_FUNC_INFO_BYTES = 132,
	AT_FUNC_INFO = 136,
	AT_N_FUNC_INFO = 144,
	AT_N_LINE_INFO = 148,
	AT_LINE_INFO = 152,
	AT_JITED_LINE_INFO = 160,
	AT_N_JITED_LINE_INFO = 168,
	AT_LINE_INFO_BYTES = 172,
	AT_JITED_LINE_INFO_BYTES = 176,
	AT_N_TAGS = 180,
	AT_TAGS = 184,
	AT_RUN_TIME = 192,
	AT_RUN_COUNT = 200,
	AT_MISSES = 208,
	AT_VERIFIED = 216,
	AT_ATTACH_OBJECT = 220,
	AT_ATTACH_ID = 224,
};

#define TAG_BYTES  8
#define NAME_BYTES 16

typedef struct Program {
	const guint8 *info;
	gsize info_bytes;
	const guint8 *data;
	gsize data_bytes;
	guint64 arrays;
	LttByteOrder order;
	GByteArray *out;
	LttPerfFault *fault;
} Program;

/* Numbers in the order of the packed event. */
static const struct {
	guint at;
	guint width;
} numbers[] = {
	{AT_JITED_BYTES, 4}, {AT_XLATED_BYTES, 4},  {AT_LOAD_TIME, 8}, {AT_UID, 4},
	{AT_IFINDEX, 4},     {AT_NETNS_DEV, 8},     {AT_NETNS_INO, 8}, {AT_N_MAP_IDS, 4},
	{AT_BTF_ID, 4},      {AT_RUN_TIME, 8},      {AT_RUN_COUNT, 8}, {AT_MISSES, 8},
	{AT_VERIFIED, 4},    {AT_ATTACH_OBJECT, 4}, {AT_ATTACH_ID, 4},
};

/* Arrays in the order of the packed event. */
static const struct {
	guint8 bit;        /* in the bit set of the head */
	guint8 at;         /* offset of the array's offset */
	guint8 n_at;       /* offset of the number of items */
	guint8 bytes_at;   /* offset of the size of an item; 0: the size is item_bytes */
	guint8 item_bytes; /* number of bytes of an item that are packed */
	const char *name;
} arrays[] = {
	{2, AT_MAP_IDS, AT_N_MAP_IDS, 0, 4, "map_ids"},
	{3, AT_KSYMS, AT_N_KSYMS, 0, 8, "jited_ksyms"},
	{4, AT_FUNC_LENS, AT_N_FUNC_LENS, 0, 4, "jited_func_lens"},
	{8, AT_TAGS, AT_N_TAGS, 0, TAG_BYTES, "prog_tags"},
	{5, AT_FUNC_INFO, AT_N_FUNC_INFO, AT_FUNC_INFO_BYTES, 8, "func_info"},
	{6, AT_LINE_INFO, AT_N_LINE_INFO, AT_LINE_INFO_BYTES, 16, "line_info"},
	{7, AT_JITED_LINE_INFO, AT_N_JITED_LINE_INFO, AT_JITED_LINE_INFO_BYTES, 8,
	 "jited_line_info"},
	{1, AT_XLATED, AT_XLATED_BYTES, 0, 1, "xlated_prog_insns"},
	{0, AT_JITED, AT_JITED_BYTES, 0, 1, "jited_prog_insns"},
};

static guint64 get(const Program *program, gsize at, guint width)
{
	if (at + width > program->info_bytes)
		return 0;
	return ltt_load_uint(program->info + at, width, program->order);
}

static void put(const Program *program, guint width, guint64 value)
{
	guint8 bytes[sizeof(value)];

	ltt_store_uint(bytes, width, value, program->order);
	g_byte_array_append(program->out, bytes, width);
}

/* Appends bytes of the info. Bytes after its end, in an old recording, are 0. @is_text: stop at a
 * NUL */
static void put_bytes(const Program *program, gsize at, guint n_bytes, gboolean is_text)
{
	for (guint i = 0; i < n_bytes; i++) {
		const guint64 byte = get(program, at + i, 1);

		if (is_text && byte == 0)
			break;
		put(program, 1, byte);
	}
	if (is_text)
		put(program, 1, 0);
}

static gboolean fail(const Program *program, const char *array, gsize info_at, const char *why)
{
	*program->fault = (LttPerfFault){
		.byte = LTT_PERF_PROGRAM_HEAD_BYTES + info_at, .field = array, .why = why};
	return FALSE;
}

static gboolean put_array(const Program *program, guint number, guint most_bytes)
{
	const guint64 at = get(program, arrays[number].at, 8);
	const guint64 n = get(program, arrays[number].n_at, 4);
	const guint item_bytes = arrays[number].item_bytes;
	const guint64 told_bytes = arrays[number].bytes_at != 0
					   ? get(program, arrays[number].bytes_at, 4)
					   : item_bytes;
	const gboolean is_there = (program->arrays >> arrays[number].bit & 1) != 0 && n > 0;

	if (is_there && told_bytes < item_bytes)
		return fail(program, arrays[number].name, arrays[number].bytes_at,
			    "its items are smaller than in any kernel");
	if (is_there && (at > program->data_bytes || n * told_bytes > program->data_bytes - at))
		return fail(program, arrays[number].name, arrays[number].at,
			    "it lies outside of the data");
	if (!is_there || n * item_bytes + program->out->len > most_bytes) {
		put(program, sizeof(guint32), 0);
		return TRUE;
	}
	put(program, sizeof(guint32), n);
	for (guint64 i = 0; i < n; i++)
		g_byte_array_append(program->out, program->data + at + i * told_bytes, item_bytes);
	return TRUE;
}

/* Reads the first C bit-field of a word. On big-endian machines, it is the most significant bit. */
static guint64 is_gpl_compatible(const Program *program)
{
	return get(program, AT_GPL, 4) >> (program->order == LTT_LITTLE_ENDIAN ? 0 : 31) & 1;
}

guint64 ltt_perf_program_get_size(const guint8 head[LTT_PERF_PROGRAM_HEAD_BYTES],
				  LttByteOrder order)
{
	return LTT_PERF_PROGRAM_HEAD_BYTES + (guint64)ltt_load_u32(head, order) +
	       ltt_load_u32(head + 4, order);
}

gboolean ltt_perf_program_pack(const guint8 *program, gsize program_bytes, LttByteOrder order,
			       guint most_bytes, GByteArray *out, LttPerfFault *fault)
{
	const guint before = out->len;
	Program reader = {.info = program + LTT_PERF_PROGRAM_HEAD_BYTES,
			  .info_bytes = ltt_load_u32(program, order),
			  .arrays = ltt_load_u64(program + 8, order),
			  .order = order,
			  .out = out,
			  .fault = fault};

	g_return_val_if_fail(ltt_perf_program_get_size(program, order) == program_bytes, FALSE);
	reader.data = reader.info + reader.info_bytes;
	reader.data_bytes = ltt_load_u32(program + 4, order);
	put(&reader, 4, get(&reader, AT_TYPE, 4));
	put(&reader, 4, get(&reader, AT_ID, 4));
	put_bytes(&reader, AT_TAG, TAG_BYTES, FALSE);
	put_bytes(&reader, AT_NAME, NAME_BYTES, TRUE);
	put(&reader, 1, is_gpl_compatible(&reader));
	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
		put(&reader, numbers[i].width, get(&reader, numbers[i].at, numbers[i].width));
	for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
		if (!put_array(&reader, i, most_bytes)) {
			g_byte_array_set_size(out, before);
			return FALSE;
		}
	return TRUE;
}
