/* ltt-system.h - info/system.xml: the machine and the layout of a trace (doc/format.md, 9).
 *
 * A system keeps all attributes in order, unknown ones included. ltt_system_seal() checks those
 * that a reader needs, which are then available as numbers.
 */
#ifndef LTT_SYSTEM_H
#define LTT_SYSTEM_H

#include <ltt/ltt-arch.h>

G_BEGIN_DECLS

/* Limits of ltt_block_size and cpu (doc/format.md, 9.1 and 12). */
#define LTT_MIN_BLOCK_BYTES 96
#define LTT_MAX_BLOCK_BYTES ((guint64)1 << 31)
#define LTT_MAX_CPUS        65536

typedef struct LttSystem LttSystem;

/* Returns: (transfer full): a system without attributes */
LttSystem *ltt_system_new(void);

/**
 * ltt_system_new_local:
 * @block_bytes: block size of the new trace
 *
 * Returns: (transfer full): a sealed system for this machine: uname(2), the domain name, the
 *   maximum number of CPUs, the architecture of the library, version 2.0
 */
LttSystem *ltt_system_new_local(guint64 block_bytes);

/* Returns: (transfer full): a copy, sealed if @system is */
LttSystem *ltt_system_dup(const LttSystem *system);
void ltt_system_free(LttSystem *system); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttSystem, ltt_system_free)

/* Sets an attribute; a new one is appended. A @value of NULL removes it. Seal the system again
 * before using the numbers below. */
void ltt_system_set(LttSystem *system, const char *name, const char *value);

/* Returns: (nullable): the value of an attribute as written */
const char *ltt_system_get(const LttSystem *system, const char *name);

/* The kind and version of the recording that a trace was imported from (doc/import.md). */
#define LTT_SYSTEM_RECORDING "recording"
/* Returns: whether the attributes say that times may fall. Those of traces that were imported may */
gboolean ltt_system_may_fall(const LttSystem *system);

/* Attributes of an imported recording: full names of events, separated by spaces (doc/format.md,
 * 9.1). */
#define LTT_SYSTEM_NAMING_EVENTS  "naming_events"
#define LTT_SYSTEM_LASTING_EVENTS "lasting_events"

/* "yes": the times of any block of a file may be earlier than those of the block before it, or decrease inside. */
#define LTT_SYSTEM_FALLING_TIMES "falling_times"

/* The clock that the times of an imported recording are of, and the wall time in nanoseconds at
 * which it was 0 (doc/format.md, 9.1; ltt-join.h). */
#define LTT_SYSTEM_CLOCK_ERROR "clock_max_error"
#define LTT_SYSTEM_CLOCK       "clock"
#define LTT_SYSTEM_CLOCK_ZERO  "clock_zero"
/* How the times of a merged trace were converted (ltt-conversions.h). */
#define LTT_SYSTEM_CLOCK_CONVERSIONS "clock_conversions"
/* The machines of a merged trace, and their tracefiles (ltt_trace_get_host()). */
#define LTT_SYSTEM_HOSTS "hosts"

#define LTT_CLOCK_WALL          "wall"
#define LTT_CLOCK_MONOTONIC     "monotonic"
#define LTT_CLOCK_MONOTONIC_RAW "monotonic_raw"
#define LTT_CLOCK_BOOTTIME      "boottime"
#define LTT_CLOCK_TAI           "tai"
#define LTT_CLOCK_OTHER         "other"

/* All attributes in order. */
guint ltt_system_get_n_attributes(const LttSystem *system);
void ltt_system_get_attribute(const LttSystem *system, guint index, const char **name,
			      const char **value);

/* The free text inside the element; never NULL. */
void ltt_system_set_text(LttSystem *system, const char *text);
const char *ltt_system_get_text(const LttSystem *system);

/**
 * ltt_system_seal:
 *
 * Checks the attributes that reading and writing depend on: endian, arch_size, cpu, ltt_block_size,
 * ltt_major_version, ltt_minor_version and, if present, cycle_frequency.
 *
 * Returns: FALSE with LTT_ERROR_DESCRIPTION (one is missing or invalid) or LTT_ERROR_UNSUPPORTED (a
 *   major version other than 2)
 */
gboolean ltt_system_seal(LttSystem *system, GError **error);

/* These need a sealed system. */
const LttArch *ltt_system_get_arch(const LttSystem *system);

/* Numbers of tracefiles cpu/N (doc/format.md, 9.1):
 *
 *	0        1        ... | lane/0  lane/1  ...  | kernel/0  kernel/1  ...
 *	|<-------------------------- n_cpus ------------------------------>|
 *	                      |<----- n_lanes ------>|<--- n_kernel_files -->|
 */
guint ltt_system_get_n_cpus(const LttSystem *system);
guint ltt_system_get_n_lanes(const LttSystem *system);
guint ltt_system_get_n_kernel_files(const LttSystem *system);
guint64 ltt_system_get_block_bytes(const LttSystem *system);
guint64 ltt_system_get_cycle_frequency(const LttSystem *system); /* Hz; 0: not given */

/* Returns: whether the trace has the historical dialect, version 2.2 or 2.3 (doc/format.md, 10) */
gboolean ltt_system_is_dialect_22(const LttSystem *system);

G_END_DECLS

#endif /* LTT_SYSTEM_H */
