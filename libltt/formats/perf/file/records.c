/* records.c - the fields of the records of the kernel and of perf (doc/perf.md, 1.4).
 *
 * A record may be longer than its fields, because newer versions of the kernel and of perf append
 * fields.
 */
#include "formats/perf/file/records-priv.h"

#include "formats/perf/file/perf-priv.h"

#define FIELD_UINT(field, bytes)                                                                   \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_UINT, .width = (bytes)                           \
	}
#define FIELD_HEX(field, bytes)                                                                    \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_HEX, .width = (bytes)                            \
	}
#define FIELD_INT(field, bytes)                                                                    \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_INT, .width = (bytes)                            \
	}
#define FIELD_FLOAT(field, bytes)                                                                  \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_FLOAT, .width = (bytes)                          \
	}
#define FIELD_NAME(field)                                                                          \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_NAME                                             \
	}
#define FIELD_TEXT(field, size)                                                                    \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_TEXT, .n = (size)                                \
	}
#define FIELD_LABEL(field, bytes, list)                                                            \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_LABEL, .width = (bytes), .labels = (list),       \
		.n_labels = G_N_ELEMENTS(list)                                                     \
	}
#define FIELD_PAD()                                                                                \
	{                                                                                          \
		.kind = LTT_PERF_PAD                                                               \
	}
#define FIELD_STRUCT(field, list)                                                                  \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_STRUCT, .n_members = G_N_ELEMENTS(list),         \
		.members = (list)                                                                  \
	}
#define FIELD_ARRAY(field, size, list)                                                             \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_ARRAY, .n = (size),                              \
		.n_members = G_N_ELEMENTS(list), .members = (list)                                 \
	}
#define FIELD_SEQUENCE(field, bytes, list)                                                         \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_SEQUENCE, .width = (bytes),                      \
		.n_members = G_N_ELEMENTS(list), .members = (list)                                 \
	}
#define FIELD_TAIL(field, list)                                                                    \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_TAIL, .n_members = G_N_ELEMENTS(list),           \
		.members = (list)                                                                  \
	}
#define FIELD_UNION(field, bytes, list)                                                            \
	{                                                                                          \
		.name = (field), .kind = LTT_PERF_UNION, .width = (bytes),                         \
		.n_members = G_N_ELEMENTS(list), .members = (list)                                 \
	}

static const LttPerfField octets[] = {FIELD_HEX("octet", 1)};
static const LttPerfField words[] = {FIELD_UINT("value", 8)};
static const LttPerfField addresses[] = {FIELD_HEX("ip", 8)};

/* ---- records of the kernel ---- */

static const LttPerfField mmap_fields[] = {
	FIELD_INT("pid", 4), FIELD_INT("tid", 4),   FIELD_HEX("addr", 8),
	FIELD_HEX("len", 8), FIELD_HEX("pgoff", 8), FIELD_NAME("filename"),
};

static const LttPerfField lost_fields[] = {FIELD_UINT("id", 8), FIELD_UINT("lost", 8)};

static const LttPerfField comm_fields[] = {
	FIELD_INT("pid", 4),
	FIELD_INT("tid", 4),
	FIELD_NAME("comm"),
};

static const LttPerfField fork_fields[] = {
	FIELD_INT("pid", 4),  FIELD_INT("ppid", 4),  FIELD_INT("tid", 4),
	FIELD_INT("ptid", 4), FIELD_UINT("when", 8),
};

static const LttPerfField throttle_fields[] = {
	FIELD_UINT("when", 8),
	FIELD_UINT("id", 8),
	FIELD_UINT("stream_id", 8),
};

static const LttPerfField read_fields[] = {
	FIELD_INT("pid", 4),
	FIELD_INT("tid", 4),
	FIELD_TAIL("values", words),
};

static const LttPerfField mmap2_fields[] = {
	FIELD_INT("pid", 4),  FIELD_INT("tid", 4),   FIELD_HEX("addr", 8),
	FIELD_HEX("len", 8),  FIELD_HEX("pgoff", 8), FIELD_UINT("maj", 4),
	FIELD_UINT("min", 4), FIELD_UINT("ino", 8),  FIELD_UINT("ino_generation", 8),
	FIELD_HEX("prot", 4), FIELD_HEX("flags", 4), FIELD_NAME("filename"),
};

