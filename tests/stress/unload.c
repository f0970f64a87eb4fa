/* unload.c - unload a plugin while threads that have traced from it wait or spin.
 *
 *	unload PLUGIN THREADS ROUNDS KEYS [OTHER]
 *
 * In each round the plugin is loaded, each thread traces from it, and it is unloaded while every
 * second thread waits in the kernel and the others spin. Then the threads continue. The kernel must
 * no longer have a pointer to a restartable sequence of the plugin: it kills a thread whose sequence
 * it cannot read. Another thread starts and exits in each round. The program itself creates KEYS
 * keys with pthread_key_create(3). With OTHER, a plugin with its own copy of the probe, the main
 * thread also traces from that. Prints whether the plugin was "unloaded" or "kept".
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS_MAX = 64 };

typedef void work_function(uint64_t number);

static struct worker {
	pthread_t thread;
	sem_t go;
	uint32_t turn;
	int spins;
} workers[THREADS_MAX];

static work_function *work, *other_work;
static uint32_t done, rounds;

static void *run_worker(void *data)
{
	struct worker *worker = data;

	for (uint32_t turn = 1; turn <= 2 * rounds; turn++) {
		while (worker->spins && __atomic_load_n(&worker->turn, __ATOMIC_ACQUIRE) < turn)
			;
		if (!worker->spins)
			sem_wait(&worker->go);
		if (turn % 2 != 0)
			work(turn);
		__atomic_add_fetch(&done, 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static void *work_once(void *unused)
{
	work(0);
	return unused;
}

/* Starts the next step of all threads. */
static void take_turn(int threads)
{
	done = 0;
	for (int i = 0; i < threads; i++) {
		__atomic_add_fetch(&workers[i].turn, 1, __ATOMIC_RELEASE);
		sem_post(&workers[i].go);
	}
	while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) < (uint32_t)threads)
		sched_yield();
}

/* Returns: whether the plugin is still mapped; -1 if it could not be loaded */
static int run_round(const char *plugin, int threads)
{
	void *library = dlopen(plugin, RTLD_NOW | RTLD_LOCAL), *kept;
	pthread_t passing;

	if (library == NULL)
		return -1;
	*(void **)&work = dlsym(library, "plugin_work");
	if (pthread_create(&passing, NULL, work_once, NULL) != 0 ||
	    pthread_join(passing, NULL) != 0)
		return -1;
	take_turn(threads);
	work(0);
	if (other_work != NULL)
		other_work(0);
	dlclose(library);
	kept = dlopen(plugin, RTLD_NOW | RTLD_NOLOAD);
	if (kept != NULL)
		dlclose(kept);
	take_turn(threads);
	return kept != NULL;
}

static int load_other(const char *plugin)
{
	void *library = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);

	if (library == NULL)
		return -1;
	*(void **)&other_work = dlsym(library, "plugin_work");
	return 0;
}

static int make_keys(int keys)
{
	pthread_key_t key;

	while (keys-- > 0) {
		if (pthread_key_create(&key, NULL) != 0)
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int threads = argc > 4 ? atoi(argv[2]) : 0, result;

	if (threads <= 0 || threads > THREADS_MAX)
		return 2;
	rounds = (uint32_t)strtoul(argv[3], NULL, 0);
	result = make_keys(atoi(argv[4]));
	if (argc > 5 && result == 0)
		result = load_other(argv[5]);
	for (int i = 0; i < threads && result == 0; i++) {
		workers[i].spins = i % 2;
		sem_init(&workers[i].go, 0, 0);
		result = pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]);
	}
	for (uint32_t turn = 1; turn <= rounds && result >= 0; turn++)
		result = run_round(argv[1], threads);
	if (result < 0)
		return 1;
	for (int i = 0; i < threads; i++)
		pthread_join(workers[i].thread, NULL);
	puts(result > 0 ? "kept" : "unloaded");
	return 0;
}
