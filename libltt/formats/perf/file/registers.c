/* registers.c - names of the registers in samples (sample-priv.h).
 *
 * The numbers are defined in <asm/perf_regs.h> of each architecture. The names are those that perf
 * prints, in lower case.
 */
#include "formats/perf/file/sample-priv.h"

/* The names of n consecutive registers: either a prefix and a number, or a list of names. */
typedef struct Row {
	guint first_bit;
	guint n;
	const char *prefix; /* "r": r0, r1 ... */
	guint first_number;
	const char *const *names;
} Row;

#define NUMBERED(bit, count, name, number)                                                         \
	{                                                                                          \
		.first_bit = (bit), .n = (count), .prefix = (name), .first_number = (number)       \
	}
#define NAMED(bit, list)                                                                           \
	{                                                                                          \
		.first_bit = (bit), .n = G_N_ELEMENTS(list), .names = (list)                       \
	}

static const char *const x86_names[] = {"ax", "bx",    "cx", "dx", "si", "di", "bp", "sp",
					"ip", "flags", "cs", "ss", "ds", "es", "fs", "gs"};
static const Row x86[] = {NAMED(0, x86_names), NUMBERED(16, 8, "r", 8)};

static const char *const arm_names[] = {"fp", "ip", "sp", "lr", "pc"};
static const Row arm[] = {NUMBERED(0, 11, "r", 0), NAMED(11, arm_names)};

static const char *const arm64_names[] = {"lr", "sp", "pc"};
static const char *const arm64_vector[] = {"vg"};
static const Row arm64[] = {NUMBERED(0, 30, "x", 0), NAMED(30, arm64_names),
			    NAMED(46, arm64_vector)};

static const char *const s390_names[] = {"mask", "pc"};
static const Row s390[] = {NUMBERED(0, 16, "r", 0), NUMBERED(16, 16, "fp", 0),
			   NAMED(32, s390_names)};

static const char *const powerpc_names[] = {
	"nip",   "msr",   "orig_r3", "ctr",   "link",  "xer",   "ccr",   "softe", "trap",
	"dar",   "dsisr", "sier",    "mmcra", "mmcr0", "mmcr1", "mmcr2", "mmcr3", "sier2",
	"sier3", "pmc1",  "pmc2",    "pmc3",  "pmc4",  "pmc5",  "pmc6",  "sdar",  "siar"};
static const Row powerpc[] = {NUMBERED(0, 32, "r", 0), NAMED(32, powerpc_names)};

static const char *const riscv_names[] = {"pc", "ra", "sp", "gp", "tp",
					  "t0", "t1", "t2", "s0", "s1"};
static const Row riscv[] = {NAMED(0, riscv_names), NUMBERED(10, 8, "a", 0),
			    NUMBERED(18, 10, "s", 2), NUMBERED(28, 4, "t", 3)};

static const char *const pc_name[] = {"pc"};
static const Row loongarch[] = {NAMED(0, pc_name), NUMBERED(1, 31, "r", 1)};
/* Registers 26 and 27 are reserved for the kernel. */
static const Row mips[] = {NAMED(0, pc_name), NUMBERED(1, 25, "r", 1), NUMBERED(26, 4, "r", 28)};

static const char *const csky_names[] = {"tls", "lr", "pc", "sr", "sp", "orig_a0"};
static const char *const csky_last[] = {"hi", "lo", "dcsr"};
static const Row csky[] = {NAMED(0, csky_names), NUMBERED(6, 4, "a", 0),
			   NUMBERED(10, 10, "regs", 0), NUMBERED(20, 15, "exregs", 0),
			   NAMED(35, csky_last)};

#define MACHINE(pattern, rows)                                                                     \
	{                                                                                          \
		pattern, rows, G_N_ELEMENTS(rows)                                                  \
	}

/* The first pattern that matches is used. */
static const struct {
	const char *pattern;
	const Row *rows;
	guint n_rows;
} machines[] = {
	MACHINE("x86_64", x86),           MACHINE("i?86", x86),         MACHINE("aarch64*", arm64),
	MACHINE("arm64*", arm64),         MACHINE("arm*", arm),         MACHINE("s390*", s390),
	MACHINE("ppc*", powerpc),         MACHINE("powerpc*", powerpc), MACHINE("riscv*", riscv),
	MACHINE("loongarch*", loongarch), MACHINE("mips*", mips),       MACHINE("csky*", csky),
};

/* Vector registers of x86 take two bits each. */
#define X86_FIRST_VECTOR 32

static char *name_in_rows(const Row *rows, guint n_rows, guint bit)
{
	for (guint i = 0; i < n_rows; i++) {
		const Row *row = &rows[i];

		if (bit < row->first_bit || bit - row->first_bit >= row->n)
			continue;
		if (row->names != NULL)
			return g_strdup(row->names[bit - row->first_bit]);
		return g_strdup_printf("%s%u", row->prefix,
				       row->first_number + bit - row->first_bit);
	}
	return g_strdup_printf("reg%u", bit);
}

char *ltt_perf_register_name(const char *machine, guint bit)
{
	/* GLib's pattern matching requires valid UTF-8. */
	const gboolean is_named = machine != NULL && g_str_is_ascii(machine);

	for (guint i = 0; is_named && i < G_N_ELEMENTS(machines); i++) {
		if (!g_pattern_match_simple(machines[i].pattern, machine))
			continue;
		if (machines[i].rows == x86 && bit >= X86_FIRST_VECTOR)
			return g_strdup_printf("xmm%u_%u", (bit - X86_FIRST_VECTOR) / 2, bit % 2);
		return name_in_rows(machines[i].rows, machines[i].n_rows, bit);
	}
	return g_strdup_printf("r%u", bit);
}
