/* features.c - the fields of all features (features-priv.h; doc/perf.md, 1.6).
 *
 * Features are packed but never unpacked, because a trace also contains their raw bytes.
 */
#include "formats/perf/file/features-priv.h"

#include "formats/perf/file/perf-priv.h"

#define FIELD_UINT(field, bytes)                                                                   \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_UINT, .width = (bytes)                           \
	}
#define FIELD_STRING(field)                                                                        \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_STRING                                           \
	}
#define FIELD_MANY(field, bytes, list)                                                             \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_SEQUENCE, .width = (bytes),                      \
		.n_members = G_N_ELEMENTS(list), .members = (list)                                 \
	}
#define FIELD_MANY_OR_NONE(field, bytes, list)                                                     \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_SEQUENCE, .width = (bytes), .is_optional = TRUE, \
		.n_members = G_N_ELEMENTS(list), .members = (list)                                 \
	}
#define FIELD_OF_EACH_CPU(field, list)                                                             \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_TIMES, .is_optional = TRUE,                      \
		.n_members = G_N_ELEMENTS(list), .members = (list)                                 \
	}
#define FIELD_TAIL(field, list)                                                                    \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_TAIL, .n_members = G_N_ELEMENTS(list),           \
		.members = (list)                                                                  \
	}

static const LttPerfField octets[] = {{.name = "octet", .kind = LTT_PERF_HEX, .width = 1}};
static const LttPerfField strings[] = {FIELD_STRING("string")};
static const LttPerfField text[] = {FIELD_STRING("text")};

static const LttPerfField nrcpus[] = {FIELD_UINT("available", 4), FIELD_UINT("online", 4)};
static const LttPerfField total_mem[] = {FIELD_UINT("kilobytes", 8)};
static const LttPerfField cmdline[] = {FIELD_MANY("arguments", 4, strings)};

static const LttPerfField core[] = {FIELD_UINT("core", 4), FIELD_UINT("socket", 4)};
static const LttPerfField die[] = {FIELD_UINT("die", 4)};
static const LttPerfField cpu_topology[] = {
	FIELD_MANY("sibling_cores", 4, strings), FIELD_MANY("sibling_threads", 4, strings),
	FIELD_OF_EACH_CPU("cpus", core),         FIELD_MANY_OR_NONE("sibling_dies", 4, strings),
	FIELD_OF_EACH_CPU("dies", die),
};

static const LttPerfField numa_node[] = {
	FIELD_UINT("node", 4),
	FIELD_UINT("total_kilobytes", 8),
	FIELD_UINT("free_kilobytes", 8),
	FIELD_STRING("cpus"),
};
static const LttPerfField numa[] = {FIELD_MANY("nodes", 4, numa_node)};

static const LttPerfField pmu[] = {FIELD_UINT("type", 4), FIELD_STRING("name")};
static const LttPerfField pmu_mappings[] = {FIELD_MANY("pmus", 4, pmu)};

static const LttPerfField group[] = {
	FIELD_STRING("name"),
	FIELD_UINT("leader", 4),
	FIELD_UINT("members", 4),
};
static const LttPerfField group_desc[] = {FIELD_MANY("groups", 4, group)};

static const LttPerfField place[] = {FIELD_UINT("offset", 8), FIELD_UINT("size", 8)};
static const LttPerfField auxtrace[] = {FIELD_MANY("records", 8, place)};

static const LttPerfField level[] = {
	FIELD_UINT("level", 4), FIELD_UINT("line", 4), FIELD_UINT("sets", 4), FIELD_UINT("ways", 4),
	FIELD_STRING("type"),   FIELD_STRING("size"),  FIELD_STRING("map"),
};
static const LttPerfField cache[] = {FIELD_UINT("version", 4), FIELD_MANY("levels", 4, level)};

static const LttPerfField sample_time[] = {FIELD_UINT("first", 8), FIELD_UINT("last", 8)};

static const LttPerfField memory_node[] = {
	FIELD_UINT("node", 8),
	FIELD_UINT("size", 8),
	{.name = "blocks", .kind = LTT_PERF_BITS},
};
static const LttPerfField mem_topology[] = {
	FIELD_UINT("version", 8),
	FIELD_UINT("block_size", 8),
	FIELD_MANY("nodes", 8, memory_node),
};

static const LttPerfField clockid[] = {FIELD_UINT("resolution", 8)};
static const LttPerfField version[] = {FIELD_UINT("version", 8)};
static const LttPerfField compressed[] = {
	FIELD_UINT("version", 4), FIELD_UINT("type", 4),     FIELD_UINT("level", 4),
	FIELD_UINT("ratio", 4),   FIELD_UINT("mmap_len", 4),
};

static const LttPerfField capability[] = {FIELD_STRING("name"), FIELD_STRING("value")};
static const LttPerfField cpu_pmu_caps[] = {FIELD_MANY("caps", 4, capability)};

static const LttPerfField clock_data[] = {
	FIELD_UINT("version", 4),
	FIELD_UINT("clockid", 4),
	FIELD_UINT("wall_clock", 8),
	FIELD_UINT("clock", 8),
};

static const LttPerfField hybrid_pmu[] = {FIELD_STRING("name"), FIELD_STRING("cpus")};
static const LttPerfField hybrid[] = {FIELD_MANY("pmus", 4, hybrid_pmu)};

static const LttPerfField pmu_with_caps[] = {
	FIELD_MANY("caps", 4, capability),
	FIELD_STRING("name"),
};
static const LttPerfField pmu_caps[] = {FIELD_MANY("pmus", 4, pmu_with_caps)};

