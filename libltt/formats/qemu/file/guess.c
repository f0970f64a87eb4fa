/* guess.c - determine the release of QEMU that wrote a log.
 *
 * The version in the header and the last byte, which is the id of END, together identify a release.
 * But an unfinished log has no version. A truncated log has no END, or its last byte is the END of
 * another release by chance. So the log is decoded with each possible release. The results are
 * ranked by these criteria, in this order:
 *
 *	1. the header has a version, all bytes decode, and the last event is END
 *	2. the header has a version, and the last byte is the id of END
 *	3. more bytes decode; a truncated last event counts with up to CUT_BYTES
 *	4. fewer events are implausible: see is_odd()
 *	5. all bytes decode, and the last event is END; in unfinished logs, mostly by chance
 *	6. the first event is an event that logs are known to begin with
 *	7. the offset of the first event that does not decode is greater
 *	8. the release is older
 *
 * If releases that decode different events are equal by criteria 1 to 6, the choice is a guess,
 * which LttQemuGuess.other indicates.
 */
#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "formats/qemu/file/qemu-priv.h"

#include <ltt/ltt-time.h>

#include <string.h>

#define TRIED_BYTES    ((guint64)4 * 1024 * 1024)
#define LEAST_EVENTS   2
#define CUT_BYTES      ((guint64)256)
#define VERSION_MASK   0xffffff00U
#define VERSION_FAMILY 0xe02000U

/* Plausible times of the clock of a host: the years 2000 to 2106. */
#define FIRST_TIME_NS (G_GINT64_CONSTANT(946684800) * (gint64)LTT_NS_PER_S)
#define LAST_TIME_NS  ((gint64)G_MAXUINT32 * (gint64)LTT_NS_PER_S)

/* Maximum plausible running time of a virtual machine: ten years. */
#define LONGEST_RUN_NS (G_GINT64_CONSTANT(10) * 366 * 24 * 3600 * (gint64)LTT_NS_PER_S)

/* FNV-1a */
#define HASH_BASIS G_GUINT64_CONSTANT(0xcbf29ce484222325)
#define HASH_PRIME G_GUINT64_CONSTANT(0x100000001b3)

/* Result of decoding a log with one release. */
typedef struct Trial {
	gboolean is_finished; /* the header has a version */
	gboolean is_whole;    /* all bytes decode, and the last event is END */
	gboolean ends_right;  /* is_finished, and the last byte of the file is the id of END */
	guint64 offset;       /* of the first event that does not decode or is truncated */
	guint64 reach;        /* offset plus the counted bytes of a truncated event */
	guint n_events;
	guint n_odd;              /* number of implausible events */
	gboolean begins_well;     /* the first event is not INSTRUCTION, as the setup comes first */
	gboolean begins_as_known; /* the first event is one that logs are known to begin with */
	guint64 hash;             /* of the decoded events */
} Trial;

/* Compares by criteria 1 to 6. Returns: > 0 if @trial is better; 0 if the two are equal */
static int weigh(const Trial *trial, const Trial *than)
{
	if (trial->is_finished && trial->is_whole != than->is_whole)
		return trial->is_whole ? 1 : -1;
	if (trial->ends_right != than->ends_right)
		return trial->ends_right ? 1 : -1;
	if (trial->reach != than->reach)
		return trial->reach > than->reach ? 1 : -1;
	if (trial->n_odd != than->n_odd)
		return trial->n_odd < than->n_odd ? 1 : -1;
	if (trial->is_whole != than->is_whole)
		return trial->is_whole ? 1 : -1;
	return (int)trial->begins_as_known - (int)than->begins_as_known;
}

static gboolean is_better(const Trial *trial, const Trial *than)
{
	const int weight = weigh(trial, than);

	return weight != 0 ? weight > 0 : trial->offset > than->offset;
}

/* Returns: whether QEMU never writes such an event: an implausible time, an instruction count of 0,
 * or the id after the ids of all causes */
static gboolean is_odd(const LttQemuEvent *event)
{
	const gint64 value = (gint64)event->numbers[0];

	switch (event->kind) {
	case LTT_QEMU_CLOCK_HOST:
		return value < FIRST_TIME_NS || value > LAST_TIME_NS;
	case LTT_QEMU_CLOCK_VIRTUAL_RT:
		return value < 0 || value > LONGEST_RUN_NS;
	case LTT_QEMU_INSTRUCTION:
		return value == 0;
	case LTT_QEMU_SHUTDOWN:
		return event->cause == LTT_QEMU_CAUSE_MAX;
	default:
		return FALSE;
	}
}

static void look_at_first(const LttQemuEvent *event, Trial *trial)
{
	trial->begins_well = event->kind != LTT_QEMU_INSTRUCTION;
	trial->begins_as_known = !is_odd(event) && (event->kind == LTT_QEMU_CP_INIT ||
						    event->kind == LTT_QEMU_CLOCK_HOST ||
						    event->kind == LTT_QEMU_CLOCK_VIRTUAL_RT);
}

static void add_to_hash(Trial *trial, guint64 number)
{
	trial->hash = (trial->hash ^ number) * HASH_PRIME;
}

static void look_at(const LttQemuEvent *event, Trial *trial)
{
	if (trial->n_events++ == 0)
		look_at_first(event, trial);
	if (is_odd(event))
		trial->n_odd++;
	add_to_hash(trial, event->kind);
	add_to_hash(trial, event->cause);
	add_to_hash(trial, event->checkpoint);
	add_to_hash(trial, event->input);
	for (guint i = 0; i < LTT_QEMU_MAX_ARGUMENTS; i++)
		add_to_hash(trial, event->numbers[i]);
	add_to_hash(trial, event->data_bytes);
}

