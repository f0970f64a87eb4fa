/* preload.c - a program that does exactly known things, for the tests of `ltt record --preload`.
 *
 * usage: preload malloc|threads|lock|rwlock|condition|semaphore|io|wrong|fork|exec
 *
 * It has events of its own, too, before and after the wait for a mutex. The exit status is 7.
 */
#define _GNU_SOURCE
#include "demo-trace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS = 1000, FREED = 600, SIZE = 70000, THREADS = 4 };

/* The compiler would remove the pairs. */
static void *volatile kept;

static void use_malloc(void)
{
	static void *blocks[BLOCKS];
	volatile size_t many = SIZE_MAX / 2; /* the compiler warns of a constant */
	void *other = NULL;

	for (int i = 0; i < BLOCKS; i++)
		blocks[i] = malloc((size_t)SIZE + (size_t)i);
	for (int i = 0; i < FREED; i++)
		free(blocks[i]);
	kept = calloc(3, 30001);
	kept = realloc(kept, 90007);
	kept = reallocarray(kept, 5, 18013);
	free(kept);
	assert(posix_memalign(&other, 64, 90011) == 0);
	free(other);
	free(memalign(64, 90017));
	free(aligned_alloc(64, 90048));
	free(valloc(90023));
	free(pvalloc(90031));
	free(NULL);
	errno = EDOM;
	kept = malloc(10);
	free(kept);
	assert(errno == EDOM);
	kept = malloc(90053);
	errno = 0;
	other = realloc(kept, (size_t)PTRDIFF_MAX - 4096);
	assert(other == NULL && errno == ENOMEM);
	other = reallocarray(kept, many, 3);
	assert(other == NULL && errno == ENOMEM);
	free(kept);
}

static void *allocate(void *number)
{
	for (size_t i = 0; i < BLOCKS; i++) {
		kept = NULL;
		free(memset(malloc((size_t)SIZE + (size_t)(uintptr_t)number), 0, 1));
	}
	return NULL;
}

