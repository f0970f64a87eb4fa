/* fuzz-import.c - recordings of other tools: whatever is imported is a trace without problems, and
 * its export is the recording again, to the byte. */
#define _GNU_SOURCE /* memfd_create */

#include "fuzz.h"

#include "writer/directory-priv.h"

#include <ltt/ltt-check.h>
#include <ltt/ltt-import.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What was imported, as it comes out again. */
typedef struct Echo {
	const uint8_t *data;
	size_t size;
	size_t at;
} Echo;

static gboolean compare(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	Echo *echo = user_data;

	(void)error;
	FUZZ_ASSERT(length <= echo->size - echo->at);
	FUZZ_ASSERT(length == 0 || memcmp(echo->data + echo->at, bytes, length) == 0);
	echo->at += length;
	return TRUE;
}

static void no_problem(const LttProblem *problem, gpointer user_data)
{
	(void)user_data;
	fprintf(stderr, "%s: %s\n", problem->tracefile, problem->message);
	FUZZ_ASSERT(FALSE);
}

static void try_trace(const char *path, const LttImportKind *kind, Echo *echo)
{
	g_autoptr(LttTrace) trace = ltt_trace_open(path, NULL);
	LttCheckSummary summary;

	FUZZ_ASSERT(trace != NULL);
	ltt_trace_check(trace, no_problem, NULL, NULL, &summary);
	if (ltt_export_find_kind(kind->name) != NULL) {
		const LttExportRequest request = {
			.trace = trace, .kind = kind->name, .write = compare, .write_data = echo};

		FUZZ_ASSERT(ltt_export(&request, NULL));
		FUZZ_ASSERT(echo->at == echo->size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);
	g_autofree char *input = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autofree char *name = g_strdup_printf("ltt-fuzz-%d", (int)getpid());
	g_autofree char *output = g_build_filename(g_get_tmp_dir(), name, NULL);
	const LttImportRequest request = {.path = input, .output = output};
	const LttImportKind *kind = NULL;
	Echo echo = {data, size, 0};

	FUZZ_ASSERT(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	ltt_directory_remove(output);
	if (ltt_import(&request, &kind, NULL))
		try_trace(output, kind, &echo);
	else
		FUZZ_ASSERT(!g_file_test(output, G_FILE_TEST_EXISTS));
	ltt_directory_remove(output);
	close(fd);
	return 0;
}
