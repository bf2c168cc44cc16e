// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - keep a machine busy, and check that it still responds
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/perf_event.h>

#include "harness/storm.h"
#include "harness/tree.h"

/* Number of nested calls, larger than the maximum length of a call chain. */
#define FRAMES		600
#define NR_THREADS	8
#define NR_MAPS		64
#define MAP_BYTES	4096

/* hold_memory() and blow_memory() leave this much memory available. */
#define HELD_LEFT_KB	(96 << 10)
#define LEFT_KB		(32 << 10)

#define HEAD_BYTES	4096		/* before the data of a ring of perf */
#define RING_BYTES	(64UL << 20)
#define BALLOON_BYTES	(1UL << 20)
#define MAX_BALLOONS	65536

/* Spend 5 ms below FRAMES nested calls. */
int blow_calls(void)
{
	call_tree(FRAMES, 5);
	return 0;
}

static int live_and_die(bool becomes_another)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return -errno;
	if (!pid && becomes_another)
		execl("/bin/true", "true", NULL);
	if (!pid)
		_exit(becomes_another);
	if (waitpid(pid, &status, 0) < 0)
		return -errno;
	return status ? -ECANCELED : 0;
}

int blow_processes(void)
{
	int err = 0;

	for (int i = 0; i < 8 && !err; i++)
		err = live_and_die(i % 2);
	return err;
}

static void *rename_self(void *name)
{
	prctl(PR_SET_NAME, name);
	return NULL;
}

int blow_threads(void)
{
	static char name[] = "gust";
	pthread_t threads[NR_THREADS];
	int nr = 0, err = 0;

	while (nr < NR_THREADS && !err) {
		err = pthread_create(&threads[nr], NULL, rename_self, name);
		nr += !err;
	}
	while (nr)
		pthread_join(threads[--nr], NULL);
	return -err;
}

int blow_maps(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), nr = 0, err = 0;
	void *maps[NR_MAPS];

	while (nr < NR_MAPS && !err) {
		maps[nr] = mmap(NULL, MAP_BYTES, PROT_READ | PROT_EXEC,
				MAP_PRIVATE, fd, 0);
		if (maps[nr] == MAP_FAILED)
			err = -errno;
		else if (mprotect(maps[nr++], MAP_BYTES, PROT_READ | PROT_WRITE))
			err = -errno;
	}
	while (nr)
		munmap(maps[--nr], MAP_BYTES);
	close(fd);
	return err;
}

int blow_cpus(void)
{
	int err = cpu_set_online(1, false);

	usleep(5000);
	err = cpu_set_online(1, true) ?: err;
	usleep(5000);
	return err;
}

static long available_kb(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	long kb = 0;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "MemAvailable: %ld", &kb) == 1)
			break;
	}
	if (file)
		fclose(file);
	return kb;
}

/*
 * Allocate all but about HELD_LEFT_KB until this process exits, in rings of perf. They need
 * no page faults, which take long on a debug kernel, and the OOM killer does not count them.
 */
int hold_memory(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
	};
	void *ring;
	int fd;

	while (available_kb() > HELD_LEFT_KB + (long)(RING_BYTES >> 10)) {
		fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd < 0)
			return -errno;
		ring = mmap(NULL, HEAD_BYTES + RING_BYTES, PROT_READ, MAP_SHARED, fd, 0);
		close(fd);
		if (ring == MAP_FAILED)
			return -ENOMEM;
	}
	return 0;
}

/* Allocate or free memory until about LEFT_KB are available. */
int blow_memory(void)
{
	static void *balloons[MAX_BALLOONS];
	static int nr;

	if (!nr)
		file_write("/proc/self/oom_score_adj", "1000");
	while (nr < MAX_BALLOONS &&
	       available_kb() > LEFT_KB + (long)(BALLOON_BYTES >> 10)) {
		void *balloon = mmap(NULL, BALLOON_BYTES, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
				     -1, 0);

		if (balloon == MAP_FAILED)
			break;
		balloons[nr++] = balloon;
	}
	while (nr && available_kb() < LEFT_KB)
		munmap(balloons[--nr], BALLOON_BYTES);
	usleep(1000);
	return 0;
}

/* blow_memory() does not hit LEFT_KB exactly, so allow twice as much. */
bool memory_is_short(void)
{
	return available_kb() < 2 * LEFT_KB;
}