static const LttPerfField mmap2_build_id_fields[] = {
	FIELD_INT("pid", 4),        FIELD_INT("tid", 4),        FIELD_HEX("addr", 8),
	FIELD_HEX("len", 8),        FIELD_HEX("pgoff", 8),      FIELD_UINT("build_id_size", 1),
	FIELD_UINT("reserved1", 1), FIELD_UINT("reserved2", 2), FIELD_ARRAY("build_id", 20, octets),
	FIELD_HEX("prot", 4),       FIELD_HEX("flags", 4),      FIELD_NAME("filename"),
};

static const LttPerfField aux_fields[] = {
	FIELD_HEX("aux_offset", 8),
	FIELD_HEX("aux_size", 8),
	FIELD_HEX("flags", 8),
};

static const LttPerfField pid_fields[] = {FIELD_INT("pid", 4), FIELD_INT("tid", 4)};
static const LttPerfField lost_samples_fields[] = {FIELD_UINT("lost", 8)};

static const LttPerfField switch_fields[] = {
	FIELD_INT("next_prev_pid", 4),
	FIELD_INT("next_prev_tid", 4),
};

static const LttPerfField link_fields[] = {FIELD_UINT("dev", 8), FIELD_UINT("ino", 8)};
static const LttPerfField namespaces_fields[] = {
	FIELD_INT("pid", 4),
	FIELD_INT("tid", 4),
	FIELD_SEQUENCE("links", 8, link_fields),
};

static const char *const symbol_types[] = {"UNKNOWN", "BPF", "OOL"};
static const LttPerfField ksymbol_fields[] = {
	FIELD_HEX("addr", 8),  FIELD_UINT("len", 4), FIELD_LABEL("ksym_type", 2, symbol_types),
	FIELD_HEX("flags", 2), FIELD_NAME("name"),
};

static const char *const bpf_types[] = {"UNKNOWN", "PROG_LOAD", "PROG_UNLOAD"};
static const LttPerfField bpf_fields[] = {
	FIELD_LABEL("bpf_type", 2, bpf_types),
	FIELD_HEX("flags", 2),
	FIELD_UINT("id", 4),
	FIELD_ARRAY("tag", 8, octets),
};

static const LttPerfField cgroup_fields[] = {FIELD_UINT("id", 8), FIELD_NAME("path")};

static const LttPerfField text_poke_fields[] = {
	FIELD_HEX("addr", 8),
	FIELD_UINT("old_len", 2),
	FIELD_UINT("new_len", 2),
	FIELD_TAIL("octets", octets),
};

static const LttPerfField hw_id_fields[] = {FIELD_HEX("hw_id", 8)};

static const LttPerfField deferred_fields[] = {
	FIELD_HEX("cookie", 8),
	FIELD_SEQUENCE("callchain", 8, addresses),
};

/* ---- records of perf ---- */

static const LttPerfField build_id_fields[] = {
	FIELD_INT("pid", 4),
	FIELD_ARRAY("build_id", 20, octets),
	FIELD_UINT("build_id_size", 1),
	FIELD_UINT("reserved1", 1),
	FIELD_UINT("reserved2", 2),
	FIELD_NAME("filename"),
};

static const LttPerfField id_index_entry[] = {
	FIELD_UINT("id", 8),
	FIELD_UINT("idx", 8),
	FIELD_INT("cpu", 8),
	FIELD_INT("tid", 8),
};
static const LttPerfField id_index_guest[] = {FIELD_INT("machine_pid", 8), FIELD_UINT("vcpu", 8)};
static const LttPerfField id_index_fields[] = {
	FIELD_SEQUENCE("entries", 8, id_index_entry),
	FIELD_TAIL("guests", id_index_guest),
};

static const char *const auxtrace_types[] = {"UNKNOWN", "INTEL_PT",    "INTEL_BTS", "CS_ETM",
					     "ARM_SPE", "S390_CPUMSF", "HISI_PTT",  "VPA_DTL"};
