// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a process that runs functions of the test, for sessions with targets
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/wait.h>

#include "harness/target.h"

struct request {
	target_function_t	function;
	__u64			argument;
};

/*
 * Serve requests in a descendant of this process, @depth generations below, until a request
 * has no function.
 */
static void serve(struct target *target, int depth)
{
	struct request request;
	int err;

	close(target->to_child[1]);
	for (; depth; depth--) {
		pid_t pid = fork();

		if (pid) {
			waitpid(pid, NULL, 0);
			_exit(0);
		}
	}
	while (read(target->to_child[0], &request, sizeof(request)) == sizeof(request) &&
	       request.function) {
		err = request.function(target, request.argument);
		if (write(target->to_parent[1], &err, sizeof(err)) != sizeof(err))
			break;
	}
	_exit(0);
}

/*
 * Fork a target. Its descendant, @depth generations below, runs the functions; all other
 * generations sleep.
 */
int target_start(struct target *target, __u32 key, int depth)
{
	target->key = key;
	if (pipe(target->to_child) || pipe(target->to_parent))
		return -errno;
	target->pid = fork();
	if (!target->pid)
		serve(target, depth);
	close(target->to_child[0]);
	close(target->to_parent[1]);
	return target->pid < 0 ? -errno : 0;
}

/* Let the target begin @function. */
int target_ask(struct target *target, target_function_t function, __u64 argument)
{
	struct request request = { .function = function, .argument = argument };

	return write(target->to_child[1], &request, sizeof(request)) == sizeof(request) ?
	       0 : -EPIPE;
}

/* Wait for the end of the function that the target runs. Return its result. */
int target_wait(struct target *target)
{
	int err;

	return read(target->to_parent[0], &err, sizeof(err)) == sizeof(err) ? err : -EPIPE;
}

/* Return whether a process is in @state, a letter of /proc/PID/stat. */
bool process_is(pid_t pid, char state)
{
	char path[32], now = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (fscanf(file, "%*d (%*[^)]) %c", &now) != 1)
		now = 0;
	fclose(file);
	return now == state;
}

/*
 * Let the target run @function. Then wait until the process @target->pid
 * sleeps: this process may have run @function itself. Return the result of
 * @function.
 */
int target_do(struct target *target, target_function_t function, __u64 argument)
{
	int err = target_ask(target, function, argument) ?: target_wait(target);

	if (!wait_until(process_is(target->pid, 'S'), 10000))
		return -ETIMEDOUT;
	/* A task's state becomes S shortly before the task leaves the CPU. */
	nap();
	return err;
}

/* Let the target exit, after the function that it runs, and wait for its end. */
void target_end(struct target *target)
{
	target_ask(target, NULL, 0);
	close(target->to_child[1]);
	close(target->to_parent[0]);
	waitpid(target->pid, NULL, 0);
}

/* Spend much time in the kernel, for @ms. */
int target_call_kernel(struct target *target, __u64 ms)
{
	__u64 end = now_ns() + ms * NSEC_PER_MSEC;

	while (now_ns() < end)
		for (int i = 0; i < 100; i++)
			getppid();
	return 0;
}
