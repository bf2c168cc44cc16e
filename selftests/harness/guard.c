// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - run one test and judge its result
 *
 * usage: guard NAME SECONDS RESULTS COMMAND [ARGUMENT ...]
 *        guard --skip
 *
 * guard waits until COMMAND exits, for at most SECONDS, and then kills all processes
 * of the test. The test fails if
 * - COMMAND times out, is killed, or has an exit status other than 0 and EXIT_SKIP;
 * - a process of the test cannot be killed;
 * - the kernel logs an unexpected line (see klog.h) or becomes tainted. A test that
 *   prints "# expect-trouble" may cause both.
 *
 * With --skip, guard only skips the lines that the kernel has logged so far.
 *
 * guard writes one line, "ok|not ok|skip NAME # REASON", to stdout and appends it to
 * the file RESULTS. If the test failed, its output and the unexpected lines of the
 * kernel's log follow on stdout; otherwise only the test's lines "# note: TEXT"
 * follow. The duration of the test, in seconds, is appended to RESULTS.times.
 *
 * guard is a program because a script would start more processes, and on an emulated
 * machine, starting a process takes 0.1 s.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "harness/klog.h"

#define EXIT_SKIP	4

/*
 * Maximum number of attempts to kill all processes, and of attempts to read the end of
 * a KCSAN report. guard makes one attempt every 10 ms.
 */
#define KILL_TRIES	1000

/* Taints that fail a test: BAD_PAGE, DIE, WARN and SOFTLOCKUP. */
#define TAINTS		(1UL << 5 | 1UL << 7 | 1UL << 9 | 1UL << 14)

/**
 * struct guard - the test that this program runs
 * @name:	name of the test
 * @results:	path of the file to which the result is appended
 * @output:	output of the test, as a string
 * @klog:	the kernel's log
 * @taints:	taints of the kernel before the test
 * @hangs:	a process of the test does not die from SIGKILL
 * @reason:	why the test failed or was skipped
 */
struct guard {
	const char	*name;
	const char	*results;
	char		*output;
	struct klog	klog;
	unsigned long	taints;
	bool		hangs;
	char		reason[512];
};

static void die(const char *what)
{
	fprintf(stderr, "guard: %s: %s\n", what, strerror(errno));
	exit(2);
}

static unsigned long read_taints(void)
{
	unsigned long taints = 0;
	FILE *file = fopen("/proc/sys/kernel/tainted", "r");

	if (!file || fscanf(file, "%lu", &taints) != 1)
		die("tainted");
	fclose(file);
	return taints & TAINTS;
}

/*
 * run.sh has exempted itself and guard from the OOM killer, which would kill them before small
 * processes of a test. Undo that for the test. Outside of run.sh, there is nothing to undo, and
 * this may fail.
 */
static void become_killable(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (write(fd, "0", 1) < 0)
		errno = 0;
	close(fd);
}

static pid_t start(char **command, int output)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid)
		return pid;
	become_killable();
	dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	execvp(command[0], command);
	_exit(127);
}

