/* support-filter.c - see support-filter.h */
#include "support-filter.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-payload.h>
#include <ltt/ltt-time.h>

#include <math.h>
#include <string.h>

/* The event types. */
static const char description[] =
	"<facility name='f'>"
	"<event name='all'><struct>"
	"<field name='i8'><int size='1'/></field><field name='i16'><int size='2'/></field>"
	"<field name='i32'><int size='4'/></field><field name='i64'><int size='8'/></field>"
	"<field name='u8'><uint size='1'/></field><field name='u16'><uint size='2'/></field>"
	"<field name='u32'><uint size='4'/></field><field name='u64'><uint size='8'/></field>"
	"<field name='f32'><float size='4'/></field><field name='f64'><float size='8'/></field>"
	"<field name='state'><enum size='2'><label name='Running'/><label name='Waiting'/>"
	"<label name='Busy' value='1'/><label name='Dead' value='7'/></enum></field>"
	"<field name='temp'><enum size='1'><label name='Cold' value='-5'/>"
	"<label name='Warm' value='3'/></enum></field>"
	"<field name='p'><struct><field name='x'><uint size='2'/></field><field name='q'><struct>"
	"<field name='z'><int size='2'/></field></struct></field></struct></field>"
	"<field name='arr'><array size='3'><uint size='2'/></array></field>"
	"<field name='pts'><array size='2'><struct><field name='x'><int size='4'/></field>"
	"<field name='y'><int size='4'/></field></struct></array></field>"
	"<field name='s'><string/></field>"
	"<field name='seq'><sequence lengthsize='1'><uint size='4'/></sequence></field>"
	"<field name='names'><sequence lengthsize='2'><string/></sequence></field>"
	"<field name='un'><union typecodesize='1'><field name='n'><uint size='4'/></field>"
	"<field name='t'><string/></field></union></field>"
	"<field name='tail'><uint size='4'/></field>"
	"<field name='last'><string/></field>"
	"</struct></event></facility>"
	"<facility name='g'>"
	"<event name='number'><uint size='4'/></event>"
	"<event name='empty'/>"
	"<event name='text'><string/></event>"
	"<event name='special'><struct><field name='time'><uint size='4'/></field>"
	"<field name='event'><string/></field><field name='cpu'><uint size='4'/></field>"
	"<field name='pid'><uint size='4'/></field><field name='data'><uint size='4'/></field>"
	"</struct></event>"
	"<event name='choice'><union typecodesize='2'><field name='n'><uint size='4'/></field>"
	"<field name='t'><string/></field></union></event>"
	"<event name='list'><array size='3'><int size='2'/></array></event>"
	"<event name='inner'><struct><field name='data'><struct>"
	"<field name='len'><uint size='1'/></field><field name='x'><uint size='1'/></field>"
	"</struct></field><field name='x'><uint size='1'/></field></struct></event>"
	"<event name='pair'><struct><field name='a'><int size='8'/></field>"
	"<field name='b'><uint size='8'/></field><field name='d'><float size='8'/></field>"
	"<field name='e'><float size='4'/></field><field name='s'><string/></field>"
	"<field name='k'><enum size='1'>one two three</enum></field></struct></event>"
	"</facility>";

struct FilterEvents {
	GPtrArray *facilities;
	LttLayouts *layouts[2];
	LttArch arch;
	GPtrArray *payloads; /* of GByteArray */
	LttEvent events[FILTER_N_EVENTS];
};

/* The differences between the two events of type f.all. */
typedef struct All {
	gint64 signed_numbers[4];
	guint64 unsigned_numbers[4];
	double narrow;
	double wide;
	gint64 state;
	gint64 temp;
	gint64 x;
	gint64 z;
	guint64 elements[3];
	const char *s;
	guint n_items;
	gboolean has_text;
	guint64 tail;
	const char *last;
} All;

