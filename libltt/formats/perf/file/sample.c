/* sample.c - the fields of samples, in the order in which the kernel writes them
 * (sample-priv.h). */
#include "formats/perf/file/sample-priv.h"

#include "formats/perf/file/number-parts-priv.h"
#include "formats/perf/file/perf-priv.h"

/* Bits of branch_sample_type. */
enum {
	BRANCH_HW_INDEX = 17,
	BRANCH_COUNTERS = 19,
};

static const LttPerfField octets[] = {{.name = "octet", .kind = LTT_PERF_HEX, .width = 1}};
static const LttPerfField addresses[] = {{.name = "ip", .kind = LTT_PERF_HEX, .width = 8}};
static const LttPerfField counters[] = {{.name = "counter", .kind = LTT_PERF_HEX, .width = 8}};

static const LttPerfField weight_little[] = {
	{.name = "var1_dw", .kind = LTT_PERF_UINT, .width = 4},
	{.name = "var2_w", .kind = LTT_PERF_UINT, .width = 2},
	{.name = "var3_w", .kind = LTT_PERF_UINT, .width = 2},
};

static const LttPerfField weight_big[] = {
	{.name = "var3_w", .kind = LTT_PERF_UINT, .width = 2},
	{.name = "var2_w", .kind = LTT_PERF_UINT, .width = 2},
	{.name = "var1_dw", .kind = LTT_PERF_UINT, .width = 4},
};

static void add(GArray *fields, LttPerfField field)
{
	g_array_append_val(fields, field);
}

static void add_number(GArray *fields, const char *name, LttPerfKind kind, guint8 width)
{
	add(fields, (LttPerfField){.name = name, .kind = kind, .width = width});
}

static void add_sequence(GArray *fields, const char *name, guint8 width,
			 const LttPerfField *members, guint n_members)
{
	add(fields, (LttPerfField){.name = name,
				   .kind = LTT_PERF_SEQUENCE,
				   .width = width,
				   .members = members,
				   .n_members = n_members});
}

/* Adds the fields of a word of 8 bytes, which are the same in samples and in a sample_id. */
static void add_word(GArray *fields, guint bit)
{
	switch (bit) {
	case LTT_PERF_TID:
		add_number(fields, "pid", LTT_PERF_INT, 4);
		add_number(fields, "tid", LTT_PERF_INT, 4);
		break;
	case LTT_PERF_TIME:
		add_number(fields, "time", LTT_PERF_UINT, 8);
		break;
	case LTT_PERF_ID:
		add_number(fields, "id", LTT_PERF_UINT, 8);
		break;
	case LTT_PERF_STREAM_ID:
		add_number(fields, "stream_id", LTT_PERF_UINT, 8);
		break;
	case LTT_PERF_CPU:
		add_number(fields, "cpu", LTT_PERF_UINT, 4);
		add_number(fields, "cpu_reserved", LTT_PERF_UINT, 4);
		break;
	default:
		add_number(fields, "identifier", LTT_PERF_UINT, 8);
		break;
	}
}

/* ---- parts with variable fields ---- */

static void add_read(GArray *fields, LttPerfArena *arena, guint64 format)
{
	const gboolean is_group = (format & LTT_PERF_BIT(LTT_PERF_READ_GROUP)) != 0;
	GArray *members = g_array_new(FALSE, FALSE, sizeof(LttPerfField));
	LttPerfField read = {.name = "read", .kind = LTT_PERF_STRUCT};

	if (!is_group)
		add_number(members, "value", LTT_PERF_UINT, 8);
	if ((format & LTT_PERF_BIT(LTT_PERF_READ_ENABLED)) != 0)
		add_number(members, "time_enabled", LTT_PERF_UINT, 8);
	if ((format & LTT_PERF_BIT(LTT_PERF_READ_RUNNING)) != 0)
		add_number(members, "time_running", LTT_PERF_UINT, 8);
	if (is_group) {
		read.kind = members->len > 0 ? LTT_PERF_BEHIND : LTT_PERF_SEQUENCE;
		read.width = 8;
		read.n = members->len;
		add_number(members, "value", LTT_PERF_UINT, 8);
	}
	if ((format & LTT_PERF_BIT(LTT_PERF_READ_ID)) != 0)
		add_number(members, "id", LTT_PERF_UINT, 8);
	if ((format & LTT_PERF_BIT(LTT_PERF_READ_LOST)) != 0)
		add_number(members, "lost", LTT_PERF_UINT, 8);
	read.n_members = members->len;
	read.members = ltt_perf_arena_fields(arena, members);
	add(fields, read);
}

