/* replay.c - the main program of fuzz targets without a fuzzer: runs the target on each of the
 * files, and prints their number.
 *
 *	replay FILE...
 */
#include "fuzz.h"

#include <glib.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		g_autofree char *bytes = NULL;
		g_autofree char *exact = NULL;
		gsize length;

		if (!g_file_get_contents(argv[i], &bytes, &length, NULL)) {
			fprintf(stderr, "%s: could not be read\n", argv[i]);
			return 2;
		}
		/* A buffer of the exact size, so that sanitizers detect reads past its end. */
		exact = g_malloc(MAX(length, 1));
		for (gsize j = 0; j < length; j++)
			exact[j] = bytes[j];
		fprintf(stderr, "%s\n", argv[i]);
		LLVMFuzzerTestOneInput((const uint8_t *)exact, length);
	}
	printf("%d\n", argc - 1);
	return 0;
}