static const All alls[2] = {
	{
		.signed_numbers = {-1, -300, 12, G_MININT64},
		.unsigned_numbers = {255, 65535, G_MAXUINT32, G_MAXUINT64},
		.narrow = 0.1f,
		.wide = 0.1,
		.state = 0,
		.temp = -5,
		.x = 7,
		.z = -7,
		.elements = {1, 2, 3},
		.s = "/lib/libc.so.6",
		.n_items = 2,
		.tail = 77,
		.last = "end",
	},
	{
		.signed_numbers = {127, 300, 13, G_MAXINT64},
		.unsigned_numbers = {0, 0, 0, (guint64)1 << 63},
		.narrow = NAN,
		.wide = -INFINITY,
		.state = 1,
		.temp = 4,
		.elements = {4, 5, 6},
		.s = "",
		.has_text = TRUE,
		.tail = 78,
		.last = "END",
	},
};

static void put_all(LttPayload *payload, const All *all)
{
	for (guint i = 0; i < 4; i++)
		ltt_payload_add_int(payload, (LttWidth)(1 << i), (guint64)all->signed_numbers[i]);
	for (guint i = 0; i < 4; i++)
		ltt_payload_add_int(payload, (LttWidth)(1 << i), all->unsigned_numbers[i]);
	ltt_payload_add_float(payload, LTT_WIDTH_4, all->narrow);
	ltt_payload_add_float(payload, LTT_WIDTH_8, all->wide);
	ltt_payload_add_int(payload, LTT_WIDTH_2, (guint64)all->state);
	ltt_payload_add_int(payload, LTT_WIDTH_1, (guint64)all->temp);
	ltt_payload_add_int(payload, LTT_WIDTH_2, (guint64)all->x);
	ltt_payload_add_int(payload, LTT_WIDTH_2, (guint64)all->z);
	for (guint i = 0; i < 3; i++)
		ltt_payload_add_int(payload, LTT_WIDTH_2, all->elements[i]);
	for (gint i = 1; i <= 4; i++) /* (1, -2), (3, -4) */
		ltt_payload_add_int(payload, LTT_WIDTH_4, (guint64)(i % 2 != 0 ? i : -i));
	ltt_payload_add_string(payload, all->s);
	ltt_payload_add_int(payload, LTT_WIDTH_1, all->n_items);
	for (guint i = 0; i < all->n_items; i++)
		ltt_payload_add_int(payload, LTT_WIDTH_4, 10 * (i + 1));
	ltt_payload_add_int(payload, LTT_WIDTH_2, all->n_items);
	for (guint i = 0; i < all->n_items; i++)
		ltt_payload_add_string(payload, i == 0 ? "a" : "bb");
	ltt_payload_add_int(payload, LTT_WIDTH_1, all->has_text ? 1 : 0);
	if (all->has_text)
		ltt_payload_add_string(payload, "txt");
	else
		ltt_payload_add_int(payload, LTT_WIDTH_4, 5);
	ltt_payload_add_int(payload, LTT_WIDTH_4, all->tail);
	ltt_payload_add_string(payload, all->last);
}

static void put_pair(LttPayload *payload, gint64 a, guint64 b, double d, double e, const char *s,
		     guint64 k)
{
	ltt_payload_add_int(payload, LTT_WIDTH_8, (guint64)a);
	ltt_payload_add_int(payload, LTT_WIDTH_8, b);
	ltt_payload_add_float(payload, LTT_WIDTH_8, d);
	ltt_payload_add_float(payload, LTT_WIDTH_4, e);
	ltt_payload_add_string(payload, s);
	ltt_payload_add_int(payload, LTT_WIDTH_1, k);
}