/* Decodes events up to END, an error, or @limit bytes. */
static LttQemuTaken try_events(LttInput *input, const LttQemuNumbering *numbering, guint64 limit,
			       Trial *trial, GError **error)
{
	LttQemuTaken taken = LTT_QEMU_TAKEN;
	LttQemuEvent event = {.kind = LTT_QEMU_N_KINDS};

	while (trial->offset < limit && event.kind != LTT_QEMU_END) {
		taken = ltt_qemu_take_event(input, numbering, &trial->offset, &event, NULL, error);
		if (taken != LTT_QEMU_TAKEN)
			return taken;
		look_at(&event, trial);
	}
	trial->is_whole =
		event.kind == LTT_QEMU_END && ltt_input_get_rest(input, trial->offset) == 0;
	return taken;
}

/* @is_finished: the header has a version
 * @last: last byte of the file */
static gboolean try_release(LttInput *input, const LttQemuRelease *release, gboolean is_finished,
			    guint8 last, guint64 limit, Trial *trial, GError **error)
{
	LttQemuNumbering numbering;
	LttQemuTaken taken;

	ltt_qemu_numbering_init(&numbering, release);
	*trial = (Trial){.offset = LTT_QEMU_HEADER_BYTES,
			 .is_finished = is_finished,
			 .ends_right = is_finished && last == numbering.end,
			 .hash = HASH_BASIS};
	taken = try_events(input, &numbering, limit, trial, error);
	trial->reach = trial->offset;
	if (taken == LTT_QEMU_CUT)
		trial->reach += MIN(CUT_BYTES, ltt_input_get_rest(input, trial->offset));
	return taken != LTT_QEMU_FAILED;
}

static gboolean is_version(guint32 version)
{
	for (guint i = 0; i < ltt_qemu_n_releases(); i++)
		if (ltt_qemu_get_release(i)->version == version)
			return TRUE;
	return FALSE;
}

/* Results of all releases, by index of the release. */
typedef struct Trials {
	Trial trials[LTT_QEMU_MOST_RELEASES];
	guint32 tried; /* bit set of the tried releases */
	guint best;
} Trials;

/* Tries the releases with the version @version; if there are none, all releases.
 * @limit: number of bytes to decode */
static gboolean try_all(LttInput *input, guint32 version, guint64 limit, Trials *trials,
			GError **error)
{
	const gboolean is_known = is_version(version);
	const guint8 *at;
	guint8 last;

	trials->tried = 0;
	trials->best = 0;
	trials->trials[0] = (Trial){0};
	if (!ltt_input_get(input, ltt_input_get_size(input) - 1, 1, &at, error))
		return FALSE;
	last = *at;
	for (guint i = 0; i < ltt_qemu_n_releases(); i++) {
		const LttQemuRelease *release = ltt_qemu_get_release(i);

		if (is_known && release->version != version)
			continue;
		if (!try_release(input, release, version != 0, last, limit, &trials->trials[i],
				 error))
			return FALSE;
		if (trials->tried == 0 ||
		    is_better(&trials->trials[i], &trials->trials[trials->best]))
			trials->best = i;
		trials->tried |= (guint32)1 << i;
	}
	return TRUE;
}

/* Finds the releases that are equal to the best one by criteria 1 to 6. Separates those that decode
 * the same events from those that decode other ones. */
static void find_ties(const Trials *trials, LttQemuGuess *guess)
{
	const Trial *best = &trials->trials[trials->best];

	*guess = (LttQemuGuess){.release = ltt_qemu_get_release(trials->best)};
	for (guint i = 0; i < ltt_qemu_n_releases(); i++) {
		const Trial *trial = &trials->trials[i];

		if ((trials->tried & (guint32)1 << i) == 0 || i == trials->best ||
		    weigh(trial, best) != 0)
			continue;
		if (trial->hash == best->hash && trial->offset == best->offset)
			guess->alike |= (guint32)1 << i;
		else
			guess->other |= (guint32)1 << i;
	}
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
	const guint8 *bytes;
	const Trial *best;
	guint32 version;
	Trials trials;

	if (!read_version(input, &version, NULL))
		return FALSE;
	if ((version & VERSION_MASK) == VERSION_FAMILY)
		return TRUE;
	if (!ltt_input_get(input, 0, LTT_QEMU_HEADER_BYTES, &bytes, NULL) ||
	    memcmp(bytes, zeros, LTT_QEMU_HEADER_BYTES) != 0)
		return FALSE;
	if (!try_all(input, 0, TRIED_BYTES, &trials, NULL))
		return FALSE;
	best = &trials.trials[trials.best];
	return best->begins_as_known || (best->begins_well && best->n_events >= LEAST_EVENTS);
}

gboolean ltt_qemu_guess_release(LttInput *input, LttQemuGuess *guess, GError **error)
{
	gboolean is_known;
	guint32 version;
	Trials trials;

	if (!read_version(input, &version, error))
		return FALSE;
	is_known = is_version(version);
	if (!try_all(input, version, is_known || version == 0 ? TRIED_BYTES : G_MAXUINT64, &trials,
		     error))
		return FALSE;
	find_ties(&trials, guess);
	if (is_known || version == 0 || trials.trials[trials.best].is_whole)
		return TRUE;
	return ltt_fail_at(error, LTT_ERROR_UNSUPPORTED, ltt_input_get_name(input), LTT_NOWHERE, 0,
			   "unknown version 0x%x of a log of QEMU: expected 0x%x to "
			   "0x%x",
			   version, ltt_qemu_get_release(0)->version,
			   ltt_qemu_get_release(ltt_qemu_n_releases() - 1)->version);
}
