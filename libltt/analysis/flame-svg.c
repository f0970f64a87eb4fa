/* flame-svg.c - a flame as a self-contained SVG image (ltt-flame.h).
 *
 * A frame is a <g> element. Its attributes contain its position, which the script reads to zoom.
 * Names are escaped as XML text; the script contains no name.
 */
#include "analysis/flame-priv.h"

#include "base/error-priv.h"
#include "base/sink-priv.h"
#include "xml/xml-escape-priv.h"

#include <string.h>

#define WIDTH       1200
#define ROW         17 /* height of a frame */
#define TOP         60 /* above the frames: title, search */
#define BOTTOM      30
#define MARGIN      10
#define LETTER      7.0 /* approximate width of a letter */
#define LEAST_WIDTH 0.1

static const char style[] = "<style>"
			    "text{font:12px monospace;fill:#000}"
			    ".title{font:17px sans-serif;text-anchor:middle}"
			    ".button{cursor:pointer;opacity:.7}"
			    ".frame{cursor:pointer}.frame:hover rect{stroke:#000;stroke-width:1}"
			    ".frame text{pointer-events:none}"
			    ".found rect{fill:#e600e6}.outer rect{opacity:.5}.hidden{display:none}"
			    "</style>\n";

static const char script[] =
	"<script><![CDATA[\n"
	"(function () {\n"
	"	'use strict';\n"
	"	var svg = document.documentElement, width = 1180, margin = 10, letter = 7;\n"
	"	var frames = Array.prototype.slice.call(svg.querySelectorAll('.frame'));\n"
	"	var details = svg.getElementById('details'), found = svg.getElementById('found');\n"
	"	function number(frame, name) { return Number(frame.getAttribute('data-' + name)); "
	"}\n"
	"	function name(frame) { return frame.querySelector('title').textContent; }\n"
	"	function place(frame, x, w) {\n"
	"		var rect = frame.querySelector('rect'), text = "
	"frame.querySelector('text');\n"
	"		var full = frame.getAttribute('data-name'), n = Math.floor((w - 6) / "
	"letter);\n"
	"		rect.setAttribute('x', x); rect.setAttribute('width', w);\n"
	"		text.setAttribute('x', x + 3);\n"
	"		text.textContent = n < 3 ? '' : full.length <= n ? full : full.slice(0, n "
	"- 2) + '..';\n"
	"	}\n"
	"	function zoom(to) {\n"
	"		var left = number(to, 'x'), size = number(to, 'w'), depth = number(to, "
	"'d');\n"
	"		frames.forEach(function (frame) {\n"
	"			var x = number(frame, 'x'), w = number(frame, 'w'), d = "
	"number(frame, 'd');\n"
	"			var around = d < depth && x <= left && x + w >= left + size;\n"
	"			var inside = d >= depth && x >= left && x + w <= left + size;\n"
	"			frame.classList.toggle('hidden', !around && !inside);\n"
	"			frame.classList.toggle('outer', around);\n"
	"			if (around) place(frame, margin, width);\n"
	"			if (inside) place(frame, margin + (x - left) / size * width, w / "
	"size * width);\n"
	"		});\n"
	"	}\n"
	"	function search() {\n"
	"		var word = window.prompt('Search for names with (a regular expression):', "
	"''), sum = 0, end = -1;\n"
	"		var pattern, matching;\n"
	"		if (word === null) return;\n"
	"		try { pattern = new RegExp(word); } catch (error) { found.textContent = "
	"String(error); return; }\n"
	"		matching = frames.filter(function (frame) {\n"
	"			var is = word !== '' && "
	"pattern.test(frame.getAttribute('data-name'));\n"
	"			frame.classList.toggle('found', is);\n"
	"			return is;\n"
	"		});\n"
	"		matching.sort(function (a, b) { return number(a, 'x') - number(b, 'x') || "
	"number(b, 'w') - number(a, 'w'); });\n"
	"		matching.forEach(function (frame) {\n"
	"			if (number(frame, 'x') >= end) { sum += number(frame, 'w'); end = "
	"number(frame, 'x') + number(frame, 'w'); }\n"
	"		});\n"
	"		found.textContent = word === '' ? '' : 'found: ' + (100 * sum / "
	"number(frames[0], 'w')).toFixed(1) + ' %';\n"
	"	}\n"
	"	frames.forEach(function (frame) {\n"
	"		frame.addEventListener('click', function () { zoom(frame); });\n"
	"		frame.addEventListener('mouseover', function () { details.textContent = "
	"name(frame); });\n"
	"		frame.addEventListener('mouseout', function () { details.textContent = ''; "
	"});\n"
	"	});\n"
	"	svg.getElementById('reset').addEventListener('click', function () { if "
	"(frames.length) zoom(frames[0]); });\n"
	"	svg.getElementById('search').addEventListener('click', search);\n"
	"	window.addEventListener('keydown', function (event) {\n"
	"		if (event.key === '/' || (event.ctrlKey && event.key === 'f')) { "
	"event.preventDefault(); search(); }\n"
	"		if (event.key === 'Escape' && frames.length) zoom(frames[0]);\n"
	"	});\n"
	"})();\n"
	"]]></script>\n";