/* Domains have names in schedstat version 17 and later. Before, the name is an empty text. */
static const LttPerfField domain_named[] = {
	FIELD_UINT("domain", 4),
	FIELD_STRING("name"),
	FIELD_STRING("mask"),
	FIELD_STRING("list"),
};
static const LttPerfField cpu_named[] = {
	FIELD_UINT("cpu", 4),
	FIELD_MANY("domains", 4, domain_named),
};
static const LttPerfField domains_named[] = {
	FIELD_UINT("version", 4),
	FIELD_UINT("most_domains", 4),
	FIELD_TAIL("cpus", cpu_named),
};
static const LttPerfField domain_plain[] = {
	FIELD_UINT("domain", 4),
	{.name = "name", .kind = LTT_PERF_TEXT},
	FIELD_STRING("mask"),
	FIELD_STRING("list"),
};
static const LttPerfField cpu_plain[] = {
	FIELD_UINT("cpu", 4),
	FIELD_MANY("domains", 4, domain_plain),
};
static const LttPerfField domains_plain[] = {
	FIELD_UINT("version", 4),
	FIELD_UINT("most_domains", 4),
	FIELD_TAIL("cpus", cpu_plain),
};
#define FIRST_VERSION_WITH_NAMES 17

static const LttPerfField e_machine[] = {FIELD_UINT("machine", 4), FIELD_UINT("flags", 4)};
static const LttPerfField cln_size[] = {FIELD_UINT("bytes", 4)};

static const LttPerfField build_id[] = {
	{.name = "pid", .kind = LTT_PERF_INT, .width = 4},
	{.name = "build_id", .kind = LTT_PERF_ARRAY, .n = 20, .n_members = 1, .members = octets},
	FIELD_UINT("build_id_size", 1),
	FIELD_UINT("reserved1", 1),
	FIELD_UINT("reserved2", 2),
	{.name = "filename", .kind = LTT_PERF_NAME},
};

#define KIND(number, kind_name, list)                                                              \
	{                                                                                          \
		.bit = (number), .name = (kind_name), .n_fields = G_N_ELEMENTS(list),              \
		.fields = (list)                                                                   \
	}

static const LttPerfFeatureKind kinds[] = {
	{.bit = LTT_PERF_HAS_TRACING_DATA, .name = "tracing_data"},
	{.bit = LTT_PERF_HAS_BUILD_ID, .name = "build_id"},
	KIND(LTT_PERF_HAS_HOSTNAME, "hostname", text),
	KIND(LTT_PERF_HAS_OSRELEASE, "osrelease", text),
	KIND(LTT_PERF_HAS_VERSION, "version", text),
	KIND(LTT_PERF_HAS_ARCH, "arch", text),
	KIND(LTT_PERF_HAS_NRCPUS, "nrcpus", nrcpus),
	KIND(8, "cpudesc", text),
	KIND(9, "cpuid", text),
	KIND(10, "total_mem", total_mem),
	KIND(11, "cmdline", cmdline),
	{.bit = LTT_PERF_HAS_EVENT_DESC, .name = "event_desc"},
	KIND(LTT_PERF_HAS_CPU_TOPOLOGY, "cpu_topology", cpu_topology),
	KIND(14, "numa_topology", numa),
	{.bit = LTT_PERF_HAS_BRANCH_STACK, .name = "branch_stack"},
	KIND(16, "pmu_mappings", pmu_mappings),
	KIND(17, "group_desc", group_desc),
	KIND(LTT_PERF_HAS_AUXTRACE, "auxtrace", auxtrace),
	{.bit = LTT_PERF_HAS_STAT, .name = "stat"},
	KIND(20, "cache", cache),
	KIND(21, "sample_time", sample_time),
	KIND(22, "mem_topology", mem_topology),
	KIND(23, "clockid", clockid),
	KIND(LTT_PERF_HAS_DIR_FORMAT, "dir_format", version),
	{.bit = LTT_PERF_HAS_BPF_PROG_INFO, .name = "bpf_prog_info"},
	{.bit = LTT_PERF_HAS_BPF_BTF, .name = "bpf_btf"},
	KIND(LTT_PERF_HAS_COMPRESSED, "compressed", compressed),
	KIND(28, "cpu_pmu_caps", cpu_pmu_caps),
	KIND(LTT_PERF_HAS_CLOCK_DATA, "clock_data", clock_data),
	KIND(30, "hybrid_topology", hybrid),
	KIND(31, "pmu_caps", pmu_caps),
	KIND(LTT_PERF_HAS_CPU_DOMAIN_INFO, "cpu_domain_info", domains_named),
	KIND(33, "e_machine", e_machine),
	KIND(34, "cln_size", cln_size),
};

static const LttPerfFeatureKind plain_domains =
	KIND(LTT_PERF_HAS_CPU_DOMAIN_INFO, "cpu_domain_info", domains_plain);

const LttPerfFeatureKind *ltt_perf_feature_kind(guint bit)
{
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (kinds[i].bit == bit)
			return &kinds[i];
	return NULL;
}

gboolean ltt_perf_feature_aux_has_count(guint64 size)
{
	return size % LTT_PERF_AUX_PLACE_BYTES != 0;
}

const LttPerfFeatureKind *ltt_perf_feature_domains(guint32 schedstat_version)
{
	return schedstat_version < FIRST_VERSION_WITH_NAMES
		       ? &plain_domains
		       : ltt_perf_feature_kind(LTT_PERF_HAS_CPU_DOMAIN_INFO);
}

const LttPerfField *ltt_perf_feature_build_id(guint *n_fields)
{
	*n_fields = G_N_ELEMENTS(build_id);
	return build_id;
}
