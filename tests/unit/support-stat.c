/* support-stat.c - see support-stat.h */
#include "support-stat.h"

#include "support-trace.h"
#include "unit.h"
#include "writer/block-writer-priv.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-payload.h>
#include <ltt/ltt-writer.h>

#include <stdlib.h>
#include <string.h>

struct StatScene {
	LttSystem *system;
	char *path;
	GHashTable *files; /* of GByteArray, by name */
	guint32 tracer;    /* base codes */
	guint32 disk;
	guint n_processes;
	LttTrace *counted; /* that was counted last; its names live in it */
};

/* Of tracer.xml. */
enum {
	TRACER_THREAD,
	TRACER_EVENTS_LOST,
	TRACER_CLOCK,
	TRACER_PROCESS_START,
};

static LttFacility *disk_facility(void)
{
	LttFacility *facility = ltt_facility_new("disk");

	ltt_facility_add_event(facility, "idle", NULL, NULL);
	ltt_facility_add_event(facility, "read", NULL, ltt_type_new_uint(LTT_WIDTH_8));
	g_assert(ltt_facility_seal(facility, NULL));
	return facility;
}

StatScene *stat_scene_new(gsize block_bytes)
{
	static guint n_scenes;
	g_autofree char *name = g_strdup_printf("stat-%u", n_scenes++);
	g_autoptr(LttFacility) disk = disk_facility();
	g_autoptr(LttTraceWriter) writer = NULL;
	g_autofree char *cpu = NULL;
	StatScene *scene = g_new0(StatScene, 1);

	scene->system = unit_system_new(LTT_BIG_ENDIAN, LTT_LP64, block_bytes);
	scene->path = unit_temp_path(name);
	scene->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					     (GDestroyNotify)g_byte_array_unref);
	writer = ltt_trace_writer_new(scene->path, scene->system, NULL, NULL);
	g_assert(writer != NULL &&
		 ltt_trace_writer_load(writer, ltt_eventdefs_get_shipped("tracer"), &scene->tracer,
				       NULL) &&
		 ltt_trace_writer_load(writer, disk, &scene->disk, NULL) &&
		 ltt_trace_writer_close(writer, NULL));
	cpu = g_build_filename(scene->path, "cpu", NULL);
	g_assert(g_mkdir_with_parents(cpu, 0700) == 0);
	return scene;
}

void stat_scene_free(StatScene *scene)
{
	ltt_trace_free(scene->counted);
	ltt_system_free(scene->system);
	g_hash_table_unref(scene->files);
	g_free(scene->path);
	g_free(scene);
}

static void add_word(StatScene *scene, LttBlockWriter *block, const char *word, guint64 *time_ns)
{
	const guint64 number = g_ascii_strtoull(word + !g_ascii_isdigit(*word), NULL, 10);
	guint32 id = scene->tracer;
	LttPayload payload;

	ltt_payload_init(&payload, ltt_system_get_arch(scene->system));
	switch (*word) {
	case 'C':
		id += TRACER_CLOCK;
		for (guint i = 0; i < 2; i++) {
			ltt_payload_add_int(&payload, LTT_WIDTH_8, *time_ns + i);
			ltt_payload_add_int(&payload, LTT_WIDTH_4, 0);
			ltt_payload_add_int(&payload, LTT_WIDTH_4, *time_ns + i);
		}
		break;
	case 'L':
		id += TRACER_EVENTS_LOST;
		ltt_payload_add_int(&payload, LTT_WIDTH_8, number);
		break;
	case 'T':
		id += TRACER_THREAD;
		ltt_payload_add_int(&payload, LTT_WIDTH_4, number);
		ltt_payload_add_int(&payload, LTT_WIDTH_4, number > 0 ? number + 1 : 0);
		break;
	case '?':
		id = 999;
		break;
	case 'R':
		id = scene->disk + 1;
		ltt_payload_add_int(&payload, LTT_WIDTH_8, number);
		*time_ns = number;
		break;
	default:
		id = scene->disk;
		*time_ns = number;
		break;
	}
	g_assert(ltt_block_writer_get_room(block) >= 6 + payload.bytes->len);
	ltt_block_writer_event(block, *time_ns, (guint16)id, payload.bytes->data,
			       payload.bytes->len);
	ltt_payload_clear(&payload);
}

