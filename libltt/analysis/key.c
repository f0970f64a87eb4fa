/* key.c - see key-priv.h. */
#include "analysis/key-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "base/shortest-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

/* Linux has process ids of up to 22 bits. */
#define PID_BITS 22

/* ---- paths ---- */

gboolean ltt_key_path_parse(const char *text, LttKeyPath *path, GError **error)
{
	g_autofree char *field = NULL;
	LttLexer lexer;
	gboolean ok;

	*path = (LttKeyPath){.source = LTT_KEY_OF_TRACEFILE, .text = g_strdup(text)};
	if (text == NULL)
		return TRUE;
	if (g_str_equal(text, "thread")) {
		path->source = LTT_KEY_OF_THREAD;
		return TRUE;
	}
	path->is_of_process = g_str_has_suffix(text, LTT_KEY_OF_PROCESS);
	field = g_strndup(text,
			  strlen(text) - (path->is_of_process ? strlen(LTT_KEY_OF_PROCESS) : 0));
	ltt_lexer_init(&lexer, field);
	ok = ltt_lexer_next(&lexer, error) && ltt_operand_parse(&lexer, &path->operand, error) &&
	     (lexer.token.kind == LTT_TOKEN_END ||
	      ltt_lexer_out_of_place(&lexer, "the end of the field", error));
	ltt_lexer_clear(&lexer);
	if (!ok)
		return FALSE;
	if (path->operand.is_any || path->operand.is_length)
		return ltt_fail(error, LTT_ERROR_INVALID, "\"%s\": expected a single field", text);
	switch (path->operand.kind) {
	case LTT_OPERAND_PATH:
		path->source = LTT_KEY_OF_FIELD;
		return TRUE;
	case LTT_OPERAND_CPU:
	case LTT_OPERAND_PID:
	case LTT_OPERAND_TID:
		path->source = LTT_KEY_OF_NUMBER;
		return TRUE;
	case LTT_OPERAND_HOST:
		path->source = LTT_KEY_OF_HOST;
		return TRUE;
	default:
		return ltt_fail(error, LTT_ERROR_INVALID,
				"\"%s\": expected the name of a field, thread, pid, tid, cpu or "
				"host",
				text);
	}
}

void ltt_key_path_clear(LttKeyPath *path)
{
	ltt_operand_clear(&path->operand);
	g_clear_pointer(&path->text, g_free);
}

/* ---- getters ---- */

gboolean ltt_key_getter_init(LttKeyGetter *getter, const LttKeyPath *path, const LttLayout *layout)
{
	LttKeyGetter found = {.source = path->source,
			      .is_of_process = path->is_of_process,
			      .number = path->operand.kind};

	if (path->source == LTT_KEY_OF_FIELD &&
	    !ltt_place_find(layout, &path->operand, &found.place))
		return FALSE;
	*getter = found;
	return TRUE;
}

void ltt_key_getter_clear(LttKeyGetter *getter)
{
	ltt_place_clear(&getter->place);
}

LttKeyKind ltt_key_getter_get_kind(const LttKeyGetter *getter)
{
	switch (getter->source) {
	case LTT_KEY_OF_FIELD:
		if (getter->place.layout->kind == LTT_STRING)
			return LTT_KEY_STRING;
		return getter->place.layout->kind == LTT_FLOAT ? LTT_KEY_FLOAT : LTT_KEY_UINT;
	case LTT_KEY_OF_NUMBER:
		return LTT_KEY_UINT;
	case LTT_KEY_OF_HOST:
		return LTT_KEY_STRING;
	default:
		return LTT_KEY_THREAD;
	}
}

static LttKeyValue value_of_thread(const LttEvent *event)
{
	return (LttKeyValue){
		.kind = LTT_KEY_THREAD,
		.machine = event->tracefile->recording,
		.number = (guint64)event->pid << 32 | event->tid,
	};
}

/* Thread 0 is the idle thread, of which each CPU has one. */
LttKeyValue ltt_key_of_event(const LttEvent *event)
{
	if (event->has_thread && event->tid != 0)
		return value_of_thread(event);
	return (LttKeyValue){.kind = LTT_KEY_TRACEFILE,
			     .number = ltt_tracefile_get_index(event->tracefile)};
}

/* Sets the members one by one: a copy of a struct that was just written stalls the load. */
static inline void set_integer(LttKeyValue *value, const LttLayout *layout, const guint8 *bytes,
			       LttByteOrder byte_order)
{
	const gint64 number =
		layout->is_signed ? ltt_load_int(bytes, layout->width_bytes, byte_order)
				  : (gint64)ltt_load_uint(bytes, layout->width_bytes, byte_order);

	value->kind = layout->is_signed && number < 0 ? LTT_KEY_INT : LTT_KEY_UINT;
	value->machine = 0;
	value->number = (guint64)number;
	value->layout = layout->kind == LTT_ENUM ? layout : NULL;
	value->text = NULL;
	value->length = 0;
}

