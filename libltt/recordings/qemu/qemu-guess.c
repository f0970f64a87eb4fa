/* qemu-guess.c - which release wrote a log.
 *
 * The version in the header and the last byte, the id of END, belong to one release together. But a
 * log that was not finished has no version, and one that was cut has no END, or by chance that of
 * another release. So each release in question is tried, and of several the oldest is taken
 *
 *  - that makes sense of all events and has its END at the end;
 *  - else, whose first event is the clock of the host at a time at which there was QEMU, as the
 *    first of all logs is: this event has other ids in most releases;
 *  - else, whose END the last byte is, if the log was finished;
 *  - else, that makes sense of the most bytes. A last event that is cut, and so makes sense of the
 *    end, counts as CUT_BYTES more.
 */
#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "recordings/qemu/qemu-priv.h"

#include <ltt/ltt-time.h>

#include <string.h>

#define TRIED_BYTES    ((guint64)4 * 1024 * 1024)
#define LEAST_EVENTS   2
#define CUT_BYTES      256
#define VERSION_MASK   0xffffff00U
#define VERSION_FAMILY 0xe02000U

/* Times that a host's clock can show: from 2000 to 2106. */
#define FIRST_TIME_NS (G_GINT64_CONSTANT(946684800) * (gint64)LTT_NS_PER_S)
#define LAST_TIME_NS  ((gint64)G_MAXUINT32 * (gint64)LTT_NS_PER_S)

/* What trying a release gave, in the order of what counts most. */
typedef struct Trial {
	gboolean is_whole;   /* END is the last byte, and all before it are events */
	gboolean tells_time; /* the first event is the clock of the host, which is sensible */
	gboolean ends_right; /* the log was finished, and the last byte would be END */
	guint64 offset;      /* of the first event that is none, or that the file ends in */
	gboolean is_cut;     /* of these, the latter */
	guint n_events;
	gboolean begins_well; /* not with instructions: machines are set up first */
} Trial;

static gboolean is_better(const Trial *trial, const Trial *than)
{
	if (trial->is_whole != than->is_whole)
		return trial->is_whole;
	if (trial->tells_time != than->tells_time)
		return trial->tells_time;
	if (trial->ends_right != than->ends_right)
		return trial->ends_right;
	return trial->offset + (trial->is_cut ? CUT_BYTES : 0) >
	       than->offset + (than->is_cut ? CUT_BYTES : 0);
}

static void look_at_first(const LttQemuEvent *event, Trial *trial)
{
	const gint64 value = (gint64)event->numbers[0];

	trial->begins_well = event->kind != LTT_QEMU_INSTRUCTION;
	trial->tells_time = event->kind == LTT_QEMU_CLOCK_HOST && value >= FIRST_TIME_NS &&
			    value <= LAST_TIME_NS;
}

/* Takes events until there is no more, or @limit is reached. */
static LttQemuTaken try_events(LttInput *input, const LttQemuNumbering *numbering, guint64 limit,
			       Trial *trial, GError **error)
{
	LttQemuTaken taken = LTT_QEMU_TAKEN;
	LttQemuEvent event = {.kind = LTT_QEMU_N_KINDS};

	while (trial->offset < limit && event.kind != LTT_QEMU_END) {
		taken = ltt_qemu_take_event(input, numbering, &trial->offset, &event, NULL, error);
		if (taken != LTT_QEMU_TAKEN)
			return taken;
		if (trial->n_events == 0)
			look_at_first(&event, trial);
		trial->n_events++;
	}
	trial->is_whole =
		event.kind == LTT_QEMU_END && ltt_input_get_rest(input, trial->offset) == 0;
	return taken;
}

/* @last: the last byte of a file that was finished; -1: it was not */
static gboolean try_release(LttInput *input, const LttQemuRelease *release, int last, guint64 limit,
			    Trial *trial, GError **error)
{
	LttQemuNumbering numbering;
	LttQemuTaken taken;

	ltt_qemu_numbering_init(&numbering, release);
	*trial = (Trial){.offset = LTT_QEMU_HEADER_BYTES, .ends_right = last == numbering.end};
	taken = try_events(input, &numbering, limit, trial, error);
	trial->is_cut = taken == LTT_QEMU_CUT;
	return taken != LTT_QEMU_FAILED;
}

/* @version: only releases of that version; 0: all. @limit: bytes that are tried */
static gboolean find_best(LttInput *input, guint32 version, guint64 limit,
			  const LttQemuRelease **best, Trial *best_trial, GError **error)
{
	const guint8 *at;
	int last;

	*best = NULL;
	if (!ltt_input_get(input, ltt_input_get_size(input) - 1, 1, &at, error))
		return FALSE;
	last = version != 0 ? *at : -1;
	for (guint i = 0; i < ltt_qemu_n_releases(); i++) {
		const LttQemuRelease *release = ltt_qemu_get_release(i);
		Trial trial;

		if (version != 0 && release->version != version)
			continue;
		if (!try_release(input, release, last, limit, &trial, error))
			return FALSE;
		if (*best == NULL || is_better(&trial, best_trial)) {
			*best = release;
			*best_trial = trial;
		}
	}
	return TRUE;
}

static gboolean read_version(LttInput *input, guint32 *version, GError **error)
{
	const guint8 *bytes;

	if (!ltt_input_get(input, 0, 4, &bytes, error))
		return FALSE;
	*version = ltt_load_u32(bytes, LTT_BIG_ENDIAN);
	return TRUE;
}

gboolean ltt_qemu_recognise(LttInput *input)
{
	static const guint8 zeros[LTT_QEMU_HEADER_BYTES];
	const LttQemuRelease *release;
	const guint8 *bytes;
	guint32 version;
	Trial trial = {.n_events = 0};

	if (!read_version(input, &version, NULL))
		return FALSE;
	if ((version & VERSION_MASK) == VERSION_FAMILY)
		return TRUE;
	if (!ltt_input_get(input, 0, LTT_QEMU_HEADER_BYTES, &bytes, NULL) ||
	    memcmp(bytes, zeros, LTT_QEMU_HEADER_BYTES) != 0)
		return FALSE;
	return find_best(input, 0, TRIED_BYTES, &release, &trial, NULL) &&
	       (trial.tells_time || (trial.begins_well && trial.n_events >= LEAST_EVENTS));
}

static gboolean is_version(guint32 version)
{
	for (guint i = 0; i < ltt_qemu_n_releases(); i++)
		if (ltt_qemu_get_release(i)->version == version)
			return TRUE;
	return FALSE;
}

gboolean ltt_qemu_guess_release(LttInput *input, const LttQemuRelease **release, GError **error)
{
	gboolean is_known;
	guint32 version;
	Trial trial = {.n_events = 0};

	if (!read_version(input, &version, error))
		return FALSE;
	is_known = is_version(version);
	if (!find_best(input, is_known ? version : 0,
		       is_known || version == 0 ? TRIED_BYTES : G_MAXUINT64, release, &trial,
		       error))
		return FALSE;
	if (is_known || version == 0 || trial.is_whole)
		return TRUE;
	return ltt_fail_at(error, LTT_ERROR_UNSUPPORTED, ltt_input_get_name(input), LTT_NOWHERE, 0,
			   "version 0x%x of a log of QEMU, which is not known: expected 0x%x to "
			   "0x%x",
			   version, ltt_qemu_get_release(0)->version,
			   ltt_qemu_get_release(ltt_qemu_n_releases() - 1)->version);
}
