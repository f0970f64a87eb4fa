/* Overlapping runs of perf records are merged in order of time. */
#include "unit.h"

#include "base/bytes-priv.h"
#include "base/scratch-priv.h"
#include "formats/perf/import-merge-priv.h"

#include <string.h>

/* A sample: header, ip, pid and tid, time. */
#define SAMPLE_BYTES 32
#define IP_AT        8
#define TID_AT       16
#define TIME_AT      24

#define ATTR_BYTES     64
#define SAMPLE_TYPE_AT 24

#define FIRST_GROUP 1

typedef struct Scene {
	LttScratch *file;
	LttWindow *window;
	LttKeySort *runs;
	LttPerfMeta meta;
	guint64 size;
	LttKey run; /* of the current run */
	guint64 n_records;
} Scene;

static void begin(Scene *scene)
{
	guint8 attr[ATTR_BYTES] = {0};

	*scene = (Scene){.file = ltt_scratch_new(NULL, NULL),
			 .runs = ltt_key_sort_new(1000, NULL),
			 .meta = {.order = LTT_NATIVE_ENDIAN,
				  .attrs = ltt_perf_attrs_new(LTT_NATIVE_ENDIAN)}};
	ltt_store_u64(attr + SAMPLE_TYPE_AT,
		      LTT_PERF_BIT(LTT_PERF_IP) | LTT_PERF_BIT(LTT_PERF_TID) |
			      LTT_PERF_BIT(LTT_PERF_TIME),
		      LTT_NATIVE_ENDIAN);
	ltt_perf_attrs_add(scene->meta.attrs, attr, sizeof(attr));
}

static void end(Scene *scene)
{
	ltt_perf_attrs_free(scene->meta.attrs);
	ltt_key_sort_free(scene->runs);
	ltt_window_free(scene->window);
	ltt_scratch_free(scene->file);
}

/* Appends a record that contains its number. */
static void put_sample(Scene *scene, guint64 time, guint32 pid)
{
	guint8 bytes[SAMPLE_BYTES] = {0};

	ltt_store_u32(bytes, LTT_PERF_SAMPLE, LTT_NATIVE_ENDIAN);
	ltt_store_u16(bytes + 6, sizeof(bytes), LTT_NATIVE_ENDIAN);
	ltt_store_u64(bytes + IP_AT, scene->n_records++, LTT_NATIVE_ENDIAN);
	ltt_store_u32(bytes + TID_AT, pid, LTT_NATIVE_ENDIAN);
	ltt_store_u32(bytes + TID_AT + 4, pid + 1, LTT_NATIVE_ENDIAN);
	ltt_store_u64(bytes + TIME_AT, time, LTT_NATIVE_ENDIAN);
	CU_ASSERT_TRUE(ltt_scratch_put(scene->file, scene->size, bytes, sizeof(bytes), NULL));
	scene->size += sizeof(bytes);
}

static void begin_run(Scene *scene, guint32 group, guint64 time)
{
	scene->run = (LttKey){.group = group, .time = time, .place = scene->size};
}

static void end_run(Scene *scene, guint32 flags)
{
	scene->run.size = (guint32)(scene->size - scene->run.place) | flags;
	CU_ASSERT_TRUE(ltt_key_sort_add(scene->runs, &scene->run, NULL));
}

static LttPerfMerge *merge(Scene *scene)
{
	g_autoptr(GError) error = NULL;
	const int fd = ltt_scratch_dup(scene->file, &error);

	UNIT_ASSERT_OK(fd >= 0, error);
	scene->window = ltt_window_new(fd, "perf.data", &error);
	UNIT_ASSERT_OK(ltt_key_sort_end(scene->runs, &error), error);
	return ltt_perf_merge_new(scene->runs, FIRST_GROUP, scene->window, &scene->meta, NULL);
}

static gboolean is_before(const LttKey *a, const LttKey *b)
{
	if (a->group != b->group)
		return a->group < b->group;
	return a->time != b->time ? a->time < b->time : a->place < b->place;
}

/* Each record occurs once, in order, with its own bytes. */
static void check_all(Scene *scene)
{
	g_autoptr(LttPerfMerge) merged = merge(scene);
	g_autofree guint8 *is_seen = g_malloc0(scene->n_records);
	g_autoptr(GError) error = NULL;
	LttKey last = {0};
	guint64 n = 0;
	LttPerfItem item;

	while (ltt_perf_merge_next(merged, &item, &error)) {
		const guint8 *bytes = item.record->bytes;
		const guint64 number = item.key.place / SAMPLE_BYTES;

		CU_ASSERT(n == 0 || is_before(&last, &item.key));
		CU_ASSERT_EQUAL(item.key.size, SAMPLE_BYTES);
		CU_ASSERT_EQUAL(ltt_load_u64(bytes + IP_AT, LTT_NATIVE_ENDIAN), number);
		CU_ASSERT_EQUAL(ltt_load_u64(bytes + TIME_AT, LTT_NATIVE_ENDIAN), item.key.time);
		CU_ASSERT_EQUAL(item.thread->pid, ltt_load_u32(bytes + TID_AT, LTT_NATIVE_ENDIAN));
		CU_ASSERT_EQUAL(item.thread->tid, item.thread->pid + 1);
		CU_ASSERT_EQUAL(is_seen[number], 0);
		is_seen[number] = 1;
		last = item.key;
		n++;
	}
	UNIT_ASSERT_OK(error == NULL, error);
	CU_ASSERT_EQUAL(n, scene->n_records);
	CU_ASSERT_FALSE(ltt_perf_merge_next(merged, &item, NULL));
}

