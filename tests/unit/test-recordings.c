/* Readers and writers of foreign formats reproduce the same bytes. Real recordings, truncated at
 * every byte and randomly damaged. */
#include "support-damage.h"
#include "support-trace.h"
#include "unit.h"

#include "formats/qemu/file/qemu-priv.h"
#include "formats/revent/file/revent-priv.h"

#include <ltt/ltt-error.h>

#include <string.h>

#define N_DAMAGES 400

/* Reads a file and writes it again. @out: gets the bytes
 * Returns: FALSE if it is not a recording of the kind; @n_parts counts the parts read */
typedef gboolean (*Again)(LttInput *input, GByteArray *out, guint *n_parts);

static gboolean revent_again(LttInput *input, GByteArray *out, guint *n_parts)
{
	g_autoptr(GError) error = NULL;
	LttReventReader reader;
	LttReventPart part;

	ltt_revent_reader_init(&reader, input);
	do {
		if (!ltt_revent_reader_next(&reader, &part, &error)) {
			CU_ASSERT(g_error_matches(error, LTT_ERROR, LTT_ERROR_UNSUPPORTED));
			return FALSE;
		}
		CU_ASSERT_EQUAL(part.offset, out->len);
		ltt_revent_put(out, &reader.header, &part);
		(*n_parts)++;
	} while (part.kind != LTT_REVENT_END);
	return TRUE;
}

static void put_qemu_part(const LttQemuReader *reader, const LttQemuPart *part, GByteArray *out)
{
	const guint32 version = GUINT32_TO_BE(part->header.version);

	if (part->kind == LTT_QEMU_PART_HEADER) {
		g_byte_array_append(out, (const guint8 *)&version, sizeof(version));
		g_byte_array_append(out, part->header.reserved, sizeof(part->header.reserved));
	} else if (part->kind == LTT_QEMU_PART_EVENT) {
		CU_ASSERT_TRUE(ltt_qemu_put_event(out, &reader->numbering, &part->event));
	} else if (part->kind == LTT_QEMU_PART_BYTES) {
		g_byte_array_append(out, part->bytes.bytes, part->bytes.length);
	}
}

static gboolean qemu_again(LttInput *input, GByteArray *out, guint *n_parts)
{
	g_autoptr(GError) error = NULL;
	LttQemuGuess guess;
	LttQemuReader reader;
	LttQemuPart part;

	ltt_qemu_recognise(input);
	if (!ltt_qemu_guess_release(input, &guess, &error)) {
		CU_ASSERT(g_error_matches(error, LTT_ERROR, LTT_ERROR_UNSUPPORTED) ||
			  g_error_matches(error, LTT_ERROR, LTT_ERROR_CORRUPT));
		return FALSE;
	}
	ltt_qemu_reader_init(&reader, input, guess.release);
	do {
		if (!ltt_qemu_reader_next(&reader, &part, &error)) {
			UNIT_ASSERT_OK(FALSE, error);
			return FALSE;
		}
		CU_ASSERT_EQUAL(part.offset, out->len);
		put_qemu_part(&reader, &part, out);
		(*n_parts)++;
	} while (part.kind != LTT_QEMU_PART_END);
	return TRUE;
}

/* A copy on the heap of the exact size, so that sanitizers detect reads past its end. */
static gboolean is_same_again(Again again, const guint8 *bytes, gsize length, guint *n_parts)
{
	g_autofree guint8 *copy = g_malloc(MAX(length, 1));
	g_autoptr(GByteArray) out = g_byte_array_new();
	g_autoptr(LttInput) input = NULL;

	memcpy(copy, bytes, length);
	input = ltt_input_new_memory("recording", copy, length);
	*n_parts = 0;
	if (!again(input, out, n_parts))
		return FALSE;
	CU_ASSERT_EQUAL(out->len, length);
	CU_ASSERT_TRUE(out->len == length && (length == 0 || memcmp(out->data, copy, length) == 0));
	return TRUE;
}

