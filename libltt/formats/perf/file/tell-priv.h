/* tell-priv.h - reports damage in a recording through a callback. */
#ifndef LTT_FORMATS_PERF_FILE_TELL_PRIV_H
#define LTT_FORMATS_PERF_FILE_TELL_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/tell-priv.h is private to libltt"
#endif

#include <glib.h>

/* Reports an error at offset @byte of the file. @message: the error and the expected value */
typedef void (*LttPerfTellFunc)(guint64 byte, const char *message, gpointer user_data);

typedef struct LttPerfTell {
	LttPerfTellFunc func; /* NULL: reports are discarded */
	gpointer user_data;
} LttPerfTell;

void ltt_perf_tell(const LttPerfTell *tell, guint64 byte, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

#endif
