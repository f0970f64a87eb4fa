/* perf-priv.h - basic definitions of the perf.data format (doc/perf.md, 1). */
#ifndef LTT_FORMATS_PERF_FILE_PERF_PRIV_H
#define LTT_FORMATS_PERF_FILE_PERF_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/perf-priv.h is private to libltt"
#endif

#include <ltt/ltt-arch.h>

/* Types of records that the code refers to; records.c lists all types. */
enum {
	LTT_PERF_MMAP = 1,
	LTT_PERF_LOST = 2,
	LTT_PERF_COMM = 3,
	LTT_PERF_EXIT = 4,
	LTT_PERF_FORK = 7,
	LTT_PERF_READ_RECORD = 8,
	LTT_PERF_SAMPLE = 9,
	LTT_PERF_MMAP2 = 10,
	LTT_PERF_ITRACE_START = 12,
	LTT_PERF_LOST_SAMPLES = 13,
	LTT_PERF_NAMESPACES = 16,
	LTT_PERF_KSYMBOL = 17,
	LTT_PERF_BPF_EVENT = 18,
	LTT_PERF_CGROUP_RECORD = 19,
	LTT_PERF_TEXT_POKE = 20,
	LTT_PERF_AUX_OUTPUT_HW_ID = 21,
	LTT_PERF_CALLCHAIN_DEFERRED = 22,
	LTT_PERF_FIRST_OF_TOOL = 64, /* records of this type and above have no sample_id */
	LTT_PERF_ATTR = 64,
	LTT_PERF_EVENT_TYPE = 65,
	LTT_PERF_TRACING_DATA = 66,
	LTT_PERF_BUILD_ID = 67,
	LTT_PERF_FINISHED_ROUND = 68,
	LTT_PERF_ID_INDEX = 69,
	LTT_PERF_AUXTRACE_INFO = 70,
	LTT_PERF_AUXTRACE = 71,
	LTT_PERF_AUXTRACE_ERROR = 72,
	LTT_PERF_THREAD_MAP = 73,
	LTT_PERF_CPU_MAP = 74,
	LTT_PERF_STAT_CONFIG = 75,
	LTT_PERF_STAT = 76,
	LTT_PERF_STAT_ROUND = 77,
	LTT_PERF_EVENT_UPDATE = 78,
	LTT_PERF_TIME_CONV = 79,
	LTT_PERF_FEATURE = 80,
	LTT_PERF_COMPRESSED = 81,
	LTT_PERF_COMPRESSED2 = 83,
	LTT_PERF_BPF_METADATA = 84,
	LTT_PERF_SIMPLEPERF_TRACING_DATA = 32777, /* TRACING_DATA inside its size */
};

/* Bits of misc. */
#define LTT_PERF_MISC_MMAP_BUILD_ID    ((guint16)1 << 14)
#define LTT_PERF_MISC_LOST_SAMPLES_BPF ((guint16)1 << 15)
#define LTT_PERF_MISC_BUILD_ID_SIZE    ((guint16)1 << 15)

/* Bits of sample_type. */
enum {
	LTT_PERF_IP = 0,
	LTT_PERF_TID,
	LTT_PERF_TIME,
	LTT_PERF_ADDR,
	LTT_PERF_READ,
	LTT_PERF_CALLCHAIN,
	LTT_PERF_ID,
	LTT_PERF_CPU,
	LTT_PERF_PERIOD,
	LTT_PERF_STREAM_ID,
	LTT_PERF_RAW,
	LTT_PERF_BRANCH_STACK,
	LTT_PERF_REGS_USER,
	LTT_PERF_STACK_USER,
	LTT_PERF_WEIGHT,
	LTT_PERF_DATA_SRC,
	LTT_PERF_IDENTIFIER,
	LTT_PERF_TRANSACTION,
	LTT_PERF_REGS_INTR,
	LTT_PERF_PHYS_ADDR,
	LTT_PERF_AUX,
	LTT_PERF_CGROUP,
	LTT_PERF_DATA_PAGE_SIZE,
	LTT_PERF_CODE_PAGE_SIZE,
	LTT_PERF_WEIGHT_STRUCT,
};