static GByteArray *load(const char *name)
{
	g_autofree char *folder = unit_data_path("");
	GByteArray *bytes = unit_file_bytes(folder, name);

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	return bytes;
}

static void check_every_length(Again again, const char *name)
{
	g_autoptr(GByteArray) bytes = load(name);
	guint before = 0;
	guint n_parts;

	for (guint length = 0; length <= bytes->len; length++) {
		if (is_same_again(again, bytes->data, length, &n_parts)) {
			/* One more byte can complete a part, and removes at most one. A truncated
			 * QEMU log may look like one of another release. */
			CU_ASSERT(again == qemu_again || n_parts + 2 >= before);
			before = n_parts;
		}
	}
	CU_ASSERT(before > 10);
}

static void check_damages(Again again, const char *name)
{
	g_autoptr(GByteArray) bytes = load(name);
	GRand *random = g_rand_new_with_seed(7);
	guint n_read = 0;
	guint n_parts;

	for (guint i = 0; i < N_DAMAGES; i++) {
		g_autoptr(GByteArray) damaged = g_byte_array_new();

		g_byte_array_append(damaged, bytes->data, bytes->len);
		unit_damage(random, damaged);
		n_read += is_same_again(again, damaged->data, damaged->len, &n_parts);
	}
	CU_ASSERT(n_read > N_DAMAGES / 2);
	g_rand_free(random);
}

static void check_noise(Again again, const char *beginning, gsize beginning_bytes)
{
	GRand *random = g_rand_new_with_seed(11);
	guint8 bytes[600];
	guint n_parts;

	for (guint i = 0; i < N_DAMAGES; i++) {
		for (gsize j = 0; j < sizeof(bytes); j++)
			bytes[j] = (guint8)(g_rand_boolean(random)
						    ? g_rand_int(random)
						    : (guint32)g_rand_int_range(random, 0, 40));
		memcpy(bytes, beginning, beginning_bytes);
		is_same_again(again, bytes, (gsize)g_rand_int_range(random, 0, sizeof(bytes)),
			      &n_parts);
	}
	g_rand_free(random);
}

static void test_revent_every_length(void)
{
	check_every_length(revent_again, "revent/v3-gamepad.revent");
	check_every_length(revent_again, "revent/v2-general.revent");
	check_every_length(revent_again, "revent/v1-general.revent");
	check_every_length(revent_again, "revent/headerless-24.revent");
}

static void test_revent_damaged(void)
{
	check_damages(revent_again, "revent/v3-gamepad.revent");
	check_damages(revent_again, "revent/v3-stdin-stop.revent");
	check_damages(revent_again, "revent/v1-general.revent");
	check_damages(revent_again, "revent/headerless-20-own.revent");
	check_noise(revent_again, "REVENT\3\0\1", 10);
	check_noise(revent_again, "REVENT\2\0\0", 10);
	check_noise(revent_again, "\2\0\0\0\1\0\0\0/\1\0\0\0/", 14);
}

static void test_qemu_every_length(void)
{
	check_every_length(qemu_again, "qemu/synthetic-2.12.rr");
	check_every_length(qemu_again, "qemu/synthetic-7.2.rr");
}

static void test_qemu_damaged(void)
{
	check_damages(qemu_again, "qemu/synthetic-2.12.rr");
	check_damages(qemu_again, "qemu/synthetic-7.2.rr");
	check_damages(qemu_again, "qemu/q2.12-block.rr");
	check_noise(qemu_again, "\0\340\40\2\0\0\0\0\0\0\0\0", 12);
	check_noise(qemu_again, "\0\340\40\7\0\0\0\0\0\0\0\0", 12);
	check_noise(qemu_again, "\0\340\40\16\0\0\0\0\0\0\0\0", 12);
	check_noise(qemu_again, "\0\0\0\0\0\0\0\0\0\0\0\0", 12);
}

/* ---- releases of QEMU ---- */

