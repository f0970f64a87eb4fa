/* Lost events: their reasons, and the numbers of them that a tracefile has. */
#include "support-session.h"
#include "unit.h"

#include "session/atomic.h"
#include "session/events.h"
#include "session/losses.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#define BEGIN "start 0 clock thread 7/1"

static void test_losses(void)
{
	TestSession test = test_session_new("losses", 0, LTTP_SESSION_ATTACH);
	struct lttp_head *head = test.session->head;
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	/* Before the first block: it begins with them. */
	lttp_writer_count_lost(&lane.writer);
	lttp_writer_count_lost(&lane.writer);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "none");
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " lost 2 e1}");
	/* An event that is in the block is updated. */
	lane.writer.loss = LTTP_LOST_QUOTA;
	lttp_writer_count_lost(&lane.writer);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " lost 3 e1}");
	CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " lost 3 e1 end 0}");
	/* A closed block has none of those that follow. */
	lttp_writer_count_lost(&lane.writer);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " lost 3 e1 end 0}");
	CU_ASSERT_EQUAL(test_lane_write(&lane, 2), LTTP_WRITTEN);
	EXPECT_EVENTS(&test, test_lane_file(&lane),
		      "{" BEGIN " lost 3 e1 end 0}{start 1 clock thread 7/1 lost 4 e2}");
	CU_ASSERT_EQUAL(head->losses.events[LTTP_LOST_BUSY], 3);
	CU_ASSERT_EQUAL(head->losses.events[LTTP_LOST_QUOTA], 1);
	CU_ASSERT_EQUAL(test_lane_state(&lane)->lost, 4);
	CU_ASSERT_EQUAL(head->lost, 0);

	/* In a block that has none. */
	test_lane_open(&lane, &test, 1, 1);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	lttp_writer_count_lost(&lane.writer);
	lttp_writer_count_lost(&lane.writer);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 2), LTTP_WRITTEN);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " e1 lost 2 e2}");
	/* In a full one. */
	CU_ASSERT_EQUAL(test_lane_fill(&lane, 3), (4016 - 26 - 38 - 14 - 3 * 14) / 14);
	lttp_writer_count_lost(&lane.writer);
	CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
	{
		g_autofree char *text = test_session_text(&test, test_lane_file(&lane));

		CU_ASSERT_TRUE(g_str_has_prefix(text, "{" BEGIN " e1 lost 3 e2 e3 e3"));
		CU_ASSERT_TRUE(g_str_has_suffix(text, " e3 e3 end 0}"));
	}
	test_session_free(&test);
}

/* Losses that the end of a block notes. */
static void test_losses_at_the_end(void)
{
	TestSession test = test_session_new("end", 0, LTTP_SESSION_ATTACH);
	struct lttp_file *file;
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	file = test_lane_state(&lane);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	file->lost = 5;
	CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " e1 lost 5 end 0}");

	/* The file takes 14 bytes more than events may, for one events_lost. */
	test_lane_open(&lane, &test, 1, 1);
	file = test_lane_state(&lane);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	test_lane_fill(&lane, 3);
	lttp_writer_count_lost(&lane.writer);
	CU_ASSERT_EQUAL((uint32_t)file->lost_tag, 26 + 38 + 14 + 281 * 14);
	lttp_writer_count_lost(&lane.writer);
	{
		g_autofree char *text = test_session_text(&test, test_lane_file(&lane));

		CU_ASSERT_TRUE(g_str_has_suffix(text, " e3 e3 lost 2}"));
	}
	/* No other one: the tag is of another block. */
	file->lost_tag = 0;
	lttp_writer_count_lost(&lane.writer);
	CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
	{
		g_autofree char *text = test_session_text(&test, test_lane_file(&lane));

		CU_ASSERT_TRUE(g_str_has_suffix(text, " e3 e3 lost 2 end 0}"));
	}
	test_session_free(&test);
}

/* Where the loss is noted: in a block that is full to the last byte, and not in other blocks. */
static void test_places_of_losses(void)
{
	TestSession test = test_session_new("loss-places", 0, LTTP_SESSION_ATTACH);
	struct lttp_head *head = test.session->head;
	uint64_t beat = head->beat_cycles;
	uint32_t delta = 1;
	struct lttp_file *file;
	TestLane lane;

	for (unsigned i = 0; i < 2; i++) {
		g_autofree char *text = NULL;

		test_lane_open(&lane, &test, i, 1);
		file = test_lane_state(&lane);
		CU_ASSERT_EQUAL(test_lane_write(&lane, 3), LTTP_WRITTEN);
		for (int beats = 0; beats < 4; beats++) {
			head->beat_cycles = 1;
			CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, 8), LTTP_AGAIN);
		}
		head->beat_cycles = beat;
		CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, 8), LTTP_AGAIN);
		test_lane_fill(&lane, 3);
		CU_ASSERT_EQUAL(lttp_word_next(*lttp_block_word(head, lane.here.block)), 4016);
		if (i == 0)
			lttp_writer_count_lost(&lane.writer);
		else
			file->lost = 1;
		CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
		text = test_session_text(&test, test_lane_file(&lane));
		CU_ASSERT_TRUE(g_str_has_suffix(text, " e3 e3 lost 1 end 0}"));
	}
	test_lane_open(&lane, &test, 2, 1);
	file = test_lane_state(&lane);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	file->lost_tag = LTTP_CURRENT(5, 40);
	lttp_writer_count_lost(&lane.writer);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " e1 lost 1}");
	file->lost_tag = LTTP_CURRENT(0, 26 + 38 + 14 + 14 + 14);
	/* The latest time that has no time value before it. */
	file->gate.limit_cycles = 1;
	lttp_writer_count_lost(&lane.writer);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " e1 lost 1 lost 2}");
	memcpy(&delta, lane.here.block + 26 + 38 + 14 + 14 + 14 + 2, 4);
	CU_ASSERT_EQUAL(delta, 0);
	file->lost = 9;
	CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " e1 lost 1 lost 9 end 0}");
	test_session_free(&test);
}

