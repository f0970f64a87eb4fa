/* Names of registers: those of each architecture, all different. */
#include "unit.h"

#include "formats/perf/file/sample-priv.h"

static void check_register(const char *machine, guint bit, const char *expected)
{
	g_autofree char *name = ltt_perf_register_name(machine, bit);

	UNIT_ASSERT_TEXT(name, expected);
}

static void test_registers(void)
{
	check_register("x86_64", 0, "ax");
	check_register("x86_64", 8, "ip");
	check_register("i686", 15, "gs");
	check_register("x86_64", 23, "r15");
	check_register("x86_64", 35, "xmm1_1");
	check_register("aarch64", 29, "x29");
	check_register("aarch64", 31, "sp");
	check_register("arm64", 46, "vg");
	check_register("armv7l", 10, "r10");
	check_register("armv7l", 13, "sp");
	check_register("armv7l", 15, "pc");
	check_register("s390x", 16, "fp0");
	check_register("s390x", 33, "pc");
	check_register("ppc64le", 31, "r31");
	check_register("ppc64le", 32, "nip");
	check_register("ppc64le", 58, "siar");
	check_register("riscv64", 2, "sp");
	check_register("riscv64", 17, "a7");
	check_register("riscv64", 27, "s11");
	check_register("riscv64", 31, "t6");
	check_register("loongarch64", 3, "r3");
	check_register("mips64", 0, "pc");
	check_register("mips64", 29, "r31");
	check_register("csky", 35, "hi");
	check_register("sparc64", 5, "r5");
	check_register("riscv64", 40, "reg40");
	check_register(NULL, 40, "r40");
}

/* Register names become field names, so they must be unique. */
static void test_registers_are_told_apart(void)
{
	static const char *const machines[] = {"x86_64", "aarch64", "armv7l", "s390x",
					       "ppc64",  "riscv64", "mips",   "loongarch64",
					       "csky",   "vax"};

	for (guint i = 0; i < G_N_ELEMENTS(machines); i++) {
		g_autoptr(GHashTable) names =
			g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

		for (guint bit = 0; bit < 64; bit++)
			CU_ASSERT_TRUE(
				g_hash_table_add(names, ltt_perf_register_name(machines[i], bit)));
	}
}

UNIT_MAIN("perf-registers", UNIT(test_registers), UNIT(test_registers_are_told_apart))