static guint8 get_end(const char *name)
{
	LttQemuNumbering numbering;

	for (guint i = 0; i < ltt_qemu_n_releases(); i++) {
		if (!g_str_equal(ltt_qemu_get_release(i)->name, name))
			continue;
		ltt_qemu_numbering_init(&numbering, ltt_qemu_get_release(i));
		CU_ASSERT_EQUAL(numbering.ids[numbering.end].kind, LTT_QEMU_END);
		CU_ASSERT_EQUAL(numbering.kinds[LTT_QEMU_END], numbering.end);
		return numbering.end;
	}
	return 0;
}

static void test_qemu_numberings(void)
{
	static const struct {
		const char *name;
		guint8 end;
	} ends[] = {
		{"2.5", 15},     {"2.6-2.8", 19},  {"2.9", 21},  {"2.10-2.11", 29}, {"2.12", 29},
		{"3.0-3.1", 30}, {"4.0-4.1", 31},  {"4.2", 31},  {"5.0", 32},       {"5.1-7.0", 32},
		{"7.1", 38},     {"7.2-10.2", 39}, {"11.1", 39},
	};
	LttQemuNumbering numbering;

	for (guint i = 0; i < G_N_ELEMENTS(ends); i++)
		CU_ASSERT_EQUAL(get_end(ends[i].name), ends[i].end);
	ltt_qemu_numbering_init(&numbering, ltt_qemu_get_release(6));
	CU_ASSERT_STRING_EQUAL(numbering.release->name, "4.0-4.1");
	CU_ASSERT_EQUAL(numbering.kinds[LTT_QEMU_CHAR_WRITE], 15);
	CU_ASSERT_EQUAL(numbering.kinds[LTT_QEMU_CLOCK_HOST], 20);
	CU_ASSERT_EQUAL(numbering.kinds[LTT_QEMU_CP_RESET], 30);
}

/* Writes and reads each kind of event of a release. */
static void check_kind(const LttQemuNumbering *numbering, LttQemuEvent *event, guint *n_taken)
{
	const LttQemuSpec *spec = ltt_qemu_get_spec(numbering, event);
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	g_autoptr(LttInput) input = NULL;
	LttQemuEvent got;
	guint64 offset = 0;

	for (guint i = 0; i < spec->n_arguments; i++)
		event->numbers[i] = spec->arguments[i].bytes == 1 ? i + 1 : 0x12345678 + i;
	if (spec->data == LTT_QEMU_BYTES_DATA) {
		event->data = (const guint8 *)"data";
		event->data_bytes = 4;
	}
	if (spec->data == LTT_QEMU_SAMPLES) {
		event->numbers[0] = 1;
		event->data = (const guint8 *)"one audio sample";
		event->data_bytes = 16;
	}
	if (!ltt_qemu_put_event(bytes, numbering, event))
		return;
	(*n_taken)++;
	input = ltt_input_new_memory("event", bytes->data, bytes->len);
	CU_ASSERT_EQUAL(ltt_qemu_take_event(input, numbering, &offset, &got, NULL, NULL),
			LTT_QEMU_TAKEN);
	CU_ASSERT_EQUAL(offset, bytes->len);
	CU_ASSERT_EQUAL(got.kind, event->kind);
	CU_ASSERT_EQUAL(memcmp(got.numbers, event->numbers, sizeof(got.numbers)), 0);
	CU_ASSERT_EQUAL(got.data_bytes, event->data_bytes);
	CU_ASSERT(got.data_bytes == 0 || memcmp(got.data, event->data, got.data_bytes) == 0);
	if (event->kind == LTT_QEMU_SHUTDOWN)
		CU_ASSERT_EQUAL(got.cause, event->cause);
	if (event->kind == LTT_QEMU_ASYNC_INPUT)
		CU_ASSERT_EQUAL(got.input, event->input);
	if (ltt_qemu_is_async(event->kind))
		CU_ASSERT_EQUAL(got.checkpoint, event->checkpoint);
}

