/* time-form.h - the forms of times in text. */
#ifndef TIME_FORM_H
#define TIME_FORM_H

#include <ltt/ltt-print.h>

#define TIME_FORM_WORDS "seconds|date|start|delta"

/* @text: the argument of --time. Returns: FALSE after a message if it is no form */
gboolean time_form_parse(const char *text, LttPrintTime *form);

#endif
