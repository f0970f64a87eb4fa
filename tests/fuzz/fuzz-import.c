/* fuzz-import.c - recordings of other tools: each import is a trace without problems, and its
 * export equals the recording.
 *
 * Exception: a perf recording of another form becomes a plain file, which a second import and
 * export preserves.
 *
 * Most of the time goes to reading the trace, which has a long description. While libFuzzer looks for
 * inputs, one input in SAMPLE is read and exported.
 */
#define _GNU_SOURCE /* memfd_create */

#include "fuzz.h"

#include "base/directory-priv.h"
#include "model/facility-priv.h"
#include "mutate-perf.h"
#include "mutate.h"

#include <ltt/ltt-check.h>
#include <ltt/ltt-export.h>
#include <ltt/ltt-import.h>
#include <ltt/ltt-merge.h>
#include <ltt/ltt-value.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef FUZZER
#define SAMPLE 8
#else
#define SAMPLE 1
#endif

static gboolean gather(const char *bytes, gsize length, gpointer exported, GError **error)
{
	(void)error;
	g_byte_array_append(exported, (const guint8 *)bytes, (guint)length);
	return TRUE;
}

static void no_problem(const LttProblem *problem, gpointer user_data)
{
	(void)user_data;
	fprintf(stderr, "%s: %s\n", problem->tracefile, problem->message);
	FUZZ_ASSERT(FALSE);
}

static guint64 get_number(const LttEvent *event, const char *name)
{
	LttValue whole;
	LttValue number;

	FUZZ_ASSERT(ltt_event_get_value(event, &whole) && ltt_value_find(&whole, name, &number));
	return ltt_value_get_uint(&number);
}

/* Whether the recording is a plain file, which is exported unchanged. */
static gboolean is_plain(LttTrace *trace)
{
	g_autoptr(LttMerge) merge = ltt_merge_new(trace, NULL);
	const LttEvent *event;

	while (ltt_merge_next(merge, &event, NULL) == LTT_STEP_EVENT)
		if (g_str_equal(event->type->name, "container") &&
		    g_str_equal(ltt_facility_get_name(event->type->facility), "perf_file"))
			return get_number(event, "form") == 0 &&
			       get_number(event, "compressed_records") == 0;
	return TRUE;
}

/* Checks and exports an imported trace. @plain: (out): whether the result must equal the recording */
static GByteArray *export(const char *path, const char *kind, gboolean *plain)
{
	g_autoptr(LttTrace) trace = ltt_trace_open(path, NULL);
	g_autoptr(GError) error = NULL;
	GByteArray *exported = g_byte_array_new();
	const LttCheckRequest check = {.trace = trace, .callbacks = {.on_problem = no_problem}};
	const LttExportRequest request = {
		.trace = trace, .kind = kind, .write = gather, .write_data = exported};

	FUZZ_ASSERT(trace != NULL);
	FUZZ_ASSERT(ltt_check(&check, NULL, NULL));
	*plain = is_plain(trace);
	if (!ltt_export(&request, NULL, &error)) {
		fprintf(stderr, "%s\n", error->message);
		FUZZ_ASSERT(FALSE);
	}
	return exported;
}

/* Imports @data, and exports it if @and_export. Returns: (nullable): the export; NULL if there is
 * none. @plain: (out): whether the result must equal @data */
static GByteArray *echo(const uint8_t *data, size_t size, gboolean and_export, gboolean *plain)
{
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);
	g_autofree char *input = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autofree char *name = g_strdup_printf("ltt-fuzz-%d", (int)getpid());
	g_autofree char *output = g_build_filename(g_get_tmp_dir(), name, NULL);
	const LttImportRequest request = {.path = input, .output = output};
	LttImportSummary summary;
	GByteArray *exported = NULL;

	FUZZ_ASSERT(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	ltt_directory_remove(output);
	if (!ltt_import(&request, &summary, NULL))
		FUZZ_ASSERT(!g_file_test(output, G_FILE_TEST_EXISTS));
	else if (and_export)
		exported = export(output, summary.kind->name, plain);
	ltt_directory_remove(output);
	close(fd);
	return exported;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	gboolean plain = TRUE;
	const gboolean is_in_sample = ltt_crc32((const char *)data, size) % SAMPLE == 0;
	g_autoptr(GByteArray) exported = echo(data, size, is_in_sample, &plain);
	g_autoptr(GByteArray) again = NULL;

	if (exported != NULL && !plain) {
		again = echo(exported->data, exported->len, TRUE, &plain);
		FUZZ_ASSERT(again != NULL && plain);
		data = exported->data;
		size = exported->len;
	} else if (exported != NULL) {
		again = g_byte_array_ref(exported);
	}
	FUZZ_ASSERT(again == NULL ||
		    (again->len == size && (size == 0 || memcmp(again->data, data, size) == 0)));
	return 0;
}

#ifdef FUZZER
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return mutate_perf(data, size, max_size, seed);
}
#endif