static void use_threads(void)
{
	pthread_t threads[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, allocate, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* ---- locks ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int is_set;
static pid_t waiter;

/* Whether the thread sleeps in the kernel. */
static int sleeps(pid_t tid)
{
	char path[64], line[256] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = fopen(path, "r");
	if (file == NULL || fgets(line, sizeof(line), file) == NULL)
		line[0] = 0;
	if (file != NULL)
		fclose(file);
	return strstr(line, ") S ") != NULL;
}

static void *wait_for_mutex(void *unused)
{
	trace_demo_pair(1, (uint64_t)(uintptr_t)&mutex);
	__atomic_store_n(&waiter, gettid(), __ATOMIC_RELEASE);
	pthread_mutex_lock(&mutex);
	trace_demo_pair(2, 0);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *wait_to_read(void *unused)
{
	__atomic_store_n(&waiter, gettid(), __ATOMIC_RELEASE);
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
	return unused;
}

static void *wait_for_condition(void *unused)
{
	const struct timespec past = {1, 0};

	pthread_mutex_lock(&mutex);
	assert(pthread_cond_timedwait(&condition, &mutex, &past) == ETIMEDOUT);
	__atomic_store_n(&waiter, gettid(), __ATOMIC_RELEASE);
	while (!is_set)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *wait_for_semaphore(void *unused)
{
	__atomic_store_n(&waiter, gettid(), __ATOMIC_RELEASE);
	assert(sem_wait(&semaphore) == 0);
	return unused;
}

/* Starts a thread, and returns when it sleeps. */
static pthread_t start_waiter(void *(*run)(void *))
{
	pthread_t thread;
	pid_t tid;

	pthread_create(&thread, NULL, run, NULL);
	while ((tid = __atomic_load_n(&waiter, __ATOMIC_ACQUIRE)) == 0 || !sleeps(tid))
		sched_yield();
	return thread;
}

static void use_mutex(void)
{
	pthread_t thread;

	for (int i = 0; i < BLOCKS; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	pthread_mutex_lock(&mutex);
	thread = start_waiter(wait_for_mutex);
	trace_demo_pair(3, 0);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
}

static void use_rwlock(void)
{
	const struct timespec past = {1, 0};
	pthread_t thread;

	pthread_rwlock_wrlock(&rwlock);
	thread = start_waiter(wait_to_read);
	pthread_rwlock_unlock(&rwlock);
	pthread_join(thread, NULL);
	pthread_rwlock_rdlock(&rwlock);
	assert(pthread_rwlock_timedwrlock(&rwlock, &past) == ETIMEDOUT);
	pthread_rwlock_unlock(&rwlock);
}

static void use_condition(void)
{
	pthread_t thread = start_waiter(wait_for_condition);

	pthread_mutex_lock(&mutex);
	is_set = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	pthread_cond_broadcast(&condition);
}

static void use_semaphore(void)
{
	const struct timespec past = {1, 0};
	pthread_t thread;

	sem_init(&semaphore, 0, 0);
	thread = start_waiter(wait_for_semaphore);
	sem_post(&semaphore);
	pthread_join(thread, NULL);
	assert(sem_timedwait(&semaphore, &past) == -1 && errno == ETIMEDOUT);
	sem_post(&semaphore);
	errno = EDOM;
	assert(sem_wait(&semaphore) == 0 && errno == EDOM);
}

/* ---- input and output ---- */

static void use_io(void)
{
	char bytes[100] = "";
	struct iovec parts[] = {{bytes, 3}, {bytes, 4}};
	int fd = memfd_create("io", 0), ends[2];

	assert(write(fd, bytes, 10) == 10 && pwrite(fd, bytes, 5, 10) == 5);
	assert(writev(fd, parts, 2) == 7 && fsync(fd) == 0 && fdatasync(fd) == 0);
	assert(pread(fd, bytes, 100, 0) == 17 && read(fd, bytes, 50) == 0);
	assert(read(-1, bytes, 8) == -1 && errno == EBADF);
	assert(open("/nonexistent/file", O_RDWR) == -1 && errno == ENOENT);
	assert(close(fd) == 0);
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	assert(send(ends[0], bytes, 9, 0) == 9 && recv(ends[1], bytes, 99, 0) == 9);
	assert(recv(ends[1], bytes, 99, MSG_DONTWAIT) == -1 && errno == EAGAIN);
}

/* The kernel fails with EFAULT, and the library does not read the memory before. */
static void use_wrong_pointers(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *const ends[] = {pages + page - 1, pages + page - 10};
	void *volatile wrong[] = {NULL, (void *)1, pages + page, (void *)(UINTPTR_MAX - 4095)};
	struct msghdr message = {.msg_iovlen = 1};
	int fds[2];

	assert(munmap(pages + page, page) == 0);
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert(write(fds[0], wrong[i], 5) == -1 && errno == EFAULT);
		assert(writev(fds[0], wrong[i], 2) == -1 && errno == EFAULT);
		assert(sendmsg(fds[0], wrong[i], 0) == -1 && errno == EFAULT);
		message.msg_iov = wrong[i];
		assert(sendmsg(fds[0], &message, 0) == -1 && errno == EFAULT);
		assert(open(wrong[i], O_RDONLY) == -1 && errno == EFAULT);
	}
	/* A path may end with its page, but not beyond. */
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		memset(ends[i], '/', (size_t)(pages + page - ends[i]));
		assert(open(ends[i], O_RDONLY) == -1 && errno == EFAULT);
	}
	pages[page - 1] = '\0';
	errno = EDOM;
	assert(close(open(ends[1], O_RDONLY)) == 0 && errno == EDOM);
}

/* ---- processes ---- */

static void wait_for_byte(int fd)
{
	char byte;

	assert(read(fd, &byte, 1) == 1);
}

/* Both processes have the same addresses, and the blocks of both exist at the same time. */
static void use_fork(void)
{
	int status = 1, to_child[2], to_parent[2];
	void *block;
	pid_t pid;

	free(memset(malloc(SIZE), 0, 1));
	assert(pipe(to_child) == 0 && pipe(to_parent) == 0);
	pid = fork();
	if (pid == 0) {
		block = malloc(SIZE + 1);
		assert(write(to_parent[1], "", 1) == 1);
		wait_for_byte(to_child[0]);
		free(block);
		exit(0);
	}
	wait_for_byte(to_parent[0]);
	block = malloc(SIZE + 1);
	assert(write(to_child[1], "", 1) == 1);
	assert(waitpid(pid, &status, 0) == pid && status == 0);
	free(block);
	printf("%d %d\n", getpid(), pid);
}

static const struct {
	const char *name;
	void (*run)(void);
} actions[] = {
	{"malloc", use_malloc}, {"threads", use_threads},     {"lock", use_mutex},
	{"rwlock", use_rwlock}, {"condition", use_condition}, {"semaphore", use_semaphore},
	{"io", use_io},         {"fork", use_fork},           {"wrong", use_wrong_pointers},
};

int main(int argc, char **argv)
{
	assert(argc > 1);
	if (strcmp(argv[1], "exec") == 0) {
		free(memset(malloc(SIZE), 0, 1));
		execl("/proc/self/exe", "preload", "threads", NULL);
	}
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strcmp(argv[1], actions[i].name) == 0)
			actions[i].run();
	}
	return 7;
}