static void add_branches(GArray *fields, LttPerfArena *arena, guint64 branch_type,
			 LttByteOrder order)
{
	const gboolean has_index = (branch_type & LTT_PERF_BIT(BRANCH_HW_INDEX)) != 0;
	GArray *members = g_array_new(FALSE, FALSE, sizeof(LttPerfField));
	LttPerfField branches = {.name = "branch_stack",
				 .kind = has_index ? LTT_PERF_BEHIND : LTT_PERF_SEQUENCE,
				 .width = 8,
				 .n = has_index ? 1 : 0};

	if (has_index)
		add_number(members, "hw_idx", LTT_PERF_INT, 8);
	add_number(members, "from", LTT_PERF_HEX, 8);
	add_number(members, "to", LTT_PERF_HEX, 8);
	add(members, ltt_perf_branch_flags(order));
	branches.n_members = members->len;
	branches.members = ltt_perf_arena_fields(arena, members);
	add(fields, branches);
	if ((branch_type & LTT_PERF_BIT(BRANCH_COUNTERS)) != 0)
		add(fields, (LttPerfField){.name = "branch_counters",
					   .kind = LTT_PERF_AGAIN,
					   .members = counters,
					   .n_members = G_N_ELEMENTS(counters)});
}

static void add_registers(GArray *fields, LttPerfArena *arena, const char *name,
			  const char *machine, guint64 mask)
{
	static const char *const abis[] = {"none", "abi_32", "abi_64"};
	GArray *registers = g_array_new(FALSE, FALSE, sizeof(LttPerfField));
	GArray *members = g_array_new(FALSE, FALSE, sizeof(LttPerfField));
	const LttPerfField *elements;
	guint n_registers;

	for (guint bit = 0; bit < 64; bit++)
		if ((mask & LTT_PERF_BIT(bit)) != 0)
			add_number(registers,
				   ltt_perf_arena_text(arena, ltt_perf_register_name(machine, bit)),
				   LTT_PERF_HEX, 8);
	n_registers = registers->len;
	elements = ltt_perf_arena_fields(arena, registers);
	for (guint i = 0; i < G_N_ELEMENTS(abis); i++)
		add(members, (LttPerfField){.name = abis[i],
					    .kind = LTT_PERF_STRUCT,
					    .members = elements,
					    .n_members = i > 0 ? n_registers : 0});
	add(fields, (LttPerfField){.name = name,
				   .kind = LTT_PERF_UNION,
				   .width = 8,
				   .members = ltt_perf_arena_fields(arena, members),
				   .n_members = G_N_ELEMENTS(abis)});
}

static void add_raw(GArray *fields, const LttPerfField *trace, guint n_trace)
{
	if (trace != NULL)
		add(fields,
		    (LttPerfField){.kind = LTT_PERF_TRACE, .members = trace, .n_members = n_trace});
	else
		add_sequence(fields, "raw", 4, octets, G_N_ELEMENTS(octets));
}

