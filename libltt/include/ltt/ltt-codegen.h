/* ltt-codegen.h - generate C headers from the description of a facility.
 *
 * There are two kinds. Each works in C11 and C++11 and later with gcc and clang, and needs no other
 * file to be compiled:
 *
 *	ltt compile --header    for the program that is traced: a function for each event that
 *	                        records it. Includes <ltt/ltt-probe.h> (doc/instrument.md)
 *	ltt compile --offline   for programs that write or read traces with libltt: a struct for each
 *	                        event. Includes <ltt/ltt-offline.h> (doc/offline.md)
 */
#ifndef LTT_CODEGEN_H
#define LTT_CODEGEN_H

#include <ltt/ltt-facility.h>

G_BEGIN_DECLS

/* Limit on the size of a header. An ordinary description gives a few hundred bytes for each field;
 * only enormous names in deep nests come near this limit. */
#define LTT_MAX_HEADER_BYTES (64 * 1024 * 1024)

/**
 * ltt_codegen_header:
 * @facility: sealed
 *
 * Generates the header for traced programs. The same facility gives the same bytes every time and
 * on every machine; sizes such as "long" are those of the machine that compiles the header. The
 * description is untrusted: names are C identifiers, and the header has texts only in comments and
 * string literals, which they cannot end. The headers of several facilities may be concatenated to
 * one file.
 *
 * Returns: (transfer full) (nullable): the text, free it with g_free(); NULL with
 *   LTT_ERROR_INVALID for the facility "builtin", whose events tracers write by themselves, or
 *   LTT_ERROR_LIMIT if the header would be longer than LTT_MAX_HEADER_BYTES
 */
char *ltt_codegen_header(const LttFacility *facility, GError **error);

/**
 * ltt_codegen_offline:
 * @facility: sealed
 *
 * Generates the header for programs that write or read events of the facility with libltt. The
 * description of ltt_codegen_header() applies, except for the sizes, which are those of each trace.
 *
 * Returns: (transfer full) (nullable): the text, free it with g_free(); NULL with LTT_ERROR_LIMIT if
 *   the header would be longer than LTT_MAX_HEADER_BYTES
 */
char *ltt_codegen_offline(const LttFacility *facility, GError **error);

G_END_DECLS

#endif /* LTT_CODEGEN_H */