typedef struct Picture {
	LttFlame *flame;
	const LttFlameView *view;
	LttSink sink;
	guint32 depth; /* of the deepest frame that is drawn */
	double total;
} Picture;

static void add_text(Picture *picture, const char *text)
{
	ltt_sink_add(&picture->sink, text, strlen(text));
}

static void add_printf(Picture *picture, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Only for formats without floating-point conversions, which depend on the locale. */
static void add_printf(Picture *picture, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	add_text(picture, text);
}

static void add_number(Picture *picture, const char *attribute, double number)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE * 8];

	add_printf(picture, " %s=\"%s\"", attribute,
		   g_ascii_formatd(text, sizeof(text), "%.2f", number));
}

static void add_escaped(Picture *picture, const char *text)
{
	g_autoptr(GString) escaped = g_string_new(NULL);

	ltt_xml_append_text(escaped, text);
	ltt_sink_add(&picture->sink, escaped->str, escaped->len);
}

/* ---- frames ---- */

static double width_of(const Picture *picture, const LttFlameNode *node)
{
	return picture->total > 0 ? (double)node->total / picture->total * (WIDTH - 2 * MARGIN) : 0;
}

static void measure(Picture *picture, guint32 index)
{
	const LttFlameNode *node = ltt_flame_get_node(picture->flame, index);

	if (width_of(picture, node) < LEAST_WIDTH)
		return;
	picture->depth = MAX(picture->depth, node->depth);
	for (guint32 at = node->first; at != 0; at = ltt_flame_get_node(picture->flame, at)->next)
		measure(picture, at);
}

/* A warm colour that depends on the name only, so that pictures can be compared. */
static void add_colour(Picture *picture, const char *name)
{
	const guint hash = g_str_hash(name);

	add_printf(picture, " fill=\"rgb(%u,%u,%u)\"", 205 + hash % 50, 80 + hash / 50 % 150,
		   hash / 7500 % 55);
}

static char *describe_weight(const Picture *picture, gint64 weight)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE * 8];
	char share[G_ASCII_DTOSTR_BUF_SIZE * 8];
	const double part = picture->total > 0 ? 100 * (double)weight / picture->total : 0;

	g_ascii_formatd(share, sizeof(share), "%.2f", part);
	if (!picture->view->is_time)
		return g_strdup_printf("%" G_GINT64_FORMAT " samples, %s %%", weight, share);
	g_ascii_formatd(number, sizeof(number), "%.6f", (double)weight / 1e9);
	return g_strdup_printf("%s s, %s %%", number, share);
}

/* Returns: the beginning of a name that fits into a frame; "" if too few letters fit. */
static char *shorten(const char *name, double width)
{
	const glong room = (glong)((width - 6) / LETTER);
	g_autofree char *valid = g_utf8_make_valid(name, -1);
	g_autofree char *start = NULL;

	if (room < 3)
		return g_strdup("");
	if (g_utf8_strlen(valid, -1) <= room)
		return g_steal_pointer(&valid);
	start = g_utf8_substring(valid, 0, room - 2);
	return g_strconcat(start, "..", NULL);
}