/* Runs of any length that begin near the previous ones. */
static void put_runs(Scene *scene, GRand *chance, guint n_runs)
{
	guint64 start = 1000;

	for (guint i = 0; i < n_runs; i++) {
		const guint n_samples = (guint)g_rand_int_range(chance, 1, 40);
		guint64 time = start + (guint)g_rand_int_range(chance, 0, 100);

		begin_run(scene, FIRST_GROUP + (guint32)g_rand_int_range(chance, 0, 3), time);
		for (guint k = 0; k < n_samples; k++) {
			put_sample(scene, time, (guint32)g_rand_int_range(chance, 0, 4));
			time += (guint)g_rand_int_range(chance, 0, 5);
		}
		end_run(scene, 0);
		start += (guint)g_rand_int_range(chance, 0, 80);
	}
}

static void test_overlapping_runs(void)
{
	for (guint seed = 0; seed < 20; seed++) {
		g_autoptr(GRand) chance = g_rand_new_with_seed(seed);
		Scene scene;

		begin(&scene);
		put_runs(&scene, chance, seed * seed);
		check_all(&scene);
		end(&scene);
	}
}

/* More overlapping runs than can be open at a time. */
static void test_too_many_runs(void)
{
	const guint64 n_runs = LTT_PERF_MOST_OPEN_RUNS + 3;
	Scene scene;

	begin(&scene);
	for (guint64 i = 0; i < n_runs; i++) {
		begin_run(&scene, FIRST_GROUP, 1 + i);
		put_sample(&scene, 1 + i, 5);
		put_sample(&scene, 2 * n_runs - i, 6);
		end_run(&scene, 0);
	}
	/* Then some of a normal group. */
	for (guint64 i = 0; i < 10; i++) {
		begin_run(&scene, FIRST_GROUP + 1, 7 * i + 1);
		put_sample(&scene, 7 * i + 1, 7);
		put_sample(&scene, 7 * i + 10, 8);
		end_run(&scene, 0);
	}
	check_all(&scene);
	end(&scene);
}

/* Other data is passed through; all records of a constant run have the time of its key. */
static void test_other_keys(void)
{
	static const LttKey bytes = {.group = 0, .place = 3, .size = 0x01000005};
	static const guint64 times[] = {40, 40, 45};
	Scene scene;
	LttPerfItem item;

	begin(&scene);
	CU_ASSERT_TRUE(ltt_key_sort_add(scene.runs, &bytes, NULL));
	begin_run(&scene, FIRST_GROUP, 40);
	put_sample(&scene, 900, 1);
	put_sample(&scene, 20, 2);
	end_run(&scene, LTT_PERF_RUN_IS_STILL);
	begin_run(&scene, FIRST_GROUP, 45);
	put_sample(&scene, 45, 3);
	end_run(&scene, 0);
	{
		g_autoptr(LttPerfMerge) merged = merge(&scene);

		CU_ASSERT_TRUE(ltt_perf_merge_next(merged, &item, NULL));
		CU_ASSERT_EQUAL(memcmp(&item.key, &bytes, sizeof(bytes)), 0);
		for (guint i = 0; i < G_N_ELEMENTS(times); i++) {
			CU_ASSERT_TRUE_FATAL(ltt_perf_merge_next(merged, &item, NULL));
			CU_ASSERT_EQUAL(item.key.time, times[i]);
			CU_ASSERT_EQUAL(item.thread->pid, i + 1);
		}
		CU_ASSERT_FALSE(ltt_perf_merge_next(merged, &item, NULL));
	}
	end(&scene);
}

/* A run that declares other records than it has. Returns: the number of records */
static guint check_changed(Scene *scene, const char *expected)
{
	g_autoptr(LttPerfMerge) merged = merge(scene);
	g_autoptr(GError) error = NULL;
	LttPerfItem item;
	guint n = 0;

	while (ltt_perf_merge_next(merged, &item, &error))
		n++;
	CU_ASSERT_PTR_NOT_NULL_FATAL(error);
	UNIT_ASSERT_TEXT(error->message, expected);
	end(scene);
	return n;
}

/* The file has changed since the first read. */
static void test_changed_file(void)
{
	static const char message[] = "perf.data: byte 32: the file changed during the import; "
				      "expected the record that was here before";
	static const guint8 no_record[SAMPLE_BYTES];
	Scene scene;

	begin(&scene);
	begin_run(&scene, FIRST_GROUP, 10);
	put_sample(&scene, 10, 1);
	CU_ASSERT_TRUE(ltt_scratch_put(scene.file, scene.size, no_record, sizeof(no_record), NULL));
	scene.size += sizeof(no_record);
	end_run(&scene, 0);
	CU_ASSERT_EQUAL(check_changed(&scene, message), 1);

	for (guint i = 0; i < 3; i++) {
		static const guint64 times[] = {9, 0, G_MAXUINT64 - 1};

		begin(&scene);
		begin_run(&scene, FIRST_GROUP, 10);
		put_sample(&scene, 10, 1);
		put_sample(&scene, times[i], 1);
		end_run(&scene, 0);
		CU_ASSERT_EQUAL(check_changed(&scene, message), 1);
	}

	begin(&scene);
	begin_run(&scene, FIRST_GROUP, 10);
	put_sample(&scene, 10, 1);
	put_sample(&scene, 11, 1);
	scene.size -= SAMPLE_BYTES / 2; /* a run that ends inside of a record */
	end_run(&scene, 0);
	CU_ASSERT_EQUAL(check_changed(&scene, message), 1);
}

UNIT_MAIN("perf-merge", UNIT(test_overlapping_runs), UNIT(test_too_many_runs),
	  UNIT(test_other_keys), UNIT(test_changed_file))