static void append(StatScene *scene, const char *tracefile, const LttBlockWriter *block)
{
	GByteArray *bytes = g_hash_table_lookup(scene->files, tracefile);

	if (bytes == NULL) {
		bytes = g_byte_array_new();
		g_hash_table_insert(scene->files, g_strdup(tracefile), bytes);
	}
	g_byte_array_append(bytes, block->bytes, (guint)block->size_bytes);
}

static void begin(const StatScene *scene, LttBlockWriter *block, guint32 block_id, guint64 time_ns)
{
	g_assert(ltt_block_writer_init(block, ltt_system_get_block_bytes(scene->system),
				       ltt_system_get_arch(scene->system)->byte_order));
	ltt_block_writer_begin(block, block_id, time_ns, time_ns);
}

/* Copies the word at @text. Returns: the next one; NULL at the end */
static const char *take_word(const char *text, char word[24])
{
	gsize length = 0;

	/* Not strcspn(): its sanitizer wrapper scans the whole text at each call. */
	for (; *text != ' ' && *text != '\0'; text++)
		word[length++] = *text;
	word[length] = '\0';
	g_assert(length > 0 && length < 24);
	return *text == ' ' ? text + 1 : NULL;
}

void stat_scene_add(StatScene *scene, const char *tracefile, guint32 block_id, const char *words)
{
	gboolean is_open = FALSE;
	LttBlockWriter block;
	guint64 time_ns;
	char word[24];

	words = take_word(words, word);
	g_assert(word[0] == '@');
	time_ns = g_ascii_strtoull(word + 1, NULL, 10);
	begin(scene, &block, block_id, time_ns);
	while (words != NULL) {
		words = take_word(words, word);
		if (g_str_equal(word, "open"))
			is_open = TRUE;
		else
			add_word(scene, &block, word, &time_ns);
	}
	if (!is_open)
		ltt_block_writer_end(&block, time_ns, time_ns);
	append(scene, tracefile, &block);
	ltt_block_writer_clear(&block);
}

void stat_scene_add_process(StatScene *scene, guint32 pid, const char *name)
{
	LttBlockWriter block;
	LttPayload payload;

	ltt_payload_init(&payload, ltt_system_get_arch(scene->system));
	ltt_payload_add_int(&payload, LTT_WIDTH_4, pid);
	ltt_payload_add_int(&payload, LTT_WIDTH_4, 1);
	ltt_payload_add_string(&payload, name);
	ltt_payload_add_string(&payload, "");
	begin(scene, &block, scene->n_processes++, 0);
	ltt_block_writer_event(&block, 0, (guint16)(scene->tracer + TRACER_PROCESS_START),
			       payload.bytes->data, payload.bytes->len);
	ltt_block_writer_end(&block, 0, 0);
	append(scene, "control/processes", &block);
	ltt_block_writer_clear(&block);
	ltt_payload_clear(&payload);
}

LttTrace *stat_scene_open(StatScene *scene)
{
	g_autoptr(GError) error = NULL;
	GHashTableIter iter;
	gpointer name;
	gpointer bytes;
	LttTrace *trace;

	g_hash_table_iter_init(&iter, scene->files);
	while (g_hash_table_iter_next(&iter, &name, &bytes)) {
		g_autofree char *path = g_build_filename(scene->path, name, NULL);
		const GByteArray *content = bytes;

		g_assert(
			g_file_set_contents(path, (const char *)content->data, content->len, NULL));
	}
	trace = ltt_trace_open(scene->path, &error);
	UNIT_ASSERT_OK(trace != NULL, error);
	return trace;
}

void stat_scene_count(StatScene *scene, LttSelect *select, guint64 interval_ns, LttStatSummary *out)
{
	LttStatRequest request = {.select = select, .n_threads = 1, .interval_ns = interval_ns};
	g_autoptr(GError) error = NULL;

	ltt_trace_free(scene->counted);
	request.trace = scene->counted = stat_scene_open(scene);
	UNIT_ASSERT_OK(ltt_stat(&request, out, &error), error);
}

void stat_scene_no_problem(const LttProblem *problem, gpointer user_data)
{
	(void)user_data;
	UNIT_ASSERT_TEXT(problem->message, "");
}