static void test_reasons(void)
{
	static const struct {
		int error;
		enum lttp_loss loss;
		const char *word;
	} cases[] = {
		{ENOSPC, LTTP_LOST_DISK_FULL, "disk_full"},
		{EDQUOT, LTTP_LOST_QUOTA, "quota"},
		{EFBIG, LTTP_LOST_FILE_SIZE, "file_size"},
		{EACCES, LTTP_LOST_NO_RIGHT, "no_right"},
		{EPERM, LTTP_LOST_NO_RIGHT, "no_right"},
		{EROFS, LTTP_LOST_READ_ONLY, "read_only"},
		{EHOSTDOWN, LTTP_LOST_NO_RECORDER, "no_recorder"},
		{EMFILE, LTTP_LOST_NO_DESCRIPTOR, "no_descriptor"},
		{ENFILE, LTTP_LOST_NO_DESCRIPTOR, "no_descriptor"},
		{ENOMEM, LTTP_LOST_NO_MEMORY, "no_memory"},
		{ENOENT, LTTP_LOST_NO_TRACE, "no_trace"},
		{ENOTDIR, LTTP_LOST_NO_TRACE, "no_trace"},
		{ESTALE, LTTP_LOST_NO_TRACE, "no_trace"},
		{EWOULDBLOCK, LTTP_LOST_NO_LANE, "no_lane"},
		{EOVERFLOW, LTTP_LOST_NO_FACILITY, "no_facility"},
		{EIO, LTTP_LOST_IO_ERROR, "io_error"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		CU_ASSERT_EQUAL(lttp_loss_of(-cases[i].error), cases[i].loss);
		UNIT_ASSERT_TEXT(lttp_loss_word(cases[i].loss), cases[i].word);
	}
	UNIT_ASSERT_TEXT(lttp_loss_word(LTTP_LOST_PROCESS_EVENT), "process_event");
	UNIT_ASSERT_TEXT(lttp_loss_word(LTTP_LOST_REASONS), "unknown");
}

/* Names of event types are taken from the description; they may not fit. */
static void test_large_types(void)
{
	g_autofree struct lttp_head *head = g_new0(struct lttp_head, 1);
	struct ltt_probe_facility facility = {
		.name = "disk",
		.checksum = 0xffffffff,
		.xml = "<facility>\n<event name=\"read\">\n<event name=\"write\"/>\n</facility>\n",
	};
	struct lttp_large *large = head->losses.large;
	g_autofree char *name = g_strnfill(80, 'n');

	lttp_loss_note_large(head, &facility, 1, 70000);
	lttp_loss_note_large(head, &facility, 1, 60000);
	lttp_loss_note_large(head, &facility, 0, 50000);
	lttp_loss_note_large(head, &facility, 2, 1);
	UNIT_ASSERT_TEXT(large[0].name, "disk.write");
	CU_ASSERT_EQUAL(large[0].key, 0xffffffff00000002);
	CU_ASSERT_TRUE(large[0].events == 2 && large[0].bytes == 70000);
	UNIT_ASSERT_TEXT(large[1].name, "disk.read");
	CU_ASSERT_TRUE(large[1].events == 1 && large[1].bytes == 50000);
	UNIT_ASSERT_TEXT(large[2].name, "disk.?");
	facility.xml = NULL;
	lttp_loss_note_large(head, &facility, 3, 1);
	UNIT_ASSERT_TEXT(large[3].name, "disk.?");
	facility.name = name;
	lttp_loss_note_large(head, &facility, 4, 1);
	CU_ASSERT_EQUAL(strlen(large[4].name), sizeof(large[4].name) - 1);
	for (unsigned i = 5; i < 20; i++)
		lttp_loss_note_large(head, &facility, i, i);
	CU_ASSERT_EQUAL(large[LTTP_LARGE_TYPES - 1].key, 0xffffffff00000008);
	CU_ASSERT_EQUAL(large[LTTP_LARGE_TYPES - 1].events, 1);
}

UNIT_MAIN("session-losses", UNIT(test_losses), UNIT(test_losses_at_the_end),
	  UNIT(test_places_of_losses), UNIT(test_reasons), UNIT(test_large_types))