/* Bits of read_format. */
enum {
	LTT_PERF_READ_ENABLED,
	LTT_PERF_READ_RUNNING,
	LTT_PERF_READ_ID,
	LTT_PERF_READ_GROUP,
	LTT_PERF_READ_LOST,
};

#define LTT_PERF_BIT(n) ((guint64)1 << (n))

/* Flags of an attr. */
#define LTT_PERF_FLAG_SAMPLE_ID_ALL LTT_PERF_BIT(18)

/* Features that the code refers to; features.c lists all features. */
enum {
	LTT_PERF_HAS_TRACING_DATA = 1,
	LTT_PERF_HAS_BUILD_ID = 2,
	LTT_PERF_HAS_HOSTNAME = 3,
	LTT_PERF_HAS_OSRELEASE = 4,
	LTT_PERF_HAS_VERSION = 5,
	LTT_PERF_HAS_ARCH = 6,
	LTT_PERF_HAS_NRCPUS = 7,
	LTT_PERF_HAS_EVENT_DESC = 12,
	LTT_PERF_HAS_CPU_TOPOLOGY = 13,
	LTT_PERF_HAS_BRANCH_STACK = 15,
	LTT_PERF_HAS_AUXTRACE = 18,
	LTT_PERF_HAS_STAT = 19,
	LTT_PERF_HAS_DIR_FORMAT = 24,
	LTT_PERF_HAS_BPF_PROG_INFO = 25,
	LTT_PERF_HAS_BPF_BTF = 26,
	LTT_PERF_HAS_COMPRESSED = 27,
	LTT_PERF_HAS_CLOCK_DATA = 29,
	LTT_PERF_HAS_CPU_DOMAIN_INFO = 32,
};
#define LTT_PERF_N_FEATURES 256

/* Feature of simpleperf: pairs of texts, each terminated by NUL. */
#define LTT_PERF_HAS_META_INFO 129

#define LTT_PERF_RECORD_HEADER_BYTES 8
#define LTT_PERF_FILE_HEADER_BYTES   104
#define LTT_PERF_PIPE_HEADER_BYTES   16

/* A record, including its header. */
typedef struct LttPerfRecord {
	guint32 type;
	guint16 misc;
	guint16 size; /* of bytes; at least 8 */
	const guint8 *bytes;
	const struct LttPerfAttr *attr; /* of its event; NULL: none, or not looked up yet */
} LttPerfRecord;

/* ---- perf.c ---- */

/* Form of a recording. */
typedef enum LttPerfForm {
	LTT_PERF_NOT, /* not a recording of perf */
	LTT_PERF_FILE,
	LTT_PERF_PIPE,
} LttPerfForm;

/* Detects the form of a recording from its first @length bytes; 16 are sufficient. Sets @order and
 * @version unless it returns LTT_PERF_NOT. The magic of version 1 does not depend on the byte
 * order, so @order is then derived from the number after it. */
LttPerfForm ltt_perf_detect(const guint8 *bytes, gsize length, LttByteOrder *order, guint *version);

/* Returns: whether records of this type contain metadata for ltt_perf_meta_add() */
gboolean ltt_perf_is_meta(guint32 type);

/* Offset of the tracing data in a record that includes it: after the header and a u32 size. */
#define LTT_PERF_TRACING_AT (LTT_PERF_RECORD_HEADER_BYTES + sizeof(guint32))

/* Returns: whether the record includes its tracing data, as simpleperf writes it. In recordings of
 * perf, the tracing data follows the record */
gboolean ltt_perf_record_has_tracing(const LttPerfRecord *record, LttByteOrder order);

/* Returns: whether records of this type contain compressed records */
gboolean ltt_perf_is_compressed(guint32 type);

/* Receives a report of damage. @byte: file offset; @message: the error and the expected value */
typedef void (*LttPerfTellFunc)(guint64 byte, const char *message, gpointer user_data);

typedef struct LttPerfTell {
	LttPerfTellFunc func; /* NULL: reports are discarded */
	gpointer user_data;
} LttPerfTell;

/* Reports damage at file offset @byte. */
void ltt_perf_tell(const LttPerfTell *tell, guint64 byte, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

#endif
