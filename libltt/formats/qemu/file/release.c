/* release.c - differences between the logs of QEMU's releases.
 *
 * A release numbers its events in the order of LTT_QEMU_KINDS without gaps, and omits kinds that it
 * does not have. SHUTDOWN has one id for each cause and an additional one. So a few properties of a
 * release determine all of its ids.
 */
#include "formats/qemu/file/qemu-priv.h"

#include <string.h>

#define WORD(number) (0xe02000U + (number))

/* Properties of a release and of the later ones. */
#define OLDEST     (LTT_QEMU_HAS_ONE_ASYNC | LTT_QEMU_HAS_ALTGR)
#define SINCE_2_6  (OLDEST | LTT_QEMU_HAS_CHAR)
#define SINCE_2_9  (SINCE_2_6 | LTT_QEMU_HAS_AUDIO | LTT_QEMU_HAS_YEN)
#define SINCE_2_10 (SINCE_2_9 & ~LTT_QEMU_HAS_ALTGR)
#define SINCE_2_12 (SINCE_2_10 | LTT_QEMU_HAS_KATAKANA)
#define SINCE_4_2  (SINCE_2_12 | LTT_QEMU_HAS_ONESHOT)
#define SINCE_5_0  (SINCE_4_2 | LTT_QEMU_HAS_RANDOM_BYTES)
#define SINCE_7_1  (SINCE_5_0 & ~LTT_QEMU_HAS_ONE_ASYNC)
#define SINCE_11_0 (SINCE_7_1 | LTT_QEMU_HAS_SAMPLE_COUNTS)
#define SINCE_11_1 (SINCE_11_0 | LTT_QEMU_HAS_LINUX_KEYS)

static const LttQemuRelease releases[] = {
	{"2.5", WORD(2), OLDEST | LTT_QEMU_HAS_ONE_WARP, 1, 3, 4},
	{"2.6-2.8", WORD(4), SINCE_2_6, 1, 5, 4},
	{"2.9", WORD(6), SINCE_2_9, 1, 6, 4},
	{"2.10-2.11", WORD(6), SINCE_2_10, 9, 6, 4},
	{"2.12", WORD(7), SINCE_2_12, 9, 6, 4},
	{"3.0-3.1", WORD(7), SINCE_2_12, 10, 6, 4},
	{"4.0-4.1", WORD(7), SINCE_2_12, 11, 6, 4},
	{"4.2", WORD(8), SINCE_4_2, 11, 7, 8},
	{"5.0", WORD(9), SINCE_5_0, 11, 7, 8},
	{"5.1-7.0", WORD(10), SINCE_5_0, 11, 7, 8},
	{"7.1", WORD(12), SINCE_7_1, 11, 7, 8},
	{"7.2-10.2", WORD(12), SINCE_7_1, 12, 7, 8},
	{"11.0 in development", WORD(13), SINCE_11_0, 12, 7, 8},
	{"11.1", WORD(14), SINCE_11_1, 12, 7, 8},
};

G_STATIC_ASSERT(G_N_ELEMENTS(releases) <= LTT_QEMU_MOST_RELEASES);

guint ltt_qemu_n_releases(void)
{
	return G_N_ELEMENTS(releases);
}

const LttQemuRelease *ltt_qemu_get_release(guint index)
{
	return &releases[index];
}

guint ltt_qemu_release_index(const LttQemuRelease *release)
{
	return (guint)(release - releases);
}

static const char *const kind_names[] = {
#define KIND_NAME(name) #name,
	LTT_QEMU_KINDS(KIND_NAME)
#undef KIND_NAME
};

const char *ltt_qemu_kind_name(LttQemuKind kind)
{
	return kind_names[kind];
}

gboolean ltt_qemu_kind_from_name(const char *name, LttQemuKind *kind)
{
	for (guint i = 0; i < G_N_ELEMENTS(kind_names); i++) {
		if (g_str_equal(kind_names[i], name)) {
			*kind = (LttQemuKind)i;
			return TRUE;
		}
	}
	return FALSE;
}

/* ---- ids ---- */

