/* Exports by the library: bytes of CTF packets, outputs, and cancelling. */
#include "support-trace.h"
#include "unit.h"

#include "formats/ctf/packet-priv.h"

#include <ltt/ltt-export.h>

#include <glib/gstdio.h>

/* ---- packets ---- */

static void add(LttCtfPacket *packet, guint64 time_ns, const char *payload, guint32 id)
{
	const LttEvent event = {.time_ns = time_ns,
				.payload = (const guint8 *)payload,
				.payload_bytes = 1,
				.has_thread = id == 2,
				.pid = 10,
				.tid = G_MAXUINT32};

	CU_ASSERT_TRUE(ltt_ctf_packet_add(packet, &event, id));
}

static void assert_packet(const LttCtfPacket *packet, const char *hex)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	g_byte_array_append(bytes, packet->bytes, (guint)packet->size);
	UNIT_ASSERT_BYTES(bytes, hex);
}

static void test_packet_little_endian(void)
{
	const LttCtfPacketInfo info = {.stream_class = LTT_CTF_CPU,
				       .instance = 5,
				       .begin_ns = 0x100,
				       .end_ns = 0x102,
				       .n_discarded = 9,
				       .cpu = 3};
	LttCtfPacket packet;

	ltt_ctf_packet_init(&packet, LTT_LITTLE_ENDIAN, FALSE);
	ltt_ctf_packet_begin(&packet, LTT_CTF_CPU);
	add(&packet, 0x101, "a", 1);
	add(&packet, 0x102, "b", 2);
	CU_ASSERT_FALSE(packet.falls);
	ltt_ctf_packet_end(&packet, &info);
	assert_packet(&packet, "c1 1f fc c1  01 00*3  05 00*7"
			       " 00 01 00*6  02 01 00*6  b0 02 00*6  b0 02 00*6  09 00*7  03 00*3"
			       " 01 00*3  01 01 00*6  61"
			       " 02 00*3  02 01 00*6  62");
	ltt_ctf_packet_clear(&packet);
}

/* The ids of an unknown thread are -1; an id with all bits set differs from that. */
static void test_packet_big_endian_with_threads(void)
{
	const LttCtfPacketInfo info = {.stream_class = LTT_CTF_CONTROL, .begin_ns = 1, .end_ns = 3};
	LttCtfPacket packet;

	ltt_ctf_packet_init(&packet, LTT_BIG_ENDIAN, TRUE);
	ltt_ctf_packet_begin(&packet, LTT_CTF_CONTROL);
	add(&packet, 2, "a", 1);
	add(&packet, 3, "b", 2);
	ltt_ctf_packet_end(&packet, &info);
	assert_packet(&packet, "c1 fc 1f c1  00*4  00*8"
			       " 00*7 01  00*7 03  00*6 03 90  00*6 03 90  00*8"
			       " 00*3 01  00*7 02  ff*8  ff*8  61"
			       " 00*3 02  00*7 03  00*7 0a  00*4 ff*4  62");
	ltt_ctf_packet_clear(&packet);
}

/* Events with equal times keep their order. */
static void test_packet_is_sorted_by_time(void)
{
	const LttCtfPacketInfo info = {.stream_class = LTT_CTF_CONTROL};
	LttCtfPacket packet;

	ltt_ctf_packet_init(&packet, LTT_LITTLE_ENDIAN, FALSE);
	for (guint round = 0; round < 2; round++) {
		ltt_ctf_packet_begin(&packet, LTT_CTF_CONTROL);
		CU_ASSERT_FALSE(packet.falls);
		add(&packet, 9, "a", 1);
		add(&packet, 5, "b", 1);
		add(&packet, 9, "c", 1);
		add(&packet, 5, "d", 1);
		add(&packet, 7, "e", 1);
		CU_ASSERT_TRUE(packet.falls);
		CU_ASSERT_EQUAL(packet.first_ns, 5);
		CU_ASSERT_EQUAL(packet.last_ns, 9);
		CU_ASSERT_TRUE(ltt_ctf_packet_sort(&packet));
		ltt_ctf_packet_end(&packet, &info);
		assert_packet(&packet,
			      "c1 1f fc c1  00*4  00*8  00*8  00*8  c8 03 00*6  c8 03 00*6  00*8"
			      " 01 00*3 05 00*7 62  01 00*3 05 00*7 64  01 00*3 07 00*7 65"
			      " 01 00*3 09 00*7 61  01 00*3 09 00*7 63");
	}
	ltt_ctf_packet_clear(&packet);
}

static void test_packet_grows(void)
{
	enum { N_EVENTS = 20000 };
	LttCtfPacket packet;

	ltt_ctf_packet_init(&packet, LTT_LITTLE_ENDIAN, FALSE);
	ltt_ctf_packet_begin(&packet, LTT_CTF_CPU);
	for (guint i = 0; i < N_EVENTS; i++)
		add(&packet, i, "x", i);
	CU_ASSERT_EQUAL(packet.n_events, N_EVENTS);
	CU_ASSERT_EQUAL(packet.size, 60 + N_EVENTS * 13);
	CU_ASSERT_EQUAL(packet.bytes[packet.size - 1], 'x');
	ltt_ctf_packet_clear(&packet);
}

