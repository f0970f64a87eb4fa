/* registers-priv.h - names of the registers in samples. */
#ifndef LTT_FORMATS_PERF_FILE_REGISTERS_PRIV_H
#define LTT_FORMATS_PERF_FILE_REGISTERS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/registers-priv.h is private to libltt"
#endif

#include <glib.h>

/**
 * ltt_perf_register_name:
 * @machine: (nullable): machine name of the recorded system, as from uname(2)
 * @bit: of sample_regs_user or sample_regs_intr
 *
 * Returns: (transfer full): an identifier, other than that of any other bit; regN where the
 *   machine does not call it anything, rN where the machine is not known
 */
char *ltt_perf_register_name(const char *machine, guint bit);

#endif
