/* ink-priv.h - colours, rectangles and text of a picture, as on the page. */
#ifndef LTT_VIEW_INK_PRIV_H
#define LTT_VIEW_INK_PRIV_H

#ifndef LTT_BUILDING
#error "view/png/ink-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include <glib.h>
#include <pango/pangocairo.h>

typedef struct LttPngColour {
	guint8 red;
	guint8 green;
	guint8 blue;
} LttPngColour;

/* The colours of a theme. */
typedef struct LttPngTheme {
	LttPngColour paper;
	LttPngColour ink;
	LttPngColour faint;
	LttPngColour grid;
	LttPngColour bar; /* behind the names of groups */
	LttPngColour events;
	LttPngColour bad;    /* damage */
	LttPngColour select; /* over the paper, with SELECT_ALPHA */
} LttPngTheme;

extern const LttPngTheme ltt_png_light;
extern const LttPngTheme ltt_png_dark;

typedef struct LttPngInk {
	cairo_t *cairo;
	PangoLayout *layout;
	const LttPngTheme *theme;
} LttPngInk;

/* Returns: the colour of a name: that of the page. Kinds of colour vision tell the hues apart */
LttPngColour ltt_png_get_colour(const char *name);

/* Returns: black or white, whichever is readable on @colour */
LttPngColour ltt_png_get_contrast(LttPngColour colour);

void ltt_png_fill(const LttPngInk *ink, LttPngColour colour, double x, double y, double width,
		  double height);
void ltt_png_fill_clear(const LttPngInk *ink, LttPngColour colour, double alpha, double x, double y,
			double width, double height);

/* A line of text. */
typedef struct LttPngText {
	double x;
	double y;               /* of the base line */
	double most_width;      /* 0: any; a longer text ends in "..." */
	const char *short_text; /* instead of a text that is longer; NULL: none */
	double size;            /* pixels */
	gboolean is_bold;
	gboolean is_right; /* the text ends at `x` */
	LttPngColour colour;
} LttPngText;

/* Writes @text, which may be any bytes. Returns: its width */
double ltt_png_write(const LttPngInk *ink, const LttPngText *place, const char *text);

#endif
