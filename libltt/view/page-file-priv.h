/* page-file-priv.h - the files of the page, which the build makes with node, or leaves out. */
#ifndef LTT_VIEW_PAGE_FILE_PRIV_H
#define LTT_VIEW_PAGE_FILE_PRIV_H

#ifndef LTT_BUILDING
#error "view/page-file-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include <glib.h>

/* Returns: (transfer full): the contents of a file of the page; NULL with LTT_ERROR_IO */
char *ltt_view_read_page_file(const char *folder, const char *name, gsize *length, GError **error);

#endif