/* Returns: the number of ids of a kind */
static guint count_ids(const LttQemuRelease *release, LttQemuKind kind)
{
	if (ltt_qemu_is_async(kind))
		return kind == LTT_QEMU_ASYNC_BH || !ltt_qemu_has(release, LTT_QEMU_HAS_ONE_ASYNC);
	switch (kind) {
	case LTT_QEMU_SHUTDOWN:
		return release->n_shutdowns;
	case LTT_QEMU_CHAR_WRITE:
	case LTT_QEMU_CHAR_READ_ALL:
	case LTT_QEMU_CHAR_READ_ALL_ERROR:
		return ltt_qemu_has(release, LTT_QEMU_HAS_CHAR);
	case LTT_QEMU_AUDIO_OUT:
	case LTT_QEMU_AUDIO_IN:
		return ltt_qemu_has(release, LTT_QEMU_HAS_AUDIO);
	case LTT_QEMU_RANDOM:
		return ltt_qemu_has(release, LTT_QEMU_HAS_RANDOM_BYTES);
	case LTT_QEMU_CP_CLOCK_WARP:
		return ltt_qemu_has(release, LTT_QEMU_HAS_ONE_WARP);
	case LTT_QEMU_CP_CLOCK_WARP_START:
	case LTT_QEMU_CP_CLOCK_WARP_ACCOUNT:
		return !ltt_qemu_has(release, LTT_QEMU_HAS_ONE_WARP);
	default:
		return 1;
	}
}

/* ---- numbers within events ---- */

static const LttQemuKind async_kinds[] = {
	LTT_QEMU_ASYNC_BH,         LTT_QEMU_ASYNC_BH_ONESHOT, LTT_QEMU_ASYNC_INPUT,
	LTT_QEMU_ASYNC_INPUT_SYNC, LTT_QEMU_ASYNC_CHAR_READ,  LTT_QEMU_ASYNC_BLOCK,
	LTT_QEMU_ASYNC_NET,
};

gboolean ltt_qemu_find_async(const LttQemuRelease *release, guint8 number, LttQemuKind *kind)
{
	if (number >= release->n_async)
		return FALSE;
	*kind = async_kinds[number + (number > 0 && !ltt_qemu_has(release, LTT_QEMU_HAS_ONESHOT))];
	return TRUE;
}

gboolean ltt_qemu_get_async(const LttQemuRelease *release, LttQemuKind kind, guint8 *number)
{
	LttQemuKind found;

	for (*number = 0; ltt_qemu_find_async(release, *number, &found); (*number)++)
		if (found == kind)
			return TRUE;
	return FALSE;
}

gboolean ltt_qemu_find_checkpoint(const LttQemuRelease *release, guint8 number,
				  LttQemuCheckpoint *checkpoint)
{
	if (number > (ltt_qemu_has(release, LTT_QEMU_HAS_ONE_WARP) ? LTT_QEMU_CHECKPOINT_RESET - 1
								   : LTT_QEMU_CHECKPOINT_RESET))
		return FALSE;
	if (!ltt_qemu_has(release, LTT_QEMU_HAS_ONE_WARP))
		*checkpoint = (LttQemuCheckpoint)number;
	else if (number == 0)
		*checkpoint = LTT_QEMU_CHECKPOINT_CLOCK_WARP;
	else
		*checkpoint = (LttQemuCheckpoint)(number + 1);
	return TRUE;
}

gboolean ltt_qemu_get_checkpoint(const LttQemuRelease *release, LttQemuCheckpoint checkpoint,
				 guint8 *number)
{
	LttQemuCheckpoint found;

	for (*number = 0; ltt_qemu_find_checkpoint(release, *number, &found); (*number)++)
		if (found == checkpoint)
			return TRUE;
	return FALSE;
}