static const LttPerfField auxtrace_info_fields[] = {
	FIELD_LABEL("auxtrace_type", 4, auxtrace_types),
	FIELD_UINT("reserved", 4),
	FIELD_TAIL("priv", words),
};

static const LttPerfField auxtrace_fields[] = {
	FIELD_UINT("aux_size", 8), FIELD_HEX("aux_offset", 8), FIELD_HEX("reference", 8),
	FIELD_UINT("idx", 4),      FIELD_INT("tid", 4),        FIELD_INT("cpu", 4),
	FIELD_UINT("reserved", 4),
};

/* The message has a fixed size of 64 bytes only if other fields follow it. */
static const LttPerfField error_plain[] = {FIELD_HEX("ip", 8), FIELD_NAME("msg")};
static const LttPerfField error_timed[] = {
	FIELD_HEX("ip", 8),
	FIELD_UINT("when", 8),
	FIELD_NAME("msg"),
};
static const LttPerfField error_of_guest[] = {
	FIELD_HEX("ip", 8),          FIELD_UINT("when", 8), FIELD_TEXT("msg", 64),
	FIELD_INT("machine_pid", 4), FIELD_UINT("vcpu", 4),
};
static const LttPerfField error_formats[] = {
	FIELD_STRUCT("plain", error_plain),
	FIELD_STRUCT("timed", error_timed),
	FIELD_STRUCT("guest", error_of_guest),
};
static const char *const error_types[] = {"UNKNOWN", "ITRACE"};
static const LttPerfField auxtrace_error_fields[] = {
	FIELD_LABEL("error_type", 4, error_types),
	FIELD_UINT("code", 4),
	FIELD_INT("cpu", 4),
	FIELD_INT("pid", 4),
	FIELD_INT("tid", 4),
	FIELD_UNION("error", 4, error_formats),
};

static const LttPerfField thread_fields[] = {FIELD_INT("pid", 8), FIELD_TEXT("comm", 16)};
static const LttPerfField thread_map_fields[] = {FIELD_SEQUENCE("threads", 8, thread_fields)};

static const LttPerfField cpu_numbers[] = {FIELD_UINT("cpu", 2)};
static const LttPerfField cpu_list_fields[] = {FIELD_SEQUENCE("cpus", 2, cpu_numbers), FIELD_PAD()};
static const LttPerfField cpu_mask_fields[] = {
	FIELD_UINT("nr", 2),
	FIELD_UINT("long_size", 2),
	FIELD_TAIL("mask", octets),
};
static const LttPerfField cpu_range_fields[] = {
	FIELD_UINT("any_cpu", 1),
	FIELD_UINT("reserved", 1),
	FIELD_UINT("start_cpu", 2),
	FIELD_UINT("end_cpu", 2),
	FIELD_PAD(),
};
static const LttPerfField cpu_map_kinds[] = {
	FIELD_STRUCT("list", cpu_list_fields),
	FIELD_STRUCT("mask", cpu_mask_fields),
	FIELD_STRUCT("range", cpu_range_fields),
};
static const LttPerfField cpu_map_fields[] = {FIELD_UNION("map", 2, cpu_map_kinds)};

static const char *const stat_tags[] = {"AGGR_MODE", "INTERVAL", "SCALE", "AGGR_LEVEL"};
static const LttPerfField stat_pair[] = {FIELD_LABEL("tag", 8, stat_tags), FIELD_UINT("val", 8)};
static const LttPerfField stat_config_fields[] = {FIELD_SEQUENCE("data", 8, stat_pair)};

static const LttPerfField stat_fields[] = {
	FIELD_UINT("id", 8),  FIELD_INT("cpu", 4),  FIELD_UINT("thread", 4),
	FIELD_UINT("val", 8), FIELD_UINT("ena", 8), FIELD_UINT("run", 8),
};

static const char *const rounds[] = {"INTERVAL", "FINAL"};
static const LttPerfField stat_round_fields[] = {FIELD_LABEL("round_type", 8, rounds),
						 FIELD_UINT("when", 8)};

