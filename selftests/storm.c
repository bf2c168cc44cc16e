// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - what keeps a machine busy, and whether it still answers
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "storm.h"
#include "tree.h"

#define FRAMES		100
#define NR_THREADS	8
#define NR_MAPS		64
#define MAP_BYTES	4096

/* So much memory is left to the others. */
#define LEFT_KB		(32 << 10)
#define BALLOON_BYTES	(1UL << 20)
#define MAX_BALLOONS	65536

/* Under calls that fill a chain. */
void blow_calls(void)
{
	call_tree(FRAMES, 5);
}

/* By turns, one that becomes another program. */
void blow_processes(void)
{
	for (int i = 0; i < 8; i++) {
		pid_t pid = fork();

		if (!pid && i % 2)
			execl("/bin/true", "true", NULL);
		if (!pid)
			_exit(0);
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
}

static void *rename_self(void *name)
{
	prctl(PR_SET_NAME, name);
	return NULL;
}

void blow_threads(void)
{
	static char name[] = "gust";
	pthread_t threads[NR_THREADS];
	int nr = 0;

	while (nr < NR_THREADS &&
	       !pthread_create(&threads[nr], NULL, rename_self, name))
		nr++;
	while (nr)
		pthread_join(threads[--nr], NULL);
}

void blow_maps(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	void *maps[NR_MAPS];

	for (int i = 0; i < NR_MAPS; i++) {
		maps[i] = mmap(NULL, MAP_BYTES, PROT_READ | PROT_EXEC,
			       MAP_PRIVATE, fd, 0);
		if (maps[i] != MAP_FAILED)
			mprotect(maps[i], MAP_BYTES, PROT_READ | PROT_WRITE);
	}
	for (int i = 0; i < NR_MAPS; i++) {
		if (maps[i] != MAP_FAILED)
			munmap(maps[i], MAP_BYTES);
	}
	close(fd);
}

void blow_cpus(void)
{
	cpu_set_online(1, false);
	usleep(5000);
	cpu_set_online(1, true);
	usleep(5000);
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

/* Takes what there is, and gives back what others then take. */
void blow_memory(void)
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
}

int storm_begin(struct storm *storm)
{
	storm->nr = 0;
	storm->is_over = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return storm->is_over == MAP_FAILED ? -errno : 0;
}

/* They do not outlive who made them, if he dies. */
int storm_add(struct storm *storm, void (*blow)(void))
{
	pid_t pid;

	if (storm->nr == STORM_MAX)
		return -ENOSPC;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (!__atomic_load_n(storm->is_over, __ATOMIC_RELAXED))
			blow();
		_exit(0);
	}
	storm->pids[storm->nr++] = pid;
	return 0;
}

/* ECANCELED if one of them had died before. */
int storm_end(struct storm *storm)
{
	int status, err = 0;

	__atomic_store_n(storm->is_over, true, __ATOMIC_RELAXED);
	while (storm->nr) {
		if (waitpid(storm->pids[--storm->nr], &status, 0) < 0)
			err = -errno;
		else if (status)
			err = -ECANCELED;
	}
	munmap(storm->is_over, MAP_BYTES);
	return err;
}

static void *sleep_over_and_over(void *arg)
{
	const struct timespec doze = { .tv_nsec = NSEC_PER_MSEC };
	struct probe *probe = arg;

	while (!__atomic_load_n(&probe->is_over, __ATOMIC_RELAXED)) {
		__u64 begin = now_ns(), late;

		clock_nanosleep(CLOCK_MONOTONIC, 0, &doze, NULL);
		late = now_ns() - begin - NSEC_PER_MSEC;
		if (late > probe->worst)
			probe->worst = late;
		probe->sleeps++;
	}
	return NULL;
}

int probe_begin(struct probe *probe)
{
	memset(probe, 0, sizeof(*probe));
	return -pthread_create(&probe->thread, NULL, sleep_over_and_over, probe);
}

void probe_end(struct probe *probe)
{
	__atomic_store_n(&probe->is_over, true, __ATOMIC_RELAXED);
	pthread_join(probe->thread, NULL);
}