static guint count_kinds(const LttQemuRelease *release)
{
	LttQemuNumbering numbering;
	guint n_taken = 0;

	ltt_qemu_numbering_init(&numbering, release);
	for (guint kind = 0; kind < LTT_QEMU_N_KINDS; kind++) {
		const guint n_forms = kind == LTT_QEMU_SHUTDOWN      ? LTT_QEMU_CAUSE_MAX + 1
				      : kind == LTT_QEMU_ASYNC_INPUT ? LTT_QEMU_N_INPUTS
								     : 1;

		for (guint form = 0; form < n_forms; form++) {
			LttQemuEvent event = {.kind = (LttQemuKind)kind,
					      .cause = (LttQemuCause)form,
					      .input = (LttQemuInput)(form % LTT_QEMU_N_INPUTS),
					      .checkpoint =
						      ltt_qemu_has(release, LTT_QEMU_HAS_ONE_ASYNC)
							      ? LTT_QEMU_CHECKPOINT_CLOCK_VIRTUAL
							      : LTT_QEMU_CHECKPOINT_NOT_TOLD};

			check_kind(&numbering, &event, &n_taken);
		}
	}
	return n_taken;
}

static void test_qemu_kinds_of_all_releases(void)
{
	/* ids, minus one for ASYNC, which has kinds, and five or six inputs */
	static const guint expected[] = {23, 29, 32, 40, 40, 41, 42, 43, 44, 44, 44, 45, 45, 44};

	CU_ASSERT_EQUAL_FATAL(ltt_qemu_n_releases(), G_N_ELEMENTS(expected));
	for (guint i = 0; i < G_N_ELEMENTS(expected); i++)
		CU_ASSERT_EQUAL(count_kinds(ltt_qemu_get_release(i)), expected[i]);
}

/* ---- recorded sound of unknown length ---- */

static const char audio_log[] = "\0\340\40\14\0\0\0\0\0\0\0\0"         /* 7.2 */
				"\45"                                  /* CP_INIT */
				"\32\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\5"; /* AUDIO_IN */

static guint count_audio(const guint8 *behind, gsize length, guint32 *data_bytes)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	g_autoptr(LttInput) input = NULL;
	LttQemuReader reader;
	LttQemuPart part;
	guint n_events = 0;

	g_byte_array_append(bytes, (const guint8 *)audio_log, sizeof(audio_log) - 1);
	g_byte_array_append(bytes, behind, (guint)length);
	input = ltt_input_new_memory("log", bytes->data, bytes->len);
	ltt_qemu_reader_init(&reader, input, ltt_qemu_get_release(11));
	while (ltt_qemu_reader_next(&reader, &part, NULL) && part.kind != LTT_QEMU_PART_END) {
		n_events += part.kind == LTT_QEMU_PART_EVENT;
		if (part.kind == LTT_QEMU_PART_EVENT && part.event.kind == LTT_QEMU_AUDIO_IN)
			*data_bytes = part.event.data_bytes;
	}
	return n_events;
}

static void test_qemu_sound(void)
{
	static const guint8 none[] = {36, 36, 30, 30, 36, 36, 36, 39};
	guint8 some[2 * LTT_QEMU_SAMPLE_BYTES + 2] = {0xfe, 0xfd};
	guint32 data_bytes = 0;

	some[sizeof(some) - 2] = 36;
	some[sizeof(some) - 1] = 39;
	CU_ASSERT_EQUAL(count_audio(some, sizeof(some), &data_bytes), 4);
	CU_ASSERT_EQUAL(data_bytes, 32);
	CU_ASSERT_EQUAL(count_audio(none, sizeof(none), &data_bytes), 10);
	CU_ASSERT_EQUAL(data_bytes, 0);
}

UNIT_MAIN("recordings", UNIT(test_revent_every_length), UNIT(test_revent_damaged),
	  UNIT(test_qemu_every_length), UNIT(test_qemu_damaged), UNIT(test_qemu_numberings),
	  UNIT(test_qemu_kinds_of_all_releases), UNIT(test_qemu_sound))