const LttPerfField *ltt_perf_sample_fields(LttPerfArena *arena, const LttPerfAttr *attr,
					   LttByteOrder order, const char *machine,
					   const LttPerfField *trace, guint n_trace,
					   guint *n_fields)
{
	static const struct {
		guint8 bit;
		gboolean is_plain; /* one number of 8 bytes with this name and kind */
		const char *name;
		LttPerfKind kind;
	} parts[] = {
		{LTT_PERF_IDENTIFIER, FALSE, NULL, 0},
		{LTT_PERF_IP, TRUE, "ip", LTT_PERF_HEX},
		{LTT_PERF_TID, FALSE, NULL, 0},
		{LTT_PERF_TIME, FALSE, NULL, 0},
		{LTT_PERF_ADDR, TRUE, "addr", LTT_PERF_HEX},
		{LTT_PERF_ID, FALSE, NULL, 0},
		{LTT_PERF_STREAM_ID, FALSE, NULL, 0},
		{LTT_PERF_CPU, FALSE, NULL, 0},
		{LTT_PERF_PERIOD, TRUE, "period", LTT_PERF_UINT},
		{LTT_PERF_READ, FALSE, NULL, 0},
		{LTT_PERF_CALLCHAIN, FALSE, NULL, 0},
		{LTT_PERF_RAW, FALSE, NULL, 0},
		{LTT_PERF_BRANCH_STACK, FALSE, NULL, 0},
		{LTT_PERF_REGS_USER, FALSE, NULL, 0},
		{LTT_PERF_STACK_USER, FALSE, NULL, 0},
		{LTT_PERF_WEIGHT, TRUE, "weight", LTT_PERF_UINT},
		{LTT_PERF_WEIGHT_STRUCT, FALSE, NULL, 0},
		{LTT_PERF_DATA_SRC, FALSE, NULL, 0},
		{LTT_PERF_TRANSACTION, FALSE, NULL, 0},
		{LTT_PERF_REGS_INTR, FALSE, NULL, 0},
		{LTT_PERF_PHYS_ADDR, TRUE, "phys_addr", LTT_PERF_HEX},
		{LTT_PERF_CGROUP, TRUE, "cgroup", LTT_PERF_UINT},
		{LTT_PERF_DATA_PAGE_SIZE, TRUE, "data_page_size", LTT_PERF_HEX},
		{LTT_PERF_CODE_PAGE_SIZE, TRUE, "code_page_size", LTT_PERF_HEX},
		{LTT_PERF_AUX, FALSE, NULL, 0},
	};
	GArray *fields = g_array_new(FALSE, FALSE, sizeof(LttPerfField));
	const LttPerfField *weight = order == LTT_LITTLE_ENDIAN ? weight_little : weight_big;

	for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
		if ((attr->sample_type & LTT_PERF_BIT(parts[i].bit)) == 0)
			continue;
		if (parts[i].is_plain) {
			add_number(fields, parts[i].name, parts[i].kind, 8);
			continue;
		}
		switch (parts[i].bit) {
		case LTT_PERF_READ:
			add_read(fields, arena, attr->read_format);
			break;
		case LTT_PERF_CALLCHAIN:
			add_sequence(fields, "callchain", 8, addresses, G_N_ELEMENTS(addresses));
			break;
		case LTT_PERF_RAW:
			add_raw(fields, trace, n_trace);
			break;
		case LTT_PERF_BRANCH_STACK:
			add_branches(fields, arena, attr->branch_sample_type, order);
			break;
		case LTT_PERF_REGS_USER:
			add_registers(fields, arena, "regs_user", machine, attr->regs_user);
			break;
		case LTT_PERF_STACK_USER:
			add(fields, (LttPerfField){.name = "stack_user", .kind = LTT_PERF_STACK});
			break;
		case LTT_PERF_WEIGHT_STRUCT:
			add(fields, (LttPerfField){.name = "weights",
						   .kind = LTT_PERF_STRUCT,
						   .members = weight,
						   .n_members = G_N_ELEMENTS(weight_little)});
			break;
		case LTT_PERF_DATA_SRC:
			add(fields, ltt_perf_data_src());
			break;
		case LTT_PERF_TRANSACTION:
			add(fields, ltt_perf_transaction());
			break;
		case LTT_PERF_REGS_INTR:
			add_registers(fields, arena, "regs_intr", machine, attr->regs_intr);
			break;
		case LTT_PERF_AUX:
			add_sequence(fields, "aux", 8, octets, G_N_ELEMENTS(octets));
			break;
		default:
			add_word(fields, parts[i].bit);
			break;
		}
	}
	*n_fields = fields->len;
	return ltt_perf_arena_fields(arena, fields);
}

const LttPerfField *ltt_perf_sample_id_fields(LttPerfArena *arena, guint64 sample_type,
					      guint *n_fields)
{
	static const guint8 words[] = {LTT_PERF_TID,       LTT_PERF_TIME, LTT_PERF_ID,
				       LTT_PERF_STREAM_ID, LTT_PERF_CPU,  LTT_PERF_IDENTIFIER};
	GArray *fields = g_array_new(FALSE, FALSE, sizeof(LttPerfField));

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if ((sample_type & LTT_PERF_BIT(words[i])) != 0)
			add_word(fields, words[i]);
	*n_fields = fields->len;
	return ltt_perf_arena_fields(arena, fields);
}

const LttPerfField *ltt_perf_read_fields(LttPerfArena *arena, guint64 read_format, guint *n_fields)
{
	GArray *fields = g_array_new(FALSE, FALSE, sizeof(LttPerfField));

	add_word(fields, LTT_PERF_TID);
	add_read(fields, arena, read_format);
	*n_fields = fields->len;
	return ltt_perf_arena_fields(arena, fields);
}
