/* tell-priv.h - somebody is told of what is wrong in a recording. */
#ifndef LTT_FORMATS_PERF_FILE_TELL_PRIV_H
#define LTT_FORMATS_PERF_FILE_TELL_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/tell-priv.h is private to libltt"
#endif

#include <glib.h>

/* Told of what is wrong at a byte of the file. @message: what is wrong, what was expected */
typedef void (*LttPerfTellFunc)(guint64 byte, const char *message, gpointer user_data);

typedef struct LttPerfTell {
	LttPerfTellFunc func; /* NULL: nobody is told */
	gpointer user_data;
} LttPerfTell;

void ltt_perf_tell(const LttPerfTell *tell, guint64 byte, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

#endif
