/* frame-priv.h - the first and last lines of a header. */
#ifndef LTT_FRAME_PRIV_H
#define LTT_FRAME_PRIV_H

#ifndef LTT_BUILDING
#error "frame-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include "codegen/text-priv.h"

#include <ltt/ltt-facility.h>

typedef struct LttFrame {
	const char *title;   /* continues "Events of the facility NAME, " */
	const char *option;  /* of `ltt compile` */
	const char *guard;   /* prefix of the include guard; the facility's name follows */
	const char *include; /* "ltt/ltt-probe.h" */
} LttFrame;

/* Writes the title, the include guard and the include directive. The guard contains the name
 * of the facility, not of the file: a source may include the same facility twice, but two versions
 * of it are an error. */
void ltt_write_frame_begin(LttText *text, const LttFacility *facility, const LttFrame *frame);

/* Turns off warnings, until the end of the header, that generated code cannot avoid. */
void ltt_write_frame_quiet(LttText *text);

void ltt_write_frame_end(LttText *text, const LttFacility *facility, const LttFrame *frame);

/* Takes the header out of @text and clears @text. Returns: (transfer full) (nullable): the header;
 * NULL with LTT_ERROR_LIMIT if it is too long */
char *ltt_take_header(LttText *text, const LttFacility *facility, GError **error);

#endif
