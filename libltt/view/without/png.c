/* png.c - where the build has no Pango: no pictures. */
#include <ltt/ltt-error.h>
#include <ltt/ltt-view.h>

GByteArray *ltt_view_make_png(const LttViewPngRequest *request, GError **error)
{
	(void)request;
	g_set_error(error, LTT_ERROR, LTT_ERROR_UNSUPPORTED,
		    "this ltt was built without Pango, which pictures need; --html needs nothing");
	return NULL;
}
