/* sample-words.c - bit-fields of the numbers in samples: branch flags, data source, transaction
 * (number-parts-priv.h).
 *
 * The names are those of <linux/perf_event.h> without their common prefix.
 */
#include "formats/perf/file/number-parts-priv.h"

#define WORD_BITS 64

#define NUMBER(part, at, bits, bytes)                                                              \
	{                                                                                          \
		.name = (part), .kind = LTT_PERF_UINT, .width = (bytes), .n = (bits),              \
		.place = (at)                                                                      \
	}
#define REST(part, at, bits, bytes)                                                                \
	{                                                                                          \
		.name = (part), .kind = LTT_PERF_HEX, .width = (bytes), .n = (bits), .place = (at) \
	}
#define LABEL(part, at, bits, list)                                                                \
	{                                                                                          \
		.name = (part), .kind = LTT_PERF_LABEL, .width = 1, .n = (bits), .place = (at),    \
		.labels = (list), .n_labels = G_N_ELEMENTS(list)                                   \
	}
#define SET(part, at, bits, list)                                                                  \
	{                                                                                          \
		.name = (part), .kind = LTT_PERF_SET, .width = 1, .n = (bits), .place = (at),      \
		.labels = (list), .n_labels = G_N_ELEMENTS(list)                                   \
	}
#define PARTS(part, list)                                                                          \
	{                                                                                          \
		.name = (part), .kind = LTT_PERF_PARTS, .n_members = G_N_ELEMENTS(list),           \
		.members = (list)                                                                  \
	}

/* ---- branches ---- */

static const char *const branch_types[] = {
	"UNKNOWN", "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
	"SYSRET",  "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX", "EXTEND_ABI"};
static const char *const speculations[] = {"NA", "WRONG_PATH", "NON_SPEC_CORRECT_PATH",
					   "SPEC_CORRECT_PATH"};
static const char *const privileges[] = {"UNKNOWN", "USER", "KERNEL", "HV"};

/* new_type is valid if type is EXTEND_ABI. The meaning of its values depends on the
 * architecture. */
#define BRANCH_PARTS(AT)                                                                           \
	NUMBER("mispred", AT(0, 1), 1, 1), NUMBER("predicted", AT(1, 1), 1, 1),                    \
		NUMBER("in_tx", AT(2, 1), 1, 1), NUMBER("abort", AT(3, 1), 1, 1),                  \
		NUMBER("cycles", AT(4, 16), 16, 2), LABEL("type", AT(20, 4), 4, branch_types),     \
		LABEL("spec", AT(24, 2), 2, speculations), NUMBER("new_type", AT(26, 4), 4, 1),    \
		LABEL("priv", AT(30, 3), 3, privileges), REST("reserved", AT(33, 31), 31, 4)
#define FROM_LOW(at, bits)  (at)
#define FROM_HIGH(at, bits) (WORD_BITS - (at) - (bits))

static const LttPerfField branch_little[] = {BRANCH_PARTS(FROM_LOW)};
static const LttPerfField branch_big[] = {BRANCH_PARTS(FROM_HIGH)};

LttPerfField ltt_perf_branch_flags(LttByteOrder order)
{
	return order == LTT_LITTLE_ENDIAN ? (LttPerfField)PARTS("flags", branch_little)
					  : (LttPerfField)PARTS("flags", branch_big);
}

/* ---- data sources ---- */

static const char *const operations[] = {"NA", "LOAD", "STORE", "PFETCH", "EXEC"};
static const char *const levels[] = {"NA",       "HIT",      "MISS",    "L1",       "LFB",
				     "L2",       "L3",       "LOC_RAM", "REM_RAM1", "REM_RAM2",
				     "REM_CCE1", "REM_CCE2", "IO",      "UNC"};
static const char *const snoops[] = {"NA", "NONE", "HIT", "MISS", "HITM"};
static const char *const locks[] = {"NA", "LOCKED"};
static const char *const tlbs[] = {"NA", "HIT", "MISS", "L1", "L2", "WK", "OS"};
static const char *const level_numbers[] = {"UNKNOWN", "L1",  "L2",   "L3",  "L4", "L2_MHB",
					    "MSC",     "L0",  "UNC",  "CXL", "IO", "ANY_CACHE",
					    "LFB",     "RAM", "PMEM", "NA"};
static const char *const more_snoops[] = {"FWD", "PEER"};
static const char *const blocks[] = {"NA", "DATA", "ADDR"};
static const char *const hops[] = {"NONE", "HOPS_0", "HOPS_1", "HOPS_2", "HOPS_3"};
static const char *const regions[] = {
	"NA",   "RSVD", "L_SHARE", "L_NON_SHARE", "O_IO", "O_SHARE", "O_NON_SHARE", "MMIO",
	"MEM0", "MEM1", "MEM2",    "MEM3",        "MEM4", "MEM5",    "MEM6",        "MEM7"};

static const LttPerfField data_src[] = {
	SET("op", 0, 5, operations),     SET("lvl", 5, 14, levels),
	SET("snoop", 19, 5, snoops),     SET("lock", 24, 2, locks),
	SET("dtlb", 26, 7, tlbs),        LABEL("lvl_num", 33, 4, level_numbers),
	NUMBER("remote", 37, 1, 1),      SET("snoopx", 38, 2, more_snoops),
	SET("blk", 40, 3, blocks),       LABEL("hops", 43, 3, hops),
	LABEL("region", 46, 5, regions), REST("reserved", 51, 13, 2),
};

LttPerfField ltt_perf_data_src(void)
{
	return (LttPerfField)PARTS("data_src", data_src);
}

/* ---- transactions ---- */

static const char *const transaction_bits[] = {"ELISION",        "TRANSACTION",  "SYNC",
					       "ASYNC",          "RETRY",        "CONFLICT",
					       "CAPACITY_WRITE", "CAPACITY_READ"};

static const LttPerfField transaction[] = {
	SET("flags", 0, 32, transaction_bits),
	REST("abort", 32, 32, 4),
};

LttPerfField ltt_perf_transaction(void)
{
	return (LttPerfField)PARTS("transaction", transaction);
}
