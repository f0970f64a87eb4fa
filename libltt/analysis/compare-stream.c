/* compare-stream.c - see compare-stream-priv.h.
 *
 * The key of an event is a line of JSON in which properties that are not compared are constant, or
 * the SHA-256 of this line if it is long: the line of an event of 10 bytes can have 12 kB.
 */
#include "analysis/compare-stream-priv.h"

#include "base/job-priv.h"
#include "reader/block-priv.h"
#include "reader/tracefile-priv.h"

#include <string.h>

/* Longer lines are hashed. Such a key, in hexadecimal, is not the start of a line. */
#define MOST_LINE_BYTES 512

/* Replaces every tracefile if tracefiles are not compared. */
static LttTracefile any_tracefile = {.name = (char *)"", .label = (char *)""};

static gboolean take_text(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	LttCompareStream *stream = user_data;

	(void)error;
	if (!stream->is_hashed && stream->text->len + length <= MOST_LINE_BYTES) {
		g_string_append_len(stream->text, bytes, (gssize)length);
		return TRUE;
	}
	if (!stream->is_hashed)
		g_checksum_update(stream->hash, (const guchar *)stream->text->str,
				  (gssize)stream->text->len);
	stream->is_hashed = TRUE;
	g_checksum_update(stream->hash, (const guchar *)bytes, (gssize)length);
	return TRUE;
}

void ltt_compare_stream_init(LttCompareStream *stream, const LttCompareRequest *request,
			     guint index, GError **error)
{
	*stream = (LttCompareStream){
		.index = index,
		.request = request,
		.error = error,
		.merge = ltt_merge_new(request->traces[index], request->selects[index]),
		.kept = G_QUEUE_INIT,
		.text = g_string_new(NULL),
		.hash = g_checksum_new(G_CHECKSUM_SHA256),
	};
	stream->printer = ltt_printer_new("json", request->traces[index], NULL, take_text, stream);
}

void ltt_compare_stream_clear(LttCompareStream *stream)
{
	LttKeptEvent *kept;

	while ((kept = g_queue_pop_head(&stream->kept)) != NULL)
		ltt_kept_event_free(kept);
	ltt_printer_free(stream->printer);
	g_string_free(stream->text, TRUE);
	g_checksum_free(stream->hash);
	ltt_merge_free(stream->merge);
}

LttKeptEvent *ltt_kept_event_new(const LttEvent *event)
{
	LttKeptEvent *kept = g_new(LttKeptEvent, 1);
	guint8 *payload;

	*kept = (LttKeptEvent){.event = *event};
	payload = g_malloc0((gsize)event->payload_bytes + LTT_BLOCK_SLACK_BYTES);
	if (event->payload_bytes > 0)
		memcpy(payload, event->payload, event->payload_bytes);
	kept->event.payload = payload;
	return kept;
}

void ltt_kept_event_free(LttKeptEvent *kept)
{
	g_free((gpointer)kept->event.payload);
	g_free(kept->key);
	g_free(kept);
}

/* Returns: FALSE, with the error set, if @reason is not damage */
static gboolean report_damage(LttCompareStream *stream, const GError *reason)
{
	LttProblem problem;

	if (!g_error_matches(reason, LTT_ERROR, LTT_ERROR_CORRUPT)) {
		if (*stream->error == NULL)
			*stream->error = g_error_copy(reason);
		return FALSE;
	}
	ltt_problem_from_error(reason, &problem);
	problem.trace = stream->index;
	ltt_job_report(&stream->request->callbacks, &problem);
	return TRUE;
}

/* Reads the next event. Returns: FALSE at the end */
static gboolean lend(LttCompareStream *stream)
{
	while (stream->lent == NULL && !stream->has_ended) {
		g_autoptr(GError) error = NULL;
		const LttStep step = ltt_merge_next(stream->merge, &stream->lent, &error);

		if (step == LTT_STEP_EVENT)
			break;
		stream->lent = NULL;
		stream->has_ended = step == LTT_STEP_END;
		if (step != LTT_STEP_ERROR)
			continue;
		if (!report_damage(stream, error))
			stream->has_ended = TRUE;
		ltt_merge_skip_block(stream->merge);
	}
	return stream->lent != NULL;
}

const LttEvent *ltt_compare_stream_peek(LttCompareStream *stream)
{
	const LttKeptEvent *kept = g_queue_peek_head(&stream->kept);

	if (kept != NULL)
		return &kept->event;
	return lend(stream) ? stream->lent : NULL;
}

void ltt_compare_stream_drop(LttCompareStream *stream)
{
	LttKeptEvent *kept = g_queue_pop_head(&stream->kept);

	if (kept == NULL) {
		stream->lent = NULL;
		return;
	}
	stream->kept_bytes -= kept->event.payload_bytes;
	ltt_kept_event_free(kept);
}

guint ltt_compare_stream_keep(LttCompareStream *stream, guint n, const guint64 *time_ns)
{
	while (stream->kept.length < n && stream->kept_bytes < LTT_MAX_COMPARE_BYTES &&
	       lend(stream) && (time_ns == NULL || stream->lent->time_ns == *time_ns)) {
		stream->kept_bytes += stream->lent->payload_bytes;
		g_queue_push_tail(&stream->kept, ltt_kept_event_new(stream->lent));
		stream->lent = NULL;
	}
	return stream->kept.length;
}

char *ltt_compare_stream_make_key(LttCompareStream *stream, const LttEvent *event)
{
	const guint ignored = stream->request->ignored;
	LttEvent compared = *event;

	if ((ignored & LTT_COMPARE_IGNORE_TIME) != 0)
		compared.time_ns = 0;
	if ((ignored & LTT_COMPARE_IGNORE_TRACEFILE) != 0)
		compared.tracefile = &any_tracefile;
	if ((ignored & LTT_COMPARE_IGNORE_THREAD) != 0)
		compared.has_thread = FALSE;
	g_string_truncate(stream->text, 0);
	g_checksum_reset(stream->hash);
	stream->is_hashed = FALSE;
	ltt_printer_event(stream->printer, &compared, NULL);
	ltt_printer_flush(stream->printer, NULL);
	if (stream->is_hashed)
		return g_strdup(g_checksum_get_string(stream->hash));
	return g_strndup(stream->text->str, stream->text->len);
}

const char *ltt_compare_stream_get_key(LttCompareStream *stream, LttKeptEvent *kept)
{
	if (kept->key == NULL)
		kept->key = ltt_compare_stream_make_key(stream, &kept->event);
	return kept->key;
}