/* ---- ltt_export() ---- */

static LttTrace *open_sample(void)
{
	g_autofree char *path = unit_data_path("ltt/sparse-cpus");
	g_autoptr(GError) error = NULL;
	LttTrace *trace = ltt_trace_open(path, &error);

	UNIT_ASSERT_OK(trace != NULL, error);
	return trace;
}

static gboolean gather(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)error;
	g_string_append_len(user_data, bytes, (gssize)length);
	return TRUE;
}

static gboolean refuse(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)bytes;
	(void)length;
	(void)user_data;
	g_set_error_literal(error, LTT_ERROR, LTT_ERROR_IO, "no more of this");
	return FALSE;
}

static void test_kinds(void)
{
	const LttExportKind *const *kinds = ltt_export_kinds();

	for (guint i = 0; kinds[i] != NULL; i++)
		CU_ASSERT_PTR_EQUAL(ltt_export_find_kind(kinds[i]->name), kinds[i]);
	CU_ASSERT_TRUE(ltt_export_find_kind("ctf")->makes_directory);
	CU_ASSERT_FALSE(ltt_export_find_kind("json")->makes_directory);
	CU_ASSERT_PTR_NULL(ltt_export_find_kind("nonesuch"));
}

static void test_wrong_requests(void)
{
	g_autoptr(LttTrace) trace = open_sample();
	LttExportRequest request = {.trace = trace, .kind = "nonesuch"};
	g_autoptr(GError) error = NULL;

	CU_ASSERT_FALSE(ltt_export(&request, NULL, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_INVALID, "nonesuch: unknown kind of export");
	g_clear_error(&error);
	request.kind = "ctf";
	CU_ASSERT_FALSE(ltt_export(&request, NULL, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_INVALID, "expected a path");
}

static void test_bytes_go_to_a_function(void)
{
	g_autoptr(LttTrace) trace = open_sample();
	g_autoptr(GString) text = g_string_new(NULL);
	LttExportRequest request = {
		.trace = trace, .kind = "json", .write = gather, .write_data = text};
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(ltt_export(&request, NULL, &error), error);
	CU_ASSERT_TRUE(g_str_has_prefix(text->str, "{\"time\":\""));
	CU_ASSERT_TRUE(g_str_has_suffix(text->str, "}\n"));

	request.write = refuse;
	CU_ASSERT_FALSE(ltt_export(&request, NULL, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_IO, "no more of this");
}

typedef struct Steps {
	guint n_told;
	guint end_after; /* 0: never */
	guint64 last_done;
	guint64 total;
} Steps;

static gboolean take_step(const LttProgress *progress, gpointer user_data)
{
	Steps *steps = user_data;

	CU_ASSERT_TRUE(progress->n_done > steps->last_done &&
		       progress->n_done <= progress->n_total);
	steps->last_done = progress->n_done;
	steps->total = progress->n_total;
	return ++steps->n_told != steps->end_after;
}

static gboolean is_empty(const char *directory)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);

	return dir != NULL && g_dir_read_name(dir) == NULL;
}

/* Cancelled after any step, an export leaves no files. */
static void test_progress_can_end_it(void)
{
	g_autoptr(LttTrace) trace = open_sample();
	g_autofree char *folder = unit_temp_path("ended");
	g_autofree char *path = g_build_filename(folder, "out", NULL);
	Steps steps = {0};
	const LttExportRequest request = {
		.trace = trace,
		.kind = "ctf",
		.path = path,
		.callbacks = {.on_progress = take_step, .user_data = &steps}};
	guint n_steps;

	CU_ASSERT_EQUAL_FATAL(g_mkdir(folder, 0700), 0);
	for (guint end_after = 1; end_after <= 3; end_after++) {
		g_autoptr(GError) error = NULL;

		steps = (Steps){.end_after = end_after};
		CU_ASSERT_FALSE(ltt_export(&request, NULL, &error));
		UNIT_ASSERT_ERROR(error, LTT_ERROR_CANCELLED, "cancelled");
		CU_ASSERT_EQUAL(steps.n_told, end_after);
		CU_ASSERT_TRUE(is_empty(folder));
	}
	steps = (Steps){0};
	CU_ASSERT_TRUE(ltt_export(&request, NULL, NULL));
	n_steps = steps.n_told;
	CU_ASSERT_TRUE(n_steps > 3 && steps.last_done == steps.total);
	CU_ASSERT_FALSE(is_empty(folder));
}

UNIT_MAIN("export", UNIT(test_packet_little_endian), UNIT(test_packet_big_endian_with_threads),
	  UNIT(test_packet_is_sorted_by_time), UNIT(test_packet_grows), UNIT(test_kinds),
	  UNIT(test_wrong_requests), UNIT(test_bytes_go_to_a_function),
	  UNIT(test_progress_can_end_it))
