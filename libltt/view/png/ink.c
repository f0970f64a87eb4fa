/* ink.c - see ink-priv.h. */
#include "view/png/ink-priv.h"

#include <math.h>

const LttPngTheme ltt_png_light = {
	.paper = {255, 255, 255},
	.ink = {28, 28, 30},
	.faint = {102, 102, 110},
	.grid = {230, 230, 234},
	.bar = {244, 244, 246},
	.events = {138, 138, 148},
	.bad = {179, 78, 0},
	.select = {0, 114, 178},
};

const LttPngTheme ltt_png_dark = {
	.paper = {23, 23, 26},
	.ink = {236, 236, 240},
	.faint = {160, 160, 170},
	.grid = {44, 44, 50},
	.bar = {34, 34, 38},
	.events = {132, 132, 142},
	.bad = {240, 160, 96},
	.select = {86, 180, 233},
};

/* ---- colours of names ---- */

static const LttPngColour hues[] = {
	{0, 114, 178},  {230, 159, 0}, {0, 158, 115}, {204, 121, 167},
	{86, 180, 233}, {213, 94, 0},  {130, 75, 30}, {122, 59, 143},
};

/* The hash of the page, which takes the units of UTF-16. */
static guint32 hash_name(const char *name)
{
	g_autofree char *valid = g_utf8_make_valid(name, -1);
	g_autofree gunichar2 *units = g_utf8_to_utf16(valid, -1, NULL, NULL, NULL);
	guint32 value = 2166136261u;

	for (gsize i = 0; units != NULL && units[i] != 0; i++)
		value = (value ^ units[i]) * 16777619u;
	return value;
}

static guint8 shade(guint8 part, double factor)
{
	return (guint8)MIN(255.0, floor(part * factor + 0.5));
}

LttPngColour ltt_png_get_colour(const char *name)
{
	const guint32 number = hash_name(name);
	const LttPngColour hue = hues[number % G_N_ELEMENTS(hues)];
	const double factor = 0.85 + 0.3 * (number >> 8 & 1);

	return (LttPngColour){shade(hue.red, factor), shade(hue.green, factor),
			      shade(hue.blue, factor)};
}

static double get_linear(guint8 part)
{
	return part <= 10 ? part / 3294.6 : pow((part / 255.0 + 0.055) / 1.055, 2.4);
}

/* The contrast of WCAG 2 to black, (light + 0.05) / 0.05, and to white, 1.05 / (light + 0.05). */
LttPngColour ltt_png_get_contrast(LttPngColour colour)
{
	const double light = 0.2126 * get_linear(colour.red) + 0.7152 * get_linear(colour.green) +
			     0.0722 * get_linear(colour.blue);

	return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? (LttPngColour){0, 0, 0}
							     : (LttPngColour){255, 255, 255};
}

/* ---- rectangles ---- */

static void set_colour(const LttPngInk *ink, LttPngColour colour, double alpha)
{
	cairo_set_source_rgba(ink->cairo, colour.red / 255.0, colour.green / 255.0,
			      colour.blue / 255.0, alpha);
}

void ltt_png_fill_clear(const LttPngInk *ink, LttPngColour colour, double alpha, double x, double y,
			double width, double height)
{
	set_colour(ink, colour, alpha);
	cairo_rectangle(ink->cairo, x, y, width, height);
	cairo_fill(ink->cairo);
}

void ltt_png_fill(const LttPngInk *ink, LttPngColour colour, double x, double y, double width,
		  double height)
{
	ltt_png_fill_clear(ink, colour, 1, x, y, width, height);
}

/* ---- text ---- */

static void set_text(PangoLayout *layout, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	pango_layout_set_text(layout, valid, -1);
}

double ltt_png_write(const LttPngInk *ink, const LttPngText *place, const char *text)
{
	PangoFontDescription *font = pango_font_description_from_string("sans");
	PangoLayout *layout = ink->layout;
	int width;

	pango_font_description_set_absolute_size(font, place->size * PANGO_SCALE);
	pango_font_description_set_weight(font,
					  place->is_bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
	pango_layout_set_font_description(layout, font);
	pango_font_description_free(font);
	pango_layout_set_width(layout,
			       place->most_width > 0 ? (int)(place->most_width * PANGO_SCALE) : -1);
	set_text(layout, text);
	if (place->short_text != NULL && pango_layout_is_ellipsized(layout))
		set_text(layout, place->short_text);
	pango_layout_get_size(layout, &width, NULL);
	set_colour(ink, place->colour, 1);
	cairo_move_to(ink->cairo,
		      place->is_right ? place->x - (double)width / PANGO_SCALE : place->x,
		      place->y - (double)pango_layout_get_baseline(layout) / PANGO_SCALE);
	pango_cairo_show_layout(ink->cairo, layout);
	return (double)width / PANGO_SCALE;
}