int storm_begin(struct storm *storm)
{
	storm->nr = 0;
	storm->score = mmap(NULL, sizeof(*storm->score), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return storm->score == MAP_FAILED ? -errno : 0;
}

static void blow_on(struct storm_score *score, int (*blow)(void))
{
	while (!__atomic_load_n(&score->is_over, __ATOMIC_RELAXED)) {
		bool failed = blow();

		__atomic_add_fetch(failed ? &score->failed : &score->done, 1,
				   __ATOMIC_RELAXED);
	}
}

/* Fork a process that calls @blow in a loop. It is killed when its parent dies. */
static pid_t begin_to_blow(const struct storm *storm, int (*blow)(void), int cpu)
{
	pid_t pid = fork();

	if (pid)
		return pid < 0 ? -errno : pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (cpu >= 0)
		cpu_pin(cpu);
	blow_on(storm->score, blow);
	_exit(0);
}

/* Add a process on @cpu, or on any CPU if @cpu < 0. */
int storm_add_on(struct storm *storm, int (*blow)(void), int cpu)
{
	pid_t pid;

	if (storm->nr == STORM_MAX)
		return -ENOSPC;
	pid = begin_to_blow(storm, blow, cpu);
	if (pid < 0)
		return pid;
	storm->pids[storm->nr++] = pid;
	return 0;
}

/* Replace process @i if it has died. Return 1 if so, 0 if it lives, or -errno. */
int storm_renew(struct storm *storm, int i, int (*blow)(void))
{
	pid_t pid;

	if (waitpid(storm->pids[i], NULL, WNOHANG) != storm->pids[i])
		return 0;
	pid = begin_to_blow(storm, blow, -1);
	if (pid < 0)
		return pid;
	storm->pids[i] = pid;
	return 1;
}

int storm_add(struct storm *storm, int (*blow)(void))
{
	return storm_add_on(storm, blow, -1);
}

/* Stop all processes. Return -ECANCELED if one was killed or has failed. */
int storm_end(struct storm *storm)
{
	int status, err = 0;

	__atomic_store_n(&storm->score->is_over, true, __ATOMIC_RELAXED);
	while (storm->nr) {
		if (waitpid(storm->pids[--storm->nr], &status, 0) < 0)
			err = -errno;
		else if (status)
			err = -ECANCELED;
	}
	return err;
}

/* Pin before each sleep: a thread loses its affinity when its CPU goes offline. */
static bool has_slept_there(const struct probe *probe)
{
	const struct timespec doze = { .tv_nsec = NSEC_PER_MSEC };
	bool is_there = !cpu_pin(probe->cpu);

	clock_nanosleep(CLOCK_MONOTONIC, 0, &doze, NULL);
	return is_there && sched_getcpu() == probe->cpu;
}

static void *sleep_over_and_over(void *arg)
{
	struct probe *probe = arg;

	while (!__atomic_load_n(&probe->is_over, __ATOMIC_RELAXED)) {
		__u64 begin = now_ns(), late;
		bool has_slept = has_slept_there(probe);

		late = now_ns() - begin - NSEC_PER_MSEC;
		if (late > probe->worst)
			probe->worst = late;
		__atomic_add_fetch(&probe->sleeps, has_slept, __ATOMIC_RELAXED);
	}
	return NULL;
}

static __u64 sleeps_of(const struct probe *probe)
{
	return __atomic_load_n(&probe->sleeps, __ATOMIC_RELAXED);
}

static int begin_on(struct probes *probes, int cpu)
{
	struct probe *probe = probes->probe + probes->nr;
	int err;

	probe->cpu = cpu;
	err = -pthread_create(&probe->thread, NULL, sleep_over_and_over, probe);
	probes->nr += !err;
	return err;
}

int probes_begin(struct probes *probes)
{
	cpu_set_t set;
	int err = 0;

	memset(probes, 0, sizeof(*probes));
	if (sched_getaffinity(0, sizeof(set), &set))
		return -errno;
	probes->probe = calloc(CPU_COUNT(&set), sizeof(*probes->probe));
	if (!probes->probe)
		return -ENOMEM;
	for (int cpu = 0; cpu < CPU_SETSIZE && !err; cpu++)
		if (CPU_ISSET(cpu, &set))
			err = begin_on(probes, cpu);
	return err;
}

void probes_look(struct probes *probes)
{
	for (int i = 0; i < probes->nr; i++)
		probes->probe[i].seen = sleeps_of(probes->probe + i);
}

/* Return true if each probe has completed a sleep on its CPU since probes_look(). */
bool probes_came(const struct probes *probes)
{
	for (int i = 0; i < probes->nr; i++)
		if (sleeps_of(probes->probe + i) == probes->probe[i].seen)
			return false;
	return true;
}

/* Stop the threads. Their results stay valid until probes_free(). */
void probes_end(struct probes *probes)
{
	for (int i = 0; i < probes->nr; i++)
		__atomic_store_n(&probes->probe[i].is_over, true, __ATOMIC_RELAXED);
	for (int i = 0; i < probes->nr; i++)
		pthread_join(probes->probe[i].thread, NULL);
}

void probes_free(struct probes *probes)
{
	free(probes->probe);
	memset(probes, 0, sizeof(*probes));
}
