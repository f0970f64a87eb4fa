/* ring-priv.h - the pages of the kernel's ring buffer.
 *
 * per_cpu/cpuN/trace_pipe_raw of tracefs delivers pages as they are in the kernel:
 *
 *	timestamp     8 bytes, the clock at the start of the page
 *	commit        a long: bytes of events, and in bits 30 and 31 whether events are missing
 *	events        each a word of 32 bits: type_len 5 bits, time_delta 27 bits, then the payload
 *	lost count    a long, if bit 30 of commit is set
 *
 * type_len    meaning                          size of the record
 *	0      payload, its size in a word      4 + that size
 *	1-28   payload of 4 * type_len bytes    4 + that
 *	29     padding: the end of the page if time_delta is 0, otherwise a discarded event
 *	30     time_delta has 59 bits           8
 *	31     absolute time of 59 bits         8
 */
#ifndef LTT_TRACEPOINT_RING_PRIV_H
#define LTT_TRACEPOINT_RING_PRIV_H

#ifndef LTT_BUILDING
#error "tracepoint/ring-priv.h is private to libltt"
#endif

#include <ltt/ltt-arch.h>
#include <ltt/ltt-error.h>

/* The layout of a page, from events/header_page. */
typedef struct LttRingLayout {
	LttByteOrder byte_order;
	guint32 long_bytes;    /* size of commit and of the lost count: 4 or 8 */
	guint32 commit_offset; /* of commit */
	guint32 data_offset;   /* of the first event */
	guint32 page_bytes;    /* of the whole page */
} LttRingLayout;

/**
 * ltt_ring_layout_parse:
 * @text: contents of events/header_page; need not end with NUL
 *
 * Returns: FALSE with LTT_ERROR_UNSUPPORTED if a field is missing or has an unknown place or size
 */
gboolean ltt_ring_layout_parse(LttRingLayout *layout, const char *text, gsize length,
			       LttByteOrder byte_order, GError **error);

/* A position in a page. */
typedef struct LttRingPage {
	const LttRingLayout *layout;
	const guint8 *bytes;
	gsize at;          /* offset of the next record */
	gsize end;         /* offset of the first byte after the last record */
	guint64 time;      /* of the last event, in ticks of the trace clock */
	gboolean is_lossy; /* events between the previous page and this one are missing */
	guint64 n_lost;    /* number of them; 0 if is_lossy: unknown */
} LttRingPage;

typedef struct LttRingEvent {
	guint64 time;
	const guint8 *bytes; /* in the page */
	gsize size;          /* of the raw event, which may include padding */
	guint16 id;          /* of the tracepoint */
} LttRingEvent;

/**
 * ltt_ring_page_open:
 * @bytes: a page, which must outlive @page
 * @size: bytes that were read; a read may deliver less than a page
 *
 * Returns: FALSE with LTT_ERROR_CORRUPT
 */
gboolean ltt_ring_page_open(LttRingPage *page, const LttRingLayout *layout, const guint8 *bytes,
			    gsize size, GError **error);

typedef enum LttRingStep {
	LTT_RING_EVENT,
	LTT_RING_END,
	LTT_RING_ERROR, /* LTT_ERROR_CORRUPT; the rest of the page cannot be read */
} LttRingStep;

LttRingStep ltt_ring_page_next(LttRingPage *page, LttRingEvent *event, GError **error);

#endif