static const LttPerfField update_unit[] = {FIELD_UINT("id", 8), FIELD_NAME("unit")};
static const LttPerfField update_scale[] = {FIELD_UINT("id", 8), FIELD_FLOAT("scale", 8)};
static const LttPerfField update_name[] = {FIELD_UINT("id", 8), FIELD_NAME("name")};
static const LttPerfField update_cpus[] = {
	FIELD_UINT("id", 8),
	FIELD_UNION("map", 2, cpu_map_kinds),
};
static const LttPerfField update_kinds[] = {
	FIELD_STRUCT("unit", update_unit),
	FIELD_STRUCT("scale", update_scale),
	FIELD_STRUCT("name", update_name),
	FIELD_STRUCT("cpus", update_cpus),
};
static const LttPerfField event_update_fields[] = {FIELD_UNION("update", 8, update_kinds)};

static const LttPerfField time_conv_more[] = {
	FIELD_HEX("time_cycles", 8),         FIELD_HEX("time_mask", 8),
	FIELD_UINT("cap_user_time_zero", 1), FIELD_UINT("cap_user_time_short", 1),
	FIELD_UINT("reserved1", 2),          FIELD_UINT("reserved2", 4),
};
static const LttPerfField time_conv_fields[] = {
	FIELD_UINT("time_shift", 8),
	FIELD_UINT("time_mult", 8),
	FIELD_UINT("time_zero", 8),
	FIELD_TAIL("more", time_conv_more),
};

static const LttPerfField bpf_metadata_pair[] = {FIELD_TEXT("key", 64), FIELD_TEXT("value", 256)};
static const LttPerfField bpf_metadata_fields[] = {
	FIELD_TEXT("program", 512),
	FIELD_SEQUENCE("entries", 8, bpf_metadata_pair),
};

static const LttPerfField counters[] = {FIELD_UINT("counter", 4)};
static const LttPerfField schedstat_cpu_fields[] = {
	FIELD_UINT("timestamp", 8),       FIELD_UINT("cpu", 4),
	FIELD_UINT("version", 2),         FIELD_UINT("reserved", 2),
	FIELD_TAIL("counters", counters),
};
static const LttPerfField schedstat_domain_fields[] = {
	FIELD_UINT("timestamp", 8),       FIELD_UINT("cpu", 4),
	FIELD_UINT("version", 2),         FIELD_UINT("domain", 2),
	FIELD_TAIL("counters", counters),
};

#define KIND(number, kind_name, list, text)                                                        \
	{                                                                                          \
		.name = (kind_name), .description = (text), .type = (number),                      \
		.n_fields = G_N_ELEMENTS(list), .fields = (list)                                   \
	}
#define KIND_EMPTY(number, kind_name, text)                                                        \
	{                                                                                          \
		.name = (kind_name), .description = (text), .type = (number)                       \
	}

