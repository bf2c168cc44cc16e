// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - C programs with known call chains
 *
 * usage: shapes SHAPE NAME SECONDS [PLUGIN]
 *
 * The process sets its name to NAME and runs the call chain of SHAPE. The program is
 * built several times: with and without frame pointers, static, at a fixed address,
 * stripped.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../workloads/now.h"
#include "corpus.h"

#define DEPTH		60
#define NR_CHILDREN	40
#define WIDTH		30
#define PAPER_BYTES	(256 * 1024)
#define NR_CLOCKS	10000

static char **arguments;
static double end;
static unsigned long value = 1;
static volatile bool has_ticked;

static bool is_over(void)
{
	return now() >= end;
}

/* main -> shallow -> leaf */
static FRAME void shallow(void)
{
	value = leaf(value) + 1;
}

/* main -> run_deep -> deep -> ... (DEPTH times) -> deep -> leaf */
static FRAME unsigned long deep(unsigned int depth)
{
	unsigned long x = depth > 1 ? deep(depth - 1) : leaf(value);

	/* Keep the compiler from turning the recursion into a loop. */
	__asm__ volatile("" : "+r"(x));
	return x;
}

static FRAME void run_deep(void)
{
	value = deep(DEPTH) + 1;
}

/* main -> run_clock -> clock_gettime of the C library -> the vdso */
static FRAME void run_clock(void)
{
	struct timespec time;
	int i;

	for (i = 0; i < NR_CLOCKS; i++) {
		clock_gettime(CLOCK_MONOTONIC, &time);
		value += time.tv_nsec | 1;
	}
}

/* main -> run_tail -> in_tail -> leaf; before_tail() jumps to in_tail() */
static FRAME unsigned long in_tail(unsigned long x)
{
	return leaf(x) + 1;
}

static FRAME unsigned long before_tail(unsigned long x)
{
	return in_tail(x + 1);
}

static FRAME void run_tail(void)
{
	value = before_tail(value) + 1;
}

/* main -> interrupted -> (signal) on_tick -> leaf */
static FRAME void on_tick(int signal)
{
	value = leaf(value) + signal;
	has_ticked = true;
}

static FRAME void interrupted(void)
{
	struct itimerval soon = { .it_value.tv_usec = 500 };

	has_ticked = false;
	setitimer(ITIMER_REAL, &soon, NULL);
	while (!has_ticked)
		value++;
	value++;
}

static void setup_signal(void)
{
	struct sigaction action = { .sa_handler = on_tick };

	sigaction(SIGALRM, &action, NULL);
}

/* thread -> worker -> leaf */
static FRAME void *worker(void *arg)
{
	unsigned long own = 1;

	while (!is_over())
		own = leaf(own) + 1;
	value += own;
	return arg;
}

static FRAME void run_thread(void)
{
	pthread_t threads[2];
	int i;

	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

/*
 * thread -> on_paper -> wide -> ... (WIDTH times) -> wide -> without_callers -> leaf
 *
 * The stack is a mapped file. While leaf() runs, only the stack pages that leaf() uses
 * are present, so the frames of its callers are not present.
 */
static char *paper;

static FRAME unsigned long without_callers(unsigned long x)
{
	char *here = (char *)((unsigned long)__builtin_frame_address(0) & ~4095UL);

	madvise(here + 4096, paper + PAPER_BYTES - (here + 4096), MADV_DONTNEED);
	return leaf(x) + 1;
}

static FRAME unsigned long wide(unsigned int width)
{
	volatile char room[512];
	unsigned long x;

	room[0] = width;
	x = width > 1 ? wide(width - 1) : without_callers(value);
	return x + room[0];
}

static FRAME void *on_paper(void *arg)
{
	while (!is_over())
		value += wide(WIDTH);
	return arg;
}

static void setup_absent(void)
{
	int fd = memfd_create("stack", 0);

	if (fd < 0 || ftruncate(fd, PAPER_BYTES))
		exit(1);
	paper = mmap(NULL, PAPER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (paper == MAP_FAILED)
		exit(1);
}

static FRAME void run_absent(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	if (pthread_attr_setstack(&attr, paper, PAPER_BYTES) ||
	    pthread_create(&thread, &attr, on_paper, NULL))
		exit(1);
	pthread_join(thread, NULL);
}

/* main -> run_storm -> in_child -> leaf, in many short-lived child processes */
static FRAME void in_child(void)
{
	value = leaf(value) + 1;
	_exit(0);
}

static FRAME void run_storm(void)
{
	int i;

	for (i = 0; i < NR_CHILDREN; i++) {
		if (!fork())
			in_child();
	}
	while (wait(NULL) > 0)
		;
}

/* Execute this program again, with the shape "shallow". */
static FRAME void run_exec(void)
{
	arguments[1] = "shallow";
	execv("/proc/self/exe", arguments);
	_exit(1);
}

/* main -> shallow -> leaf, in a program whose file has been deleted */
static void setup_deleted(void)
{
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (len < 0)
		_exit(1);
	path[len] = '\0';
	unlink(path);
}

/* main -> run_plugin -> plugin -> through_plugin -> leaf */
static __typeof__(&plugin) call_plugin;

static FRAME unsigned long through_plugin(unsigned long x)
{
	return leaf(x) + 1;
}

static void setup_plugin(void)
{
	void *library = dlopen(arguments[4], RTLD_NOW);

	*(void **)&call_plugin = library ? dlsym(library, "plugin") : NULL;
	if (!call_plugin) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
}

static FRAME void run_plugin(void)
{
	value += call_plugin(through_plugin);
}

/**
 * struct shape - a kind of call chain
 * @name:	name of the shape, NULL at the end of the table
 * @setup:	called once at the start, or NULL
 * @run:	called again and again until SECONDS have passed
 */
static const struct shape {
	const char *name;
	void	(*setup)(void);
	void	(*run)(void);
} shapes[] = {
	{ "shallow", NULL, shallow },
	{ "deep", NULL, run_deep },
	{ "clock", NULL, run_clock },
	{ "tail", NULL, run_tail },
	{ "signal", setup_signal, interrupted },
	{ "thread", NULL, run_thread },
	{ "absent", setup_absent, run_absent },
	{ "storm", NULL, run_storm },
	{ "exec", NULL, run_exec },
	{ "deleted", setup_deleted, shallow },
	{ "plugin", setup_plugin, run_plugin },
	{ NULL },
};

static const struct shape *find_shape(const char *name)
{
	const struct shape *shape;

	for (shape = shapes; shape->name; shape++) {
		if (!strcmp(shape->name, name))
			return shape;
	}
	fprintf(stderr, "no shape '%s'\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	const struct shape *shape;

	if (argc < 4)
		return 2;
	arguments = argv;
	shape = find_shape(argv[1]);
	prctl(PR_SET_NAME, argv[2]);
	if (shape->setup)
		shape->setup();
	end = now() + atof(argv[3]);
	do {
		shape->run();
	} while (!is_over());
	/* Use the result, so that the compiler keeps the work. */
	return value == 0;
}
