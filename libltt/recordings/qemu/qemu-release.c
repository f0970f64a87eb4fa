/* qemu-release.c - what the releases of QEMU write into their logs.
 *
 * Ids are given in the order of LTT_QEMU_KINDS without gaps, each release leaving out what it does
 * not have; SHUTDOWN takes one for each cause and one more. So a few facts on a release make all
 * of its ids.
 */
#include "recordings/qemu/qemu-priv.h"

#include <string.h>

#define WORD(number) (0xe02000U + (number))

static const LttQemuRelease releases[] = {
	{"2.5", WORD(2), TRUE, FALSE, FALSE, FALSE, FALSE, TRUE, FALSE, FALSE, 1, 4, 3},
	{"2.6-2.8", WORD(4), TRUE, FALSE, TRUE, FALSE, FALSE, FALSE, FALSE, FALSE, 1, 4, 5},
	{"2.9", WORD(6), TRUE, FALSE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE, 1, 4, 6},
	{"2.10-2.11", WORD(6), TRUE, FALSE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE, 9, 4, 6},
	{"2.12", WORD(7), TRUE, FALSE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE, 9, 4, 6},
	{"3.0-3.1", WORD(7), TRUE, FALSE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE, 10, 4, 6},
	{"4.0-4.1", WORD(7), TRUE, FALSE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE, 11, 4, 6},
	{"4.2", WORD(8), TRUE, TRUE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE, 11, 8, 7},
	{"5.0", WORD(9), TRUE, TRUE, TRUE, TRUE, TRUE, FALSE, FALSE, FALSE, 11, 8, 7},
	{"5.1-7.0", WORD(10), TRUE, TRUE, TRUE, TRUE, TRUE, FALSE, FALSE, FALSE, 11, 8, 7},
	{"7.1", WORD(12), FALSE, TRUE, TRUE, TRUE, TRUE, FALSE, FALSE, FALSE, 11, 8, 7},
	{"7.2-10.2", WORD(12), FALSE, TRUE, TRUE, TRUE, TRUE, FALSE, FALSE, FALSE, 12, 8, 7},
	{"11.0 in development", WORD(13), FALSE, TRUE, TRUE, TRUE, TRUE, FALSE, TRUE, FALSE, 12, 8,
	 7},
	{"11.1", WORD(14), FALSE, TRUE, TRUE, TRUE, TRUE, FALSE, TRUE, TRUE, 12, 8, 7},
};

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

/* Returns: the ids that a kind takes */
static guint count_ids(const LttQemuRelease *release, LttQemuKind kind)
{
	if (ltt_qemu_is_async(kind))
		return kind == LTT_QEMU_ASYNC_BH || !release->has_async;
	switch (kind) {
	case LTT_QEMU_SHUTDOWN:
		return release->n_shutdowns;
	case LTT_QEMU_CHAR_WRITE:
	case LTT_QEMU_CHAR_READ_ALL:
	case LTT_QEMU_CHAR_READ_ALL_ERROR:
		return release->has_char;
	case LTT_QEMU_AUDIO_OUT:
	case LTT_QEMU_AUDIO_IN:
		return release->has_audio;
	case LTT_QEMU_RANDOM:
		return release->has_random;
	case LTT_QEMU_CP_CLOCK_WARP:
		return release->has_one_warp;
	case LTT_QEMU_CP_CLOCK_WARP_START:
	case LTT_QEMU_CP_CLOCK_WARP_ACCOUNT:
		return !release->has_one_warp;
	default:
		return 1;
	}
}

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
				.is_async =
					release->has_async && ltt_qemu_is_async((LttQemuKind)kind),
			};
	}
	numbering->end = (guint8)(id - 1);
}

/* ---- numbers inside of events ---- */

static const LttQemuKind async_kinds[] = {
	LTT_QEMU_ASYNC_BH,         LTT_QEMU_ASYNC_BH_ONESHOT, LTT_QEMU_ASYNC_INPUT,
	LTT_QEMU_ASYNC_INPUT_SYNC, LTT_QEMU_ASYNC_CHAR_READ,  LTT_QEMU_ASYNC_BLOCK,
	LTT_QEMU_ASYNC_NET,
};

gboolean ltt_qemu_find_async(const LttQemuRelease *release, guint8 number, LttQemuKind *kind)
{
	if (number >= release->n_async)
		return FALSE;
	*kind = async_kinds[number + (number > 0 && !release->has_oneshot)];
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
	if (number >
	    (release->has_one_warp ? LTT_QEMU_CHECKPOINT_RESET - 1 : LTT_QEMU_CHECKPOINT_RESET))
		return FALSE;
	if (!release->has_one_warp)
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

/* 2.10 to 3.1 have one cause for both of QMP's commands, 2.5 to 2.9 none at all. */
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

/* ---- arguments ---- */

static const LttQemuSpec input_specs[LTT_QEMU_N_INPUTS] = {
	[LTT_QEMU_KEY_NUMBER] = {{{"number", 8, FALSE}, {"down", 1, FALSE}}, 2, LTT_QEMU_NO_DATA},
	[LTT_QEMU_KEY_QCODE] = {{{"qcode", 4, FALSE}, {"down", 1, FALSE}}, 2, LTT_QEMU_NO_DATA},
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

LttQemuSpec ltt_qemu_get_spec(const LttQemuRelease *release, const LttQemuEvent *event)
{
	LttQemuSpec spec;

	if (event->kind == LTT_QEMU_ASYNC_INPUT)
		return input_specs[event->input];
	spec = specs[event->kind];
	if (event->kind == LTT_QEMU_AUDIO_OUT || event->kind == LTT_QEMU_AUDIO_IN)
		for (guint i = 0; i < spec.n_arguments; i++)
			spec.arguments[i].bytes = release->audio_bytes;
	if (event->kind == LTT_QEMU_AUDIO_IN && release->has_sample_counts)
		spec.n_arguments = 1;
	return spec;
}
