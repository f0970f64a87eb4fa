/* cache-priv.h - keep the map of a trace in a file, to draw the trace at once when it is opened again.
 *
 *	$XDG_CACHE_HOME/ltt/view/    0700, of the user
 *	    3f2a...e1.map            0600; the name is the key of the trace
 *	    3f2a...e1.map.k3q9xz     a file that is being written
 *
 *	file    magic | version | length | SHA-256 of the body | body
 *	body    key | counts | ends of the traces | names | lanes | counters | points | damage
 *
 * The key is the fingerprint of the trace (ltt-fingerprint.h) with the version of the file. It is
 * computed again when the map is made: if it has changed, nothing is stored.
 *
 * A file is not trusted: a wrong length, checksum, index or order drops it, and the trace is read. Files
 * appear by rename(2), so that a reader never finds a part of one. All of them together have at most
 * LTT_VIEW_CACHE_BYTES; the ones that were used longest ago are removed.
 */
#ifndef LTT_VIEW_CACHE_PRIV_H
#define LTT_VIEW_CACHE_PRIV_H

#ifndef LTT_BUILDING
#error "view/cache-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "base/serial-priv.h"
#include "view/map-priv.h"

/* The version of the packed form. Increment it whenever the form changes. */
#define LTT_VIEW_CACHE_VERSION 4

/* Returns: (transfer full) (nullable): the name of the file of a trace; NULL: the trace cannot be
 *   recognized */
char *ltt_view_cache_find_name(const LttViewMap *map);

/* Reads the file @name and sets what the two passes would make. Returns: FALSE, with the map
 *   unchanged, if there is no such file, or if it is damaged, which removes it */
gboolean ltt_view_cache_load(const LttViewCache *cache, const char *name, LttViewMap *map);

/* Stores the map if the trace is unchanged and the map depends on nothing else. Failures are not
 * errors: the trace is read again next time. */
void ltt_view_cache_save(const LttViewCache *cache, const char *name, LttViewMap *map);

/* Appends the map. Called with the lock of the map held. */
void ltt_view_map_pack(const LttViewMap *map, GByteArray *out);

/* Takes the map from bytes. Returns: FALSE, with the map unchanged, if they are damaged */
gboolean ltt_view_map_unpack(LttViewMap *map, const guint8 *bytes, gsize length);

/* The counts among them. @in: is_bad is set if they are damaged; @stat is valid, and owned, in any case */
void ltt_view_stat_pack(const LttStatSummary *stat, GByteArray *out);
void ltt_view_stat_unpack(LttStatSummary *stat, LttTrace *trace, LttSerial *in);

#endif