static void add_frame(Picture *picture, const LttFlameNode *node, const char *name, double x)
{
	const double width = width_of(picture, node);
	const guint y = TOP + (picture->depth - node->depth) * ROW;
	g_autofree char *weight = describe_weight(picture, node->total);
	g_autofree char *label = shorten(name, width);
	g_autoptr(GString) attribute = g_string_new(NULL);

	ltt_xml_append_attribute(attribute, "data-name", name);
	add_text(picture, "<g class=\"frame\"");
	add_number(picture, "data-x", x);
	add_number(picture, "data-w", width);
	add_printf(picture, " data-d=\"%u\"%s><title>", node->depth, attribute->str);
	add_escaped(picture, name);
	add_text(picture, " (");
	add_escaped(picture, weight);
	add_text(picture, ")</title><rect");
	add_number(picture, "x", x + MARGIN);
	add_number(picture, "width", width);
	add_printf(picture, " y=\"%u\" height=\"%d\" rx=\"2\"", y, ROW - 1);
	add_colour(picture, name);
	add_text(picture, "/><text");
	add_number(picture, "x", x + MARGIN + 3);
	add_printf(picture, " y=\"%u\">", y + ROW - 5);
	add_escaped(picture, label);
	add_text(picture, "</text></g>\n");
}

static void draw(Picture *picture, guint32 index, double x)
{
	const LttFlameNode *node = ltt_flame_get_node(picture->flame, index);
	const char *name = index == LTT_FLAME_ROOT ? "all" : node->name;

	if (width_of(picture, node) < LEAST_WIDTH)
		return;
	add_frame(picture, node, name, x);
	for (guint32 at = node->first; at != 0; at = ltt_flame_get_node(picture->flame, at)->next) {
		draw(picture, at, x);
		x += width_of(picture, ltt_flame_get_node(picture->flame, at));
	}
}

/* ---- the picture ---- */

static void begin_picture(Picture *picture)
{
	const guint height = TOP + (picture->depth + 1) * ROW + BOTTOM;

	add_printf(picture,
		   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
		   "height=\"%u\" viewBox=\"0 0 %d %u\">\n",
		   WIDTH, height, WIDTH, height);
	add_text(picture, style);
	add_printf(picture,
		   "<rect width=\"%d\" height=\"%u\" fill=\"#f8f8f0\"/>\n"
		   "<text class=\"title\" x=\"%d\" y=\"26\">",
		   WIDTH, height, WIDTH / 2);
	add_escaped(picture, picture->view->title);
	add_printf(picture,
		   "</text>\n"
		   "<text class=\"button\" id=\"reset\" x=\"%d\" y=\"26\">Reset zoom</text>\n"
		   "<text class=\"button\" id=\"search\" x=\"%d\" y=\"26\">Search</text>\n"
		   "<text id=\"found\" x=\"%d\" y=\"46\"></text>\n"
		   "<text id=\"details\" x=\"%d\" y=\"%u\"></text>\n",
		   MARGIN, WIDTH - 80, WIDTH - 200, MARGIN, height - 10);
}

gboolean ltt_flame_write_svg(LttFlame *flame, const LttFlameView *view, LttWriteFunc write,
			     gpointer write_data, GError **error)
{
	Picture picture = {.flame = flame, .view = view};
	gboolean ok;

	ltt_flame_settle(flame);
	picture.total = (double)ltt_flame_get_node(flame, LTT_FLAME_ROOT)->total;
	ltt_sink_init(&picture.sink, write, write_data);
	measure(&picture, LTT_FLAME_ROOT);
	begin_picture(&picture);
	draw(&picture, LTT_FLAME_ROOT, 0);
	add_text(&picture, script);
	add_text(&picture, "</svg>\n");
	ltt_sink_hand_on(&picture.sink);
	ok = ltt_sink_check(&picture.sink, error);
	ltt_sink_clear(&picture.sink);
	return ok;
}