/* QEMU 2.10 to 3.1 have one cause for both QMP commands. QEMU 2.5 to 2.9 have no causes. */
LttQemuCause ltt_qemu_find_cause(const LttQemuRelease *release, guint8 number)
{
	if (release->n_shutdowns == 1)
		return LTT_QEMU_CAUSE_NOT_TOLD;
	if (number + 1 >= release->n_shutdowns)
		return LTT_QEMU_CAUSE_MAX;
	if (release->n_shutdowns >= 11 || number < LTT_QEMU_CAUSE_HOST_QMP_QUIT)
		return (LttQemuCause)number;
	if (number == LTT_QEMU_CAUSE_HOST_QMP_QUIT)
		return LTT_QEMU_CAUSE_HOST_QMP;
	return (LttQemuCause)(number + 1);
}

gboolean ltt_qemu_get_cause(const LttQemuRelease *release, LttQemuCause cause, guint8 *number)
{
	for (*number = 0; *number < release->n_shutdowns; (*number)++)
		if (ltt_qemu_find_cause(release, *number) == cause)
			return TRUE;
	return FALSE;
}

/* ---- keys ---- */

/* A log contains the index of a key in QEMU's list QKeyCode. Since 2.12, QEMU has only appended to
 * the list. Before, it inserted keys and removed two. These are the places of the changes, as
 * indices in the present list. */
#define CTRL       5
#define HIRAGANA   122
#define MUHENKAN   125
#define KEYS       162
#define N_ALTGR    2 /* altgr and altgr_r preceded ctrl */
#define N_YEN      (MUHENKAN - HIRAGANA)
#define N_KATAKANA 2

guint32 ltt_qemu_find_qcode(const LttQemuRelease *release, guint64 number)
{
	if (ltt_qemu_has(release, LTT_QEMU_HAS_ALTGR) && number >= CTRL) {
		if (number < CTRL + N_ALTGR)
			return (guint32)(LTT_QEMU_QCODE_ALTGR + number - CTRL);
		number -= N_ALTGR;
	}
	if (!ltt_qemu_has(release, LTT_QEMU_HAS_YEN) && number >= HIRAGANA)
		number += N_YEN;
	if (!ltt_qemu_has(release, LTT_QEMU_HAS_KATAKANA) && number >= MUHENKAN)
		number += N_KATAKANA;
	return number < KEYS ? (guint32)number : LTT_QEMU_QCODE_UNKNOWN;
}

/* ---- arguments ---- */

static const LttQemuSpec input_specs[LTT_QEMU_N_INPUTS] = {
	[LTT_QEMU_KEY_NUMBER] = {{{"number", 8, FALSE}, {"down", 1, FALSE}}, 2, LTT_QEMU_NO_DATA},
	[LTT_QEMU_KEY_QCODE] = {{{"number", 4, FALSE}, {"down", 1, FALSE}}, 2, LTT_QEMU_NO_DATA},
	[LTT_QEMU_KEY_LINUX] = {{{"code", 4, FALSE}, {"down", 1, FALSE}}, 2, LTT_QEMU_NO_DATA},
	[LTT_QEMU_BUTTON] = {{{"button", 4, FALSE}, {"down", 1, FALSE}}, 2, LTT_QEMU_NO_DATA},
	[LTT_QEMU_RELATIVE] = {{{"axis", 4, FALSE}, {"value", 8, TRUE}}, 2, LTT_QEMU_NO_DATA},
	[LTT_QEMU_ABSOLUTE] = {{{"axis", 4, FALSE}, {"value", 8, TRUE}}, 2, LTT_QEMU_NO_DATA},
	[LTT_QEMU_TOUCH] = {{{"type", 4, FALSE},
			     {"slot", 8, TRUE},
			     {"tracking_id", 8, TRUE},
			     {"axis", 4, FALSE},
			     {"value", 8, TRUE}},
			    5,
			    LTT_QEMU_NO_DATA},
};

