/* Bytes written at any offset of a scratch file are read back from there. */
#include "unit.h"

#include "base/scratch-priv.h"
#include "base/window-priv.h"

#include <glib/gstdio.h>
#include <ltt/ltt-error.h>
#include <string.h>
#include <unistd.h>

#define SIZE ((gsize)9 * 1024 * 1024 + 12345)

static guint8 byte_at(guint64 place)
{
	return (guint8)(place * 2654435761U >> 13);
}

static LttWindow *open_scratch(LttScratch *scratch)
{
	g_autoptr(GError) error = NULL;
	const int fd = ltt_scratch_dup(scratch, &error);
	LttWindow *window = NULL;

	UNIT_ASSERT_OK(fd >= 0, error);
	window = ltt_window_new(fd, "scratch", &error);
	UNIT_ASSERT_OK(window != NULL, error);
	return window;
}

static void test_any_place(void)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(LttScratch) scratch = ltt_scratch_new(NULL, &error);
	g_autoptr(LttWindow) window = NULL;
	g_autofree guint8 *bytes = g_malloc(SIZE);
	g_autoptr(GRand) chance = g_rand_new_with_seed(1);

	for (gsize i = 0; i < SIZE; i++)
		bytes[i] = byte_at(i);
	/* Writes the second half first, in pieces of many sizes. */
	for (gsize at = SIZE / 2; at < SIZE;) {
		const gsize length = MIN((gsize)g_rand_int_range(chance, 1, 400000), SIZE - at);

		UNIT_ASSERT_OK(ltt_scratch_put(scratch, at, bytes + at, length, &error), error);
		at += length;
	}
	UNIT_ASSERT_OK(ltt_scratch_put(scratch, 0, bytes, SIZE / 2, &error), error);
	CU_ASSERT_EQUAL(ltt_scratch_get_size(scratch), SIZE);
	window = open_scratch(scratch);
	CU_ASSERT_EQUAL_FATAL(ltt_window_get_size(window), SIZE);
	for (guint i = 0; i < 3000; i++) {
		const gsize length = (gsize)g_rand_int_range(
			chance, 0, i % 10 == 0 ? 3 * LTT_WINDOW_MAX_BYTES : 300);
		const gsize at = (gsize)g_rand_int_range(chance, 0, (gint32)(SIZE - length));
		const guint8 *got = ltt_window_get(window, at, length, &error);

		CU_ASSERT_FATAL(got != NULL && memcmp(got, bytes + at, length) == 0);
	}
	CU_ASSERT_TRUE(ltt_window_has(window, SIZE, 0));
	CU_ASSERT_FALSE(ltt_window_has(window, SIZE, 1));
	CU_ASSERT_FALSE(ltt_window_has(window, G_MAXUINT64, G_MAXUINT64));
}

static void test_holes_are_zero(void)
{
	g_autoptr(LttScratch) scratch = ltt_scratch_new(NULL, NULL);
	g_autoptr(LttWindow) window = NULL;
	const guint8 *got;

	CU_ASSERT_TRUE(ltt_scratch_put(scratch, 1000000, "x", 1, NULL));
	window = open_scratch(scratch);
	got = ltt_window_get(window, 999990, 11, NULL);
	CU_ASSERT_FATAL(got != NULL);
	CU_ASSERT_EQUAL(memcmp(got, "\0\0\0\0\0\0\0\0\0\0x", 11), 0);
}

/* A file that is truncated while it is read causes an error. */
static void test_cut_short(void)
{
	g_autofree char *path = unit_temp_path("short");
	g_autoptr(GError) error = NULL;
	g_autoptr(LttWindow) window = NULL;

	CU_ASSERT_TRUE_FATAL(g_file_set_contents(path, "0123456789", 10, NULL));
	window = ltt_window_open(path, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(window);
	CU_ASSERT_EQUAL_FATAL(truncate(path, 4), 0);
	CU_ASSERT_PTR_NULL(ltt_window_get(window, 0, 10, &error));
	CU_ASSERT_TRUE(g_error_matches(error, LTT_ERROR, LTT_ERROR_IO));
	g_unlink(path);
}

#define PIECE  ((gsize)256 * 1024)
#define ROUNDS 9

/* Pieces that are read in turn are all cached: they can be read after the file is truncated to
 * 0. */
static void test_places_in_turn(void)
{
	static const gsize places[] = {0, 5 * PIECE, 16 * PIECE, 17 * PIECE, 31 * PIECE};
	g_autofree char *path = unit_temp_path("turns");
	g_autofree char *bytes = g_malloc(SIZE);
	g_autoptr(LttWindow) window = NULL;

	for (gsize i = 0; i < SIZE; i++)
		bytes[i] = (char)byte_at(i);
	CU_ASSERT_TRUE_FATAL(g_file_set_contents(path, bytes, SIZE, NULL));
	window = ltt_window_open(path, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(window);
	for (guint i = 0; i < ROUNDS * G_N_ELEMENTS(places); i++) {
		const gsize at = places[i % G_N_ELEMENTS(places)] + i;
		const guint8 *got = ltt_window_get(window, at, 1, NULL);

		CU_ASSERT_FATAL(got != NULL && *got == byte_at(at));
		if (i == (ROUNDS - 1) * G_N_ELEMENTS(places) - 1)
			CU_ASSERT_EQUAL_FATAL(truncate(path, 0), 0);
	}
	CU_ASSERT_PTR_NULL(ltt_window_get(window, 2 * PIECE, 1, NULL));
	g_unlink(path);
}

UNIT_MAIN("window", UNIT(test_any_place), UNIT(test_holes_are_zero), UNIT(test_cut_short),
	  UNIT(test_places_in_turn))
