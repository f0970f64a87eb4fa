/* fuzz-export.c - export modified traces of imported recordings: the result is a recording or an
 * error, and its size is in proportion to the trace.
 *
 * The first byte selects the recording, the second the file of its trace. The others are changes of
 * CHANGE_BYTES each: offset (three bytes), kind, and value (four bytes).
 */
#include "altered.h"
#include "fuzz.h"

#include "base/directory-priv.h"

#include <ltt/ltt-export.h>
#include <ltt/ltt-import.h>

#include <string.h>
#include <unistd.h>

#define CHANGE_BYTES 8

/* Many times the size of any of the traces. */
#define MOST_BYTES ((guint64)64 << 20)

static const char *const names[] = {"control/perf_file",   "control/perf", "control/revent",
				    "control/qemu_replay", "cpu/0",        "control/facilities"};

static const struct {
	const char *path;
	const char *kind;
} recordings[] = {
	{"perf/offline-cpu.data", "perf"},       {"perf/pipe-tracepoint-callgraph.data", "perf"},
	{"perf/file-zstd83.data", "perf"},       {"revent/v3-gamepad.revent", "revent"},
	{"qemu/q2.12-serial.rr", "qemu-replay"},
};

static char *folder;
static char *traces[G_N_ELEMENTS(recordings)];

static void remove_folder(void)
{
	ltt_directory_remove(folder);
	g_free(folder);
	for (guint i = 0; i < G_N_ELEMENTS(traces); i++)
		g_free(traces[i]);
}

static const char *import(guint number)
{
	g_autofree char *recording = altered_sample(recordings[number].path);

	if (folder == NULL) {
		folder = g_dir_make_tmp("ltt-fuzz-XXXXXX", NULL);
		FUZZ_ASSERT(folder != NULL);
		atexit(remove_folder);
	}
	if (traces[number] == NULL) {
		LttImportRequest request = {.path = recording};

		traces[number] = g_strdup_printf("%s/%u", folder, number);
		request.output = traces[number];
		FUZZ_ASSERT(ltt_import(&request, NULL, NULL));
	}
	return traces[number];
}

static void change(guint8 *bytes, gsize length, const uint8_t *how)
{
	const gsize place = (how[0] | (gsize)how[1] << 8 | (gsize)how[2] << 16) % length;
	const gsize n_bytes = MIN((gsize)1 << how[3] % 3, length - place);

	if (how[3] / 3 % 2 == 0)
		memcpy(bytes + place, how + 4, n_bytes);
	else
		memset(bytes + place, how[4] % 2 == 0 ? 0 : 0xff, MIN(n_bytes * 2, length - place));
}

/* Returns: the bytes before the padding of a file of one block */
static gsize measure(const char *bytes, gsize length)
{
	const gsize end = length > 8 ? length - 8 : length;
	gsize used = end;

	while (used > 1 && bytes[used - 1] == 0)
		used--;
	return used;
}

static gboolean count(const char *bytes, gsize length, gpointer n_bytes, GError **error)
{
	(void)bytes;
	(void)error;
	*(guint64 *)n_bytes += length;
	FUZZ_ASSERT(*(guint64 *)n_bytes <= MOST_BYTES);
	return TRUE;
}

/* Returns: (nullable): the first existing file of the trace, from @which on */
static char *read_file(const char *path, guint which, const char **name, gsize *length)
{
	char *bytes = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(names) && bytes == NULL; i++) {
		g_autofree char *file = NULL;

		*name = names[(which + i) % G_N_ELEMENTS(names)];
		file = g_build_filename(path, *name, NULL);
		g_file_get_contents(file, &bytes, length, NULL);
	}
	return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const guint number = size >= 2 ? data[0] % G_N_ELEMENTS(recordings) : 0;
	const char *path = import(number);
	const char *name;
	g_autofree char *bytes = NULL;
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(GError) error = NULL;
	guint64 n_bytes = 0;
	LttExportRequest request = {
		.kind = recordings[number].kind, .write = count, .write_data = &n_bytes};
	gsize length = 0;

	bytes = read_file(path, size >= 2 ? data[1] : 0, &name, &length);
	FUZZ_ASSERT(length > 0);
	for (gsize at = 2; at + CHANGE_BYTES <= size; at += CHANGE_BYTES)
		change((guint8 *)bytes, measure(bytes, length), data + at);
	trace = altered_trace(path, name, (const uint8_t *)bytes, length);
	FUZZ_ASSERT(trace != NULL);
	request.trace = trace;
	FUZZ_ASSERT(ltt_export(&request, NULL, &error) == (error == NULL));
	return 0;
}
