/* segments.c - see segments-priv.h */
#include "print/segments-priv.h"

typedef enum SegmentKind {
	SEGMENT_TEMPLATE,
	SEGMENT_PRINT, /* the whole print expression */
	SEGMENT_FIELD, /* "name=" and the field as the expression prints it, or by its template */
} SegmentKind;

typedef struct Segment {
	SegmentKind kind;
	LttTemplate *tmpl; /* owned */
	guint member;
	char *name; /* of SEGMENT_FIELD, with the "="; owned */
	gsize name_bytes;
} Segment;

struct LttSegments {
	GArray *segments; /* of Segment */
	LttPrintExpr *print;
};

static void clear_segment(gpointer data)
{
	Segment *segment = data;

	ltt_template_free(segment->tmpl);
	g_free(segment->name);
}

/* ---- create ---- */

/* The members of a template. */
typedef struct Part {
	const LttSegmentsView *view;
	const LttLayout *layout;
	guint shows; /* bits of LttShow */
	gint only;   /* index of the only member, or ANY_MEMBER */
} Part;

#define ANY_MEMBER (-1)
#define ALL_SHOWS  (1u << LTT_SHOW_USUAL | 1u << LTT_SHOW_FIRST | 1u << LTT_SHOW_HIDDEN)

static LttShow show_of(const LttLayout *layout, const LttMember *member)
{
	return ltt_type_get_field(layout->type, (guint)(member - layout->members))->show;
}

static gboolean is_in_part(const LttMember *member, gconstpointer user_data)
{
	const Part *part = user_data;

	if (part->only >= 0)
		return member == &part->layout->members[part->only];
	return (part->shows & 1u << show_of(part->layout, member)) != 0 &&
	       ltt_choice_has(&part->view->choice, member);
}

static LttTemplate *make_template(const Part *part)
{
	const LttChoice choice = {is_in_part, part};

	LttStyle style = part->view->is_short ? ltt_style_short : ltt_style_text;

	style.names_errors = TRUE;
	style.machine = part->view->machine;
	style.addresses = part->view->addresses;
	return ltt_template_new(part->layout, &style, TRUE, &choice);
}

static void add_template(LttSegments *segments, const Part *part)
{
	Segment segment = {.kind = SEGMENT_TEMPLATE, .tmpl = make_template(part)};

	if (ltt_template_is_empty(segment.tmpl))
		ltt_template_free(segment.tmpl);
	else
		g_array_append_val(segments->segments, segment);
}

/* Adds the selected fields, each as the expression prints it. */
static void add_fields(LttSegments *segments, Part *part)
{
	for (guint i = 0; i < part->layout->n_members; i++) {
		const LttMember *member = &part->layout->members[i];
		Segment segment = {.kind = SEGMENT_FIELD, .member = i};

		if (!ltt_choice_has(&part->view->choice, member))
			continue;
		part->only = (gint)i;
		segment.tmpl = make_template(part);
		if (member->layout->kind == LTT_STRING) /* in quotes, as everywhere else */
			segment.kind = SEGMENT_TEMPLATE;
		segment.name = g_strconcat(member->name, "=", NULL);
		segment.name_bytes = strlen(segment.name);
		g_array_append_val(segments->segments, segment);
	}
}

LttSegments *ltt_segments_new(const LttEvent *event, const LttSegmentsView *view)
{
	LttSegments *segments = g_new0(LttSegments, 1);
	const LttLayout *layout = event->layout;
	const gboolean is_struct = layout != NULL && layout->kind == LTT_STRUCT;
	Part part = {.view = view, .layout = layout, .shows = ALL_SHOWS, .only = ANY_MEMBER};

	segments->segments = g_array_new(FALSE, FALSE, sizeof(Segment));
	g_array_set_clear_func(segments->segments, clear_segment);
	if (view->uses_print)
		segments->print = ltt_print_expr_new(event->type->print, layout, view->long_bytes);
	if (segments->print != NULL)
		ltt_print_expr_set_addresses(segments->print, view->addresses);
	if (!is_struct || (!view->is_brief && segments->print == NULL)) {
		add_template(segments, &part);
	} else if (!view->is_brief) {
		add_fields(segments, &part);
	} else {
		const Segment print = {.kind = SEGMENT_PRINT};

		part.shows = 1u << LTT_SHOW_FIRST;
		if (segments->print != NULL)
			g_array_append_val(segments->segments, print);
		else
			add_template(segments, &part);
		part.shows = 1u << LTT_SHOW_USUAL;
		add_template(segments, &part);
	}
	return segments;
}

void ltt_segments_free(LttSegments *segments)
{
	if (segments == NULL)
		return;
	g_array_unref(segments->segments);
	ltt_print_expr_free(segments->print);
	g_free(segments);
}

gboolean ltt_segments_is_empty(const LttSegments *segments)
{
	return segments->segments->len == 0;
}

LttTemplate *ltt_segments_take_only_template(LttSegments *segments)
{
	LttTemplate *tmpl;
	Segment *only;

	if (segments->segments->len != 1)
		return NULL;
	only = &g_array_index(segments->segments, Segment, 0);
	if (only->kind != SEGMENT_TEMPLATE)
		return NULL;
	tmpl = g_steal_pointer(&only->tmpl);
	g_array_set_size(segments->segments, 0);
	return tmpl;
}

/* ---- print ---- */

/* @room: how much the print expression may still write of the fields; the template writes the others */
static void fill_segment(const LttSegments *segments, const Segment *segment, LttSink *sink,
			 const LttEvent *event, gsize *room)
{
	if (segment->kind == SEGMENT_PRINT) {
		ltt_print_expr_fill(segments->print, sink, event->payload, event->payload_bytes,
				    event->byte_order);
		return;
	}
	if (segment->kind == SEGMENT_FIELD && *room > 0 &&
	    ltt_print_expr_has_field(segments->print, segment->member)) {
		ltt_sink_add(sink, segment->name, segment->name_bytes);
		ltt_print_expr_fill_field(segments->print, sink, segment->member, event->payload,
					  event->payload_bytes, event->byte_order, room);
		return;
	}
	ltt_template_fill(segment->tmpl, sink, event->payload, event->byte_order);
}

void ltt_segments_fill(const LttSegments *segments, LttSink *sink, const LttEvent *event)
{
	gsize room = ltt_print_expr_get_room(event->payload_bytes);

	for (guint i = 0; i < segments->segments->len; i++) {
		const Segment *segment = &g_array_index(segments->segments, Segment, i);

		/* The text of an expression can contain blanks: separate it by two. */
		if (i > 0 && (segment - 1)->kind == SEGMENT_PRINT)
			ltt_sink_add(sink, "  ", 2);
		else if (i > 0)
			ltt_sink_add_char(sink, ' ');
		fill_segment(segments, segment, sink, event, &room);
	}
}
