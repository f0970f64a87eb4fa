/* fuzz-import.c - recordings of other tools: each import is a trace without problems, and its
 * export equals the recording.
 *
 * Exception: a perf recording of another form becomes a plain file, which a second import and
 * export preserves.
 */
#define _GNU_SOURCE /* memfd_create */

#include "fuzz.h"

#include "base/directory-priv.h"
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

/* Imports and exports @data. Returns: (nullable): the export; NULL if @data is not a recording or
 * cannot be exported. @plain: (out): whether the result must equal @data */
static GByteArray *echo(const uint8_t *data, size_t size, gboolean *plain)
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
	if (ltt_import(&request, &summary, NULL)) {
		g_autoptr(LttTrace) trace = ltt_trace_open(output, NULL);
		g_autoptr(GError) error = NULL;
		const LttCheckRequest check = {.trace = trace,
					       .callbacks = {.on_problem = no_problem}};
		LttExportRequest export = {
			.trace = trace, .kind = summary.kind->name, .write = gather};

		FUZZ_ASSERT(trace != NULL);
		FUZZ_ASSERT(ltt_check(&check, NULL, NULL));
		*plain = is_plain(trace);
		exported = g_byte_array_new();
		export.write_data = exported;
		if (!ltt_export(&export, NULL, &error)) {
			fprintf(stderr, "%s\n", error->message);
			FUZZ_ASSERT(FALSE);
		}
	} else {
		FUZZ_ASSERT(!g_file_test(output, G_FILE_TEST_EXISTS));
	}
	ltt_directory_remove(output);
	close(fd);
	return exported;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	gboolean plain = TRUE;
	g_autoptr(GByteArray) exported = echo(data, size, &plain);
	g_autoptr(GByteArray) again = NULL;

	if (exported != NULL && !plain) {
		again = echo(exported->data, exported->len, &plain);
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
