/* ltt-system.h - what info/system.xml says: the machine and the layout of a trace (doc/format.md,
 * 9).
 *
 * All attributes are kept, in order, also those that nobody knows. The ones that a reader needs
 * are there as numbers too, once ltt_system_seal() has checked them.
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
 * @block_bytes: of the trace to be made
 *
 * Returns: (transfer full): this machine: uname(2), the domain name, the greatest number of
 *   CPUs, the architecture that the library runs on, version 2.0; sealed
 */
LttSystem *ltt_system_new_local(guint64 block_bytes);

/* Returns: (transfer full): the same once more, sealed if @system is */
LttSystem *ltt_system_dup(const LttSystem *system);
void ltt_system_free(LttSystem *system); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttSystem, ltt_system_free)

/* Sets an attribute, at the end if it is new. NULL as @value takes it out. The system must be
 * sealed again before the numbers below are right. */
void ltt_system_set(LttSystem *system, const char *name, const char *value);

/* Returns: (nullable): the value of an attribute as written */
const char *ltt_system_get(const LttSystem *system, const char *name);

/* Attributes of an imported recording: full names of events, with a space between (doc/format.md,
 * 9.1). */
#define LTT_SYSTEM_NAMING_EVENTS  "naming_events"
#define LTT_SYSTEM_LASTING_EVENTS "lasting_events"

/* All attributes in order. */
guint ltt_system_get_n_attributes(const LttSystem *system);
void ltt_system_get_attribute(const LttSystem *system, guint index, const char **name,
			      const char **value);

/* The free text inside the element; never NULL. */
void ltt_system_set_text(LttSystem *system, const char *text);
const char *ltt_system_get_text(const LttSystem *system);

/**
 * ltt_system_seal:
 * Checks the attributes that reading and writing depend on: endian, arch_size, cpu, ltt_block_size,
 * ltt_major_version, ltt_minor_version and, where it is there, cycle_frequency.
 *
 * Returns: FALSE with LTT_ERROR_DESCRIPTION (missing or bad) or LTT_ERROR_UNSUPPORTED (a major
 * version other than 2)
 */
gboolean ltt_system_seal(LttSystem *system, GError **error);

/* Of a sealed system. */
const LttArch *ltt_system_get_arch(const LttSystem *system);
guint ltt_system_get_n_cpus(const LttSystem *system);  /* numbers of cpu files, lanes included */
guint ltt_system_get_n_lanes(const LttSystem *system); /* the last of them: lanes, no CPUs */
guint64 ltt_system_get_block_bytes(const LttSystem *system);
guint64 ltt_system_get_cycle_frequency(const LttSystem *system); /* Hz; 0: not given */

/* Returns: whether this is the historical dialect, version 2.2 or 2.3 (doc/format.md, 10) */
gboolean ltt_system_is_dialect_22(const LttSystem *system);

G_END_DECLS

#endif /* LTT_SYSTEM_H */