static void kill_children(void)
{
	char path[64];
	FILE *file;
	int pid;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	file = fopen(path, "r");
	if (!file)
		die(path);
	while (fscanf(file, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	fclose(file);
}

/*
 * Kill all processes of the test. guard is a subreaper, so orphaned processes of the
 * test become its children. Return false if a process hangs in the kernel.
 */
static bool kill_all(void)
{
	for (int i = 0; i < KILL_TRIES; i++) {
		kill_children();
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (waitpid(-1, NULL, WNOHANG) < 0)
			return true;
		usleep(10000);
	}
	return false;
}

/*
 * Wait until process @pid exits. Return its wait status, or -1 if it did not exit
 * within @seconds.
 */
static int wait_for(pid_t pid, int seconds)
{
	struct pollfd poll_fd = {
		.fd	= syscall(SYS_pidfd_open, pid, 0),
		.events	= POLLIN,
	};
	int status = -1;

	if (poll_fd.fd < 0)
		die("pidfd_open");
	if (poll(&poll_fd, 1, seconds * 1000) == 1)
		waitpid(pid, &status, 0);
	close(poll_fd.fd);
	return status;
}

static char *read_output(int fd)
{
	off_t bytes = lseek(fd, 0, SEEK_END);
	char *output = calloc(1, bytes + 1);

	if (!output || pread(fd, output, bytes, 0) != bytes)
		die("output");
	return output;
}

__attribute__((format(printf, 2, 3)))
static void set_reason(struct guard *guard, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(guard->reason, sizeof(guard->reason), format, args);
	va_end(args);
}

/* Find @text in the output. Return the rest of the line after @text, or NULL. */
static const char *line_after(const struct guard *guard, const char *text)
{
	static char line[256];
	const char *at = strstr(guard->output, text);

	if (!at)
		return NULL;
	at += strlen(text);
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
	return line;
}

/* Return the last line of the output, if it is a comment: what fail() of a script has said. */
static const char *last_comment(const struct guard *guard)
{
	static char line[256];
	size_t end = strlen(guard->output), begin;

	while (end && guard->output[end - 1] == '\n')
		end--;
	for (begin = end; begin && guard->output[begin - 1] != '\n'; begin--)
		;
	if (strncmp(guard->output + begin, "# ", 2))
		return NULL;
	snprintf(line, sizeof(line), "%.*s", (int)(end - begin - 2), guard->output + begin + 2);
	return line;
}

static const char *judge_status(struct guard *guard, int status)
{
	const char *why = line_after(guard, ":Expected ");
	const char *said = last_comment(guard);
	const char *skip = line_after(guard, "# SKIP ");

	if (status == -1) {
		set_reason(guard, "timed out");
		return "not ok";
	}
	if (WIFSIGNALED(status)) {
		set_reason(guard, "killed by signal %d", WTERMSIG(status));
		return "not ok";
	}
	if (WEXITSTATUS(status) && WEXITSTATUS(status) != EXIT_SKIP) {
		set_reason(guard, "exit status %d%s%s", WEXITSTATUS(status),
			   why ? ": expected " : said ? ": " : "",
			   why ? why : said ? said : "");
		return "not ok";
	}
	if (skip || WEXITSTATUS(status)) {
		set_reason(guard, "%s", skip ? skip : "not here");
		return "skip";
	}
	return "ok";
}

static const char *judge(struct guard *guard, int status)
{
	bool is_expected = line_after(guard, "# expect-trouble");

	if (guard->klog.nr_lines && !is_expected) {
		set_reason(guard, "dmesg: %s", guard->klog.lines[0]);
		return "not ok";
	}
	if (guard->hangs) {
		set_reason(guard, "a process of the test cannot be killed");
		return "not ok";
	}
	if (read_taints() != guard->taints && !is_expected) {
		set_reason(guard, "the kernel is tainted: %#lx", read_taints());
		return "not ok";
	}
	return judge_status(guard, status);
}

/* Print the lines of @text that begin with @begin. */
static void print_indented(const char *label, const char *text, const char *begin)
{
	while (*text) {
		int len = strcspn(text, "\n");

		if (!strncmp(text, begin, strlen(begin)))
			printf("    %s| %.*s\n", label, len, text);
		text += len + !!text[len];
	}
}

static double now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void report_time(const struct guard *guard, double seconds)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s.times", guard->results);
	file = fopen(path, "a");
	if (!file)
		die(path);
	fprintf(file, "%8.2f %s\n", seconds, guard->name);
	fclose(file);
}

static void report(struct guard *guard, const char *result)
{
	const char *mark = guard->reason[0] ? " # " : "";
	FILE *file = fopen(guard->results, "a");

	if (!file)
		die(guard->results);
	fprintf(file, "%s %s%s%s\n", result, guard->name, mark, guard->reason);
	fclose(file);

	printf("%s %s%s%s\n", result, guard->name, mark, guard->reason);
	if (guard->klog.dropped)
		printf("    | # note: the kernel's own: %s\n", guard->klog.dropped);
	if (strcmp(result, "not ok")) {
		print_indented("", guard->output, "# note: ");
		return;
	}
	print_indented("", guard->output, "");
	for (int i = 0; i < guard->klog.nr_lines; i++)
		print_indented("dmesg", guard->klog.lines[i], "");
}

/* Read the log. If it ends within a KCSAN report, wait for the rest of the report. */
static void read_klog(struct guard *guard)
{
	klog_read(&guard->klog, guard->output);
	for (int i = 0; i < KILL_TRIES && guard->klog.race >= 0; i++) {
		usleep(10000);
		klog_read(&guard->klog, guard->output);
	}
}

static void begin(struct guard *guard, char **argv)
{
	guard->name = argv[1];
	guard->results = argv[3];
	guard->taints = read_taints();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (klog_open(&guard->klog) || klog_begin_test(&guard->klog, guard->name))
		die("/dev/kmsg");
}

static int skip(void)
{
	static struct klog klog;

	return klog_open(&klog) || klog_skip(&klog);
}

int main(int argc, char **argv)
{
	static struct guard guard;
	double start_time = now();
	const char *result;
	int output, status;

	if (argc == 2 && !strcmp(argv[1], "--skip"))
		return skip();
	if (argc < 5) {
		fprintf(stderr,
			"usage: guard NAME SECONDS RESULTS COMMAND [ARGUMENT ...]\n"
			"       guard --skip\n");
		return 2;
	}
	begin(&guard, argv);
	output = memfd_create("output", MFD_CLOEXEC);
	if (output < 0)
		die("memfd_create");

	status = wait_for(start(argv + 4, output), atoi(argv[2]));
	guard.hangs = !kill_all();
	guard.output = read_output(output);
	read_klog(&guard);
	result = judge(&guard, status);
	report(&guard, result);
	report_time(&guard, now() - start_time);
	return !strcmp(result, "not ok");
}
