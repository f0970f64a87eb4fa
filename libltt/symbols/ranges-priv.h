/* ranges-priv.h - the mappings of one process, or symbols: which of them contain an address.
 *
 * Mappings come one at a time, in between of queries. Most are sorted by their start; the latest are
 * in the order in which they came, until there are enough of them to sort all again.
 *
 *	[ sorted by start, each with the highest end so far | latest ]
 */
#ifndef LTT_SYMBOLS_RANGES_PRIV_H
#define LTT_SYMBOLS_RANGES_PRIV_H

#ifndef LTT_BUILDING
#error "symbols/ranges-priv.h is private to libltt; use <ltt/ltt-symbols.h>"
#endif

#include <ltt/ltt-stack.h>

/* Maximum number of mappings of a process; further ones replace the oldest half. It bounds memory and
 * time for an untrusted trace. */
#define LTT_MAX_RANGES 65536

typedef struct LttRange {
	guint64 start;
	guint64 end;
	guint64 file_offset; /* of start */
	guint64 time_ns;
	guint64 highest_end;     /* of this range and those sorted before it */
	guint64 number;          /* in the order of time */
	const LttModule *module; /* NULL: code that is in no file */
	const char *symbol;      /* of such code */
} LttRange;

typedef struct LttRanges LttRanges;

LttRanges *ltt_ranges_new(void);
void ltt_ranges_free(LttRanges *ranges);

/* Adds a mapping, later than all others. One that is equal to the latest at all of its addresses is left
 * out. */
void ltt_ranges_add(LttRanges *ranges, const LttRange *range);

/* What contains an address at a time. */
typedef struct LttRangesAnswer {
	const LttRange *latest;   /* up to the time; NULL: none */
	const LttRange *earliest; /* after it; NULL: none */
} LttRangesAnswer;

/* The answer is valid until the next call. */
LttRangesAnswer ltt_ranges_find(LttRanges *ranges, guint64 address, guint64 time_ns);

#endif