/* Fills in the payload of the event called @letter. Returns: the name of its type */
static const char *put(LttPayload *payload, char letter)
{
	static const guint32 special[] = {3, 9, 6};
	static const gint16 list[] = {-1, 0, 1};

	switch (letter) {
	case 'A':
	case 'B':
		put_all(payload, &alls[letter - 'A']);
		return "all";
	case 'C':
		ltt_payload_add_int(payload, LTT_WIDTH_4, 42);
		return "number";
	case 'D':
		return "empty";
	case 'E':
		ltt_payload_add_string(payload, "hello");
		return "text";
	case 'F':
		ltt_payload_add_int(payload, LTT_WIDTH_4, 5);
		ltt_payload_add_string(payload, "ev");
		for (guint i = 0; i < G_N_ELEMENTS(special); i++)
			ltt_payload_add_int(payload, LTT_WIDTH_4, special[i]);
		return "special";
	case 'G':
		ltt_payload_add_int(payload, LTT_WIDTH_2, 1);
		ltt_payload_add_string(payload, "hello");
		return "choice";
	case 'H':
		for (guint i = 0; i < G_N_ELEMENTS(list); i++)
			ltt_payload_add_int(payload, LTT_WIDTH_2, (guint64)list[i]);
		return "list";
	case 'I':
		for (guint i = 0; i < 3; i++)
			ltt_payload_add_int(payload, LTT_WIDTH_1, 5 - i); /* len 5, x 4; x 3 */
		return "inner";
	case 'J':
		put_pair(payload, -1, G_MAXUINT64, 0x1p53, 0.1f, "two", 1);
		return "pair";
	case 'K':
		put_pair(payload, (1LL << 53) + 1, (1ULL << 53) + 1, 5.000000006, 16777216.0,
			 "\303\251t\303\251", 0);
		return "pair";
	default:
		g_assert(letter == 'L');
		put_pair(payload, 5, 6, NAN, INFINITY, "one two\n", 9);
		return "pair";
	}
}

/* Returns: the layout of the event type called @name, whose type is set */
static const LttLayout *find_type(FilterEvents *all, const char *name, const LttEventType **type)
{
	for (guint i = 0; i < all->facilities->len; i++) {
		*type = ltt_facility_find_event(all->facilities->pdata[i], name);
		if (*type != NULL)
			return ltt_layouts_get(all->layouts[i], (*type)->index);
	}
	g_assert_not_reached();
}

static void make_event(FilterEvents *all, guint i)
{
	const char letter = (char)('A' + i);
	LttEvent *event = &all->events[i];
	LttPayload payload;
	const char *name;
	const char *why;
	gsize size;

	ltt_payload_init(&payload, &all->arch);
	name = put(&payload, letter);
	event->layout = find_type(all, name, &event->type);
	event->id = (guint16)(event->type->index + (letter < 'C' ? 4 : 10));
	event->payload_bytes = payload.bytes->len;
	event->byte_order = all->arch.byte_order;
	event->time_ns = letter == 'A'   ? 1050000000123456789U
			 : letter == 'B' ? 1050000001U * (guint64)LTT_NS_PER_S
					 : 5U * (guint64)LTT_NS_PER_S + i - 4; /* K: 5.000000006 */
	event->has_thread = letter <= 'B';
	event->pid = letter == 'A' ? 100 : 200;
	event->tid = 101;
	/* A buffer of the exact size, so that sanitizers detect reads past its end. */
	event->payload = g_memdup2(payload.bytes->data, payload.bytes->len);
	g_ptr_array_add(all->payloads, (gpointer)event->payload);
	g_assert(event->layout == NULL ||
		 (ltt_layout_measure(event->layout, event->payload, event->payload_bytes,
				     event->byte_order, &size, &why) &&
		  size == event->payload_bytes));
	ltt_payload_clear(&payload);
}

FilterEvents *filter_events_new(LttByteOrder byte_order)
{
	FilterEvents *all = g_new0(FilterEvents, 1);
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);

	all->arch = (LttArch){byte_order, LTT_LP64};
	all->facilities = ltt_eventdefs_parse(description, strlen(description), remarks);
	all->payloads = g_ptr_array_new_with_free_func(g_free);
	g_assert(all->facilities->len == 2);
	for (guint i = 0; i < 2; i++)
		all->layouts[i] = ltt_layouts_new(all->facilities->pdata[i], &all->arch);
	for (guint i = 0; i < FILTER_N_EVENTS; i++)
		make_event(all, i);
	return all;
}

void filter_events_free(FilterEvents *all)
{
	for (guint i = 0; i < 2; i++)
		ltt_layouts_free(all->layouts[i]);
	g_ptr_array_unref(all->payloads);
	g_ptr_array_unref(all->facilities);
	g_free(all);
}

const LttEvent *filter_events_get(const FilterEvents *all, guint index)
{
	return &all->events[index];
}