/* Returns: whether a field is an integer at the same offset in all payloads, the usual key */
static inline gboolean is_plain(const LttPlace *place)
{
	return place->n_hops == 0 && place->layout->kind != LTT_STRING &&
	       place->layout->kind != LTT_FLOAT;
}

static LttKeyValue value_of_float(const LttValue *field)
{
	/* The sum makes 0.0 of -0.0, which it equals. */
	const double number = ltt_value_get_float(field) + 0.0;
	LttKeyValue value = {.kind = LTT_KEY_FLOAT, .layout = field->layout};

	memcpy(&value.number, &number, sizeof(number));
	return value;
}

static gboolean get_field(const LttPlace *place, const LttEvent *event, LttKeyValue *value)
{
	LttValue field;

	if (is_plain(place)) {
		set_integer(value, place->layout, event->payload + place->offset_bytes,
			    event->byte_order);
		return TRUE;
	}
	if (!ltt_place_get(place, event, &field))
		return FALSE;
	switch (place->layout->kind) {
	case LTT_STRING:
		*value = (LttKeyValue){.kind = LTT_KEY_STRING};
		value->text = ltt_value_get_string(&field, &value->length);
		break;
	case LTT_FLOAT:
		*value = value_of_float(&field);
		break;
	default:
		set_integer(value, field.layout, field.bytes, field.byte_order);
		break;
	}
	return TRUE;
}

static gboolean get_value(const LttKeyGetter *getter, const LttEvent *event, LttKeyValue *value)
{
	switch (getter->source) {
	case LTT_KEY_OF_FIELD:
		return get_field(&getter->place, event, value);
	case LTT_KEY_OF_NUMBER:
		*value = (LttKeyValue){.kind = LTT_KEY_UINT};
		return ltt_filter_get_number(getter->number, event, &value->number);
	case LTT_KEY_OF_HOST:
		*value = (LttKeyValue){.kind = LTT_KEY_STRING, .text = ltt_event_get_host(event)};
		value->length = strlen(value->text);
		return TRUE;
	case LTT_KEY_OF_THREAD:
		*value = ltt_key_of_event(event);
		return event->has_thread;
	default:
		*value = ltt_key_of_event(event);
		return TRUE;
	}
}

gboolean ltt_key_get(const LttKeyGetter *getter, const LttEvent *event, LttKeyValue *value)
{
	if (!get_value(getter, event, value))
		return FALSE;
	if (G_UNLIKELY(getter->is_of_process)) {
		value->machine = event->tracefile->recording << PID_BITS ^ event->pid;
		return event->has_thread;
	}
	return TRUE;
}

/* ---- values ---- */

gboolean ltt_key_equal(const LttKeyValue *a, const LttKeyValue *b)
{
	return a->kind == b->kind && a->number == b->number && a->machine == b->machine &&
	       a->length == b->length &&
	       (a->length == 0 || memcmp(a->text, b->text, a->length) == 0);
}

guint64 ltt_key_hash(const LttKeyValue *value)
{
	const guint64 content =
		value->length > 0 ? ltt_hash_bytes(value->text, value->length) : value->number;

	return ltt_hash_pair((guint64)value->machine << 32 | value->kind, content);
}

static char *label_or_number(const LttKeyValue *value)
{
	const LttType *type = value->layout != NULL ? value->layout->type : NULL; /* enum */

	for (guint i = 0; type != NULL && i < ltt_type_get_n_labels(type); i++) {
		const LttLabel *label = ltt_type_get_label(type, i);

		if ((guint64)label->value == value->number &&
		    label->is_negative == (value->kind == LTT_KEY_INT))
			return g_strdup(label->name);
	}
	return value->kind == LTT_KEY_INT
		       ? g_strdup_printf("%" G_GINT64_FORMAT, (gint64)value->number)
		       : g_strdup_printf("%" G_GUINT64_FORMAT, value->number);
}

static char *float_text(const LttKeyValue *value)
{
	char text[LTT_SHORTEST_BYTES];
	double number;
	gsize length;

	memcpy(&number, &value->number, sizeof(number));
	length = value->layout->width_bytes == sizeof(float)
			 ? ltt_shortest_float((float)number, text)
			 : ltt_shortest_double(number, text);
	return g_strndup(text, length);
}

char *ltt_key_value_to_text(const LttKeyValue *value, const LttTrace *trace)
{
	switch (value->kind) {
	case LTT_KEY_UINT:
	case LTT_KEY_INT:
		return label_or_number(value);
	case LTT_KEY_FLOAT:
		return float_text(value);
	case LTT_KEY_STRING:
		return g_utf8_make_valid(value->text, (gssize)value->length);
	case LTT_KEY_THREAD:
		return g_strdup_printf("%u/%u", (guint)(value->number >> 32), (guint)value->number);
	case LTT_KEY_TRACEFILE:
		return g_strdup(ltt_tracefile_get_label(
			ltt_trace_get_tracefile(trace, (guint)value->number)));
	default:
		return g_strdup("");
	}
}
