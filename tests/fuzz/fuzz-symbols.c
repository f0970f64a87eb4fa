/* fuzz-symbols.c - a file with code, its separate debug information, and the functions that are found in them.
 *
 *	input   size of the file, 3 bytes, little endian | file | separate debug information
 */
#include "fuzz.h"
#include "mutate-elf.h"
#include "mutate.h"

#include "symbols/object-priv.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define SIZE_BYTES 3
#define N_OFFSETS  512 /* that functions are searched at */

static char *folder;

/* Returns: (transfer full): the path of a file in a folder of this process */
static char *path_of(const char *name)
{
	return g_build_filename(folder, name, NULL);
}

static void remove_folder(void)
{
	g_autofree char *code = path_of("code");
	g_autofree char *debug = path_of("code.debug");

	unlink(code);
	unlink(debug);
	rmdir(folder);
	g_free(folder);
}

static void make_folder(void)
{
	if (folder != NULL)
		return;
	folder = g_dir_make_tmp("ltt-fuzz-XXXXXX", NULL);
	FUZZ_ASSERT(folder != NULL);
	atexit(remove_folder);
	g_unsetenv("DEBUGINFOD_URLS");
}

static void write_file(const char *path, const uint8_t *bytes, size_t size)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	FUZZ_ASSERT(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	close(fd);
}

static void find(LttObject *object, guint64 offset)
{
	guint64 distance = 0;
	const char *name = ltt_object_find(object, offset, &distance);

	/* The readable name is made once. */
	FUZZ_ASSERT(name == NULL || name[0] != '\0');
	FUZZ_ASSERT(ltt_object_find(object, offset, &distance) == name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t code_bytes;
	g_autofree char *code = NULL;
	g_autofree char *debug = NULL;
	LttModule module = {0};
	LttObjects *objects;
	LttObject *object;
	LttObject *again;

	if (size < SIZE_BYTES)
		return 0;
	code_bytes = data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16;
	data += SIZE_BYTES;
	size -= SIZE_BYTES;
	code_bytes = MIN(code_bytes, size);
	make_folder();
	code = path_of("code");
	debug = path_of("code.debug");
	write_file(code, data, code_bytes);
	write_file(debug, data + code_bytes, size - code_bytes);
	module.path = code;
	objects = ltt_objects_new();
	if (ltt_objects_get(objects, &module, &object) == LTT_OBJECT_READ) {
		for (guint64 i = 0; i < N_OFFSETS; i++)
			find(object, i * (code_bytes / N_OFFSETS + 1));
		find(object, G_MAXUINT64);
		FUZZ_ASSERT(ltt_objects_get(objects, &module, &again) == LTT_OBJECT_READ &&
			    again == object);
	} else {
		FUZZ_ASSERT(object == NULL);
	}
	ltt_objects_free(objects);
	return 0;
}

#ifdef FUZZER
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return mutate_elf(data, size, max_size, seed, SIZE_BYTES);
}
#endif
