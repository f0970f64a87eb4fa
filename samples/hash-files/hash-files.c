/* hash-files.c - hash every file under a directory with a pool of threads, and trace it.
 *
 *	build/bin/ltt record -o trace -- build/samples/hash-files /usr/include 4
 *	build/bin/ltt dump trace --event 'hash_files.*' | head
 *
 * usage: hash-files DIRECTORY [THREADS]
 *
 * Prints the number of files and bytes, and the exclusive or of all hashes (64-bit FNV-1a), which
 * does not depend on the order. Exit status 1 if a file could not be read.
 */
#define _GNU_SOURCE
#include "hash-files-trace.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { QUEUE_LENGTH = 64, CHUNK_BYTES = 65536, THREADS_MAX = 256, OPEN_DIRECTORIES = 32 };

static const uint64_t fnv_start = 0xcbf29ce484222325u, fnv_prime = 0x100000001b3u;

static struct {
	pthread_mutex_t lock;
	pthread_cond_t has_path, has_room;
	char *paths[QUEUE_LENGTH];
	unsigned first, length;
	bool ended;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
	   .has_path = PTHREAD_COND_INITIALIZER,
	   .has_room = PTHREAD_COND_INITIALIZER};

/* Results of a thread; their sum is printed at the end. */
struct totals {
	uint64_t files, bytes, hash, failed;
};

static void push(char *path)
{
	pthread_mutex_lock(&queue.lock);
	while (queue.length == QUEUE_LENGTH)
		pthread_cond_wait(&queue.has_room, &queue.lock);
	queue.paths[(queue.first + queue.length++) % QUEUE_LENGTH] = path;
	trace_hash_files_queue(queue.length);
	pthread_cond_signal(&queue.has_path);
	pthread_mutex_unlock(&queue.lock);
}

/* NULL: there will be no more. */
static char *pop(void)
{
	char *path = NULL;

	pthread_mutex_lock(&queue.lock);
	while (queue.length == 0 && !queue.ended)
		pthread_cond_wait(&queue.has_path, &queue.lock);
	if (queue.length > 0) {
		path = queue.paths[queue.first];
		queue.first = (queue.first + 1) % QUEUE_LENGTH;
		queue.length--;
		pthread_cond_signal(&queue.has_room);
	}
	pthread_mutex_unlock(&queue.lock);
	return path;
}

static void end_queue(void)
{
	pthread_mutex_lock(&queue.lock);
	queue.ended = true;
	pthread_cond_broadcast(&queue.has_path);
	pthread_mutex_unlock(&queue.lock);
}

static uint64_t add_bytes(uint64_t hash, const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * fnv_prime;
	return hash;
}

static void hash_file(const char *path, unsigned char *buffer, struct totals *totals)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t hash = fnv_start, bytes = 0;
	ssize_t n;

	trace_hash_files_file_open(path, fd < 0 ? errno : 0);
	if (fd < 0) {
		totals->failed++;
		return;
	}
	while ((n = read(fd, buffer, CHUNK_BYTES)) > 0) {
		hash = add_bytes(hash, buffer, (size_t)n);
		trace_hash_files_chunk(bytes, (uint32_t)n);
		bytes += (uint64_t)n;
	}
	close(fd);
	trace_hash_files_file_done(bytes, hash);
	totals->failed += n < 0;
	totals->files++;
	totals->bytes += bytes;
	totals->hash ^= hash;
}

static void *work(void *data)
{
	unsigned char *buffer = malloc(CHUNK_BYTES);
	char *path;

	if (buffer == NULL)
		abort();
	while ((path = pop()) != NULL) {
		hash_file(path, buffer, data);
		free(path);
	}
	free(buffer);
	return NULL;
}

static int visit(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	char *copy;

	(void)place;
	if (kind != FTW_F || !S_ISREG(status->st_mode))
		return 0;
	copy = strdup(path);
	if (copy == NULL)
		abort();
	push(copy);
	return 0;
}

int main(int argc, char **argv)
{
	long threads = argc > 2 ? strtol(argv[2], NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
	struct totals each[THREADS_MAX] = {{0}}, all = {0};
	pthread_t ids[THREADS_MAX];
	int walked;

	if (argc < 2 || argc > 3 || threads < 1 || threads > THREADS_MAX) {
		fprintf(stderr, "usage: hash-files DIRECTORY [THREADS]\n");
		return 2;
	}
	for (long i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, work, &each[i]) != 0)
			abort();
	walked = nftw(argv[1], visit, OPEN_DIRECTORIES, FTW_PHYS);
	if (walked != 0)
		perror(argv[1]);
	end_queue();
	for (long i = 0; i < threads; i++) {
		pthread_join(ids[i], NULL);
		all.files += each[i].files;
		all.bytes += each[i].bytes;
		all.hash ^= each[i].hash;
		all.failed += each[i].failed;
	}
	printf("%" PRIu64 " files, %" PRIu64 " bytes, %016" PRIx64 "\n", all.files, all.bytes,
	       all.hash);
	return walked != 0 || all.failed != 0;
}