static const LttQemuSpec specs[LTT_QEMU_N_KINDS] = {
	[LTT_QEMU_INSTRUCTION] = {{{"count", 4, FALSE}}, 1, LTT_QEMU_NO_DATA},
	[LTT_QEMU_ASYNC_BH] = {{{"id", 8, FALSE}}, 1, LTT_QEMU_NO_DATA},
	[LTT_QEMU_ASYNC_BH_ONESHOT] = {{{"id", 8, FALSE}}, 1, LTT_QEMU_NO_DATA},
	[LTT_QEMU_ASYNC_CHAR_READ] = {{{"device", 1, FALSE}}, 1, LTT_QEMU_BYTES_DATA},
	[LTT_QEMU_ASYNC_BLOCK] = {{{"id", 8, FALSE}}, 1, LTT_QEMU_NO_DATA},
	[LTT_QEMU_ASYNC_NET] = {{{"adapter", 1, FALSE}, {"flags", 4, FALSE}},
				2,
				LTT_QEMU_BYTES_DATA},
	[LTT_QEMU_CHAR_WRITE] = {{{"result", 4, TRUE}, {"offset", 4, FALSE}}, 2, LTT_QEMU_NO_DATA},
	[LTT_QEMU_CHAR_READ_ALL] = {{{NULL, 0, FALSE}}, 0, LTT_QEMU_BYTES_DATA},
	[LTT_QEMU_CHAR_READ_ALL_ERROR] = {{{"error", 4, TRUE}}, 1, LTT_QEMU_NO_DATA},
	[LTT_QEMU_AUDIO_OUT] = {{{"played", 8, FALSE}}, 1, LTT_QEMU_NO_DATA},
	[LTT_QEMU_AUDIO_IN] = {{{"recorded", 8, FALSE}, {"position", 8, FALSE}},
			       2,
			       LTT_QEMU_SAMPLES},
	[LTT_QEMU_RANDOM] = {{{"result", 4, TRUE}}, 1, LTT_QEMU_BYTES_DATA},
	[LTT_QEMU_CLOCK_HOST] = {{{"value", 8, TRUE}}, 1, LTT_QEMU_NO_DATA},
	[LTT_QEMU_CLOCK_VIRTUAL_RT] = {{{"value", 8, TRUE}}, 1, LTT_QEMU_NO_DATA},
};

static void set_specs(LttQemuNumbering *numbering)
{
	static const LttQemuKind audio[] = {LTT_QEMU_AUDIO_OUT, LTT_QEMU_AUDIO_IN};

	memcpy(numbering->specs, specs, sizeof(specs));
	for (guint i = 0; i < G_N_ELEMENTS(audio); i++) {
		LttQemuSpec *spec = &numbering->specs[audio[i]];

		for (guint j = 0; j < spec->n_arguments; j++)
			spec->arguments[j].bytes = numbering->release->audio_bytes;
	}
	if (ltt_qemu_has(numbering->release, LTT_QEMU_HAS_SAMPLE_COUNTS))
		numbering->specs[LTT_QEMU_AUDIO_IN].n_arguments = 1;
}

const LttQemuSpec *ltt_qemu_get_spec(const LttQemuNumbering *numbering, const LttQemuEvent *event)
{
	return event->kind == LTT_QEMU_ASYNC_INPUT ? &input_specs[event->input]
						   : &numbering->specs[event->kind];
}

/* ---- the complete numbering ---- */

void ltt_qemu_numbering_init(LttQemuNumbering *numbering, const LttQemuRelease *release)
{
	guint id = 0;

	memset(numbering, 0, sizeof(*numbering));
	numbering->release = release;
	for (guint i = 0; i < G_N_ELEMENTS(numbering->ids); i++)
		numbering->ids[i].kind = LTT_QEMU_N_KINDS;
	for (guint kind = 0; kind < LTT_QEMU_N_KINDS; kind++) {
		const guint n_ids = count_ids(release, (LttQemuKind)kind);

		numbering->kinds[kind] = (guint8)id;
		for (guint i = 0; i < n_ids; i++, id++)
			numbering->ids[id] = (LttQemuId){
				.kind = (guint8)kind,
				.cause = (guint8)ltt_qemu_find_cause(release, (guint8)i),
				.is_async = ltt_qemu_has(release, LTT_QEMU_HAS_ONE_ASYNC) &&
					    ltt_qemu_is_async((LttQemuKind)kind),
			};
	}
	numbering->end = (guint8)(id - 1);
	set_specs(numbering);
}
