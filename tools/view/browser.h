/* browser.h - start the web browser of the user. */
#ifndef BROWSER_H
#define BROWSER_H

#include <glib.h>

/* Opens an address in the browser, without waiting for it. Other users can see @url. Returns: whether it was
 * started: not without a display */
gboolean browser_open(const char *url);

#endif
