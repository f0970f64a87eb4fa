/* ltt-codegen.h - from a facility to the C header that a program is instrumented with.
 *
 * The header holds, for each event type E of a facility F, a function trace_F_E() that takes the
 * event's fields and writes it (doc/instrument.md). It works in C11 and C++11 and later with gcc
 * and clang, and includes <ltt/ltt-probe.h> alone. `ltt compile --header` is this function.
 */
#ifndef LTT_CODEGEN_H
#define LTT_CODEGEN_H

#include <ltt/ltt-facility.h>

G_BEGIN_DECLS

/* The longest header that is made. A description of ordinary size gives some hundred bytes a
 * field; only one with enormous names, nested deeply, comes near. */
#define LTT_MAX_HEADER_BYTES (64 * 1024 * 1024)

/**
 * ltt_codegen_header:
 * @facility: sealed
 *
 * Writes the header. The same facility gives the same bytes every time and on every machine;
 * sizes such as "long" are those of the machine that compiles the header. What the description
 * says is untrusted: names are C identifiers, and texts go into comments and string literals that
 * they cannot end. Headers of several facilities may stand one behind the other in one file.
 *
 * Returns: (transfer full) (nullable): the text, free it with g_free(); NULL with
 *   LTT_ERROR_INVALID for the facility "builtin", whose events tracers write by themselves, or
 *   LTT_ERROR_LIMIT if the header would be longer than LTT_MAX_HEADER_BYTES
 */
char *ltt_codegen_header(const LttFacility *facility, GError **error);

G_END_DECLS

#endif /* LTT_CODEGEN_H */