/* Sorted by type. For the same type, entries with a misc_mask come first. */
static const LttPerfRecordKind kinds[] = {
	KIND(LTT_PERF_MMAP, "mmap", mmap_fields, "Memory was mapped"),
	KIND(LTT_PERF_LOST, "lost", lost_fields, "Records were lost because a buffer was full"),
	KIND(LTT_PERF_COMM, "comm", comm_fields, "A thread has a new name"),
	KIND(LTT_PERF_EXIT, "exit", fork_fields, "A thread ended"),
	KIND(5, "throttle", throttle_fields,
	     "Sampling was throttled because it took too much time"),
	KIND(6, "unthrottle", throttle_fields, "Sampling continues"),
	KIND(LTT_PERF_FORK, "fork", fork_fields, "A thread began"),
	KIND(LTT_PERF_READ_RECORD, "read", read_fields,
	     "Counts of an event of a thread that ended"),
	{.name = "mmap2_build_id",
	 .description = "Memory was mapped; the build id identifies the file",
	 .type = LTT_PERF_MMAP2,
	 .misc_mask = LTT_PERF_MISC_MMAP_BUILD_ID,
	 .misc_value = LTT_PERF_MISC_MMAP_BUILD_ID,
	 .n_fields = G_N_ELEMENTS(mmap2_build_id_fields),
	 .fields = mmap2_build_id_fields},
	KIND(LTT_PERF_MMAP2, "mmap2", mmap2_fields, "Memory was mapped"),
	KIND(11, "aux", aux_fields, "There is new data in the AUX area"),
	KIND(LTT_PERF_ITRACE_START, "itrace_start", pid_fields, "An instruction trace begins"),
	KIND(LTT_PERF_LOST_SAMPLES, "lost_samples", lost_samples_fields, "Samples were lost"),
	KIND_EMPTY(14, "switch", "The thread is switched in, or out (misc bit 13)"),
	KIND(15, "switch_cpu_wide", switch_fields, "The CPU switches threads; out: misc bit 13"),
	KIND(LTT_PERF_NAMESPACES, "namespaces", namespaces_fields, "Namespaces of a thread"),
	KIND(LTT_PERF_KSYMBOL, "ksymbol", ksymbol_fields, "A kernel symbol was added or removed"),
	KIND(LTT_PERF_BPF_EVENT, "bpf_event", bpf_fields, "A BPF program was loaded or unloaded"),
	KIND(LTT_PERF_CGROUP_RECORD, "cgroup", cgroup_fields, "A control group was created"),
	KIND(LTT_PERF_TEXT_POKE, "text_poke", text_poke_fields,
	     "Kernel code was patched; has the old and the new bytes"),
	KIND(LTT_PERF_AUX_OUTPUT_HW_ID, "aux_output_hw_id", hw_id_fields,
	     "Hardware id of an event in the AUX data"),
	KIND(LTT_PERF_CALLCHAIN_DEFERRED, "callchain_deferred", deferred_fields,
	     "The user part of a call chain"),
	KIND(LTT_PERF_BUILD_ID, "header_build_id", build_id_fields, "Build id of a file"),
	KIND_EMPTY(LTT_PERF_FINISHED_ROUND, "finished_round",
		   "All buffers were read: later records are not older than the records before the "
		   "previous round"),
	KIND(LTT_PERF_ID_INDEX, "id_index", id_index_fields, "CPU and thread of each id"),
	KIND(LTT_PERF_AUXTRACE_INFO, "auxtrace_info", auxtrace_info_fields, "Kind of the AUX data"),
	KIND(LTT_PERF_AUXTRACE, "auxtrace", auxtrace_fields, "AUX data follows"),
	KIND(LTT_PERF_AUXTRACE_ERROR, "auxtrace_error", auxtrace_error_fields,
	     "AUX data could not be decoded"),
	KIND(LTT_PERF_THREAD_MAP, "thread_map", thread_map_fields, "Threads that were recorded"),
	KIND(LTT_PERF_CPU_MAP, "cpu_map", cpu_map_fields, "CPUs that were recorded"),
	KIND(LTT_PERF_STAT_CONFIG, "stat_config", stat_config_fields, "Configuration of perf stat"),
	KIND(LTT_PERF_STAT, "stat", stat_fields, "A count"),
	KIND(LTT_PERF_STAT_ROUND, "stat_round", stat_round_fields, "End of the counts of a round"),
	KIND(LTT_PERF_EVENT_UPDATE, "event_update", event_update_fields,
	     "Name, unit, scale or CPUs of an event"),
	KIND(LTT_PERF_TIME_CONV, "time_conv", time_conv_fields, "Conversion of the TSC to time"),
	KIND_EMPTY(82, "finished_init", "The initial state has been recorded"),
	KIND(LTT_PERF_BPF_METADATA, "bpf_metadata", bpf_metadata_fields,
	     "Metadata of a BPF program"),
	KIND(85, "schedstat_cpu", schedstat_cpu_fields, "Scheduler counts of a CPU"),
	KIND(86, "schedstat_domain", schedstat_domain_fields, "Scheduler counts of a domain"),
};

const LttPerfRecordKind *ltt_perf_record_kinds(guint *n)
{
	*n = G_N_ELEMENTS(kinds);
	return kinds;
}

const LttPerfRecordKind *ltt_perf_record_kind(guint32 type, guint16 misc)
{
	for (guint i = 0; i < G_N_ELEMENTS(kinds) && kinds[i].type <= type; i++)
		if (kinds[i].type == type && (misc & kinds[i].misc_mask) == kinds[i].misc_value)
			return &kinds[i];
	return NULL;
}
