// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - run one test under guard
 *
 * usage: guard NAME SECONDS RESULTS COMMAND [ARGUMENT ...]
 *        guard --skip
 *
 * What the kernel says is read from the file descriptor TPROF_KMSG, which all tests
 * share, so that nothing between two of them is lost: it is the second one's. --skip
 * leaves out what has been said so far. Where there is no TPROF_KMSG, a test begins
 * with what comes next.
 *
 * The command gets SECONDS; whatever it leaves behind is killed. Its exit
 * status counts, and what the kernel says meanwhile: a line that tells of
 * trouble, or any line of tprof-lx, fails the test, unless it said before that
 * the line would come ("# expect-dmesg: TEXT" on its stdout), that memory would come to
 * an end ("# expect-oom"), or that there would be trouble ("# expect-trouble"). One line
 * of the form "ok|not ok|skip NAME # REASON" goes to stdout and to the file RESULTS;
 * a failure is followed by what the test and the kernel said, anything else by
 * what the test has for people ("# note: TEXT"). RESULTS.times has how many seconds
 * each test took.
 *
 * One program, because on an emulated machine each process costs a tenth of a
 * second.
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

#define EXIT_SKIP	4
#define MAX_LINES	4096

/* What begins here is no trouble, whatever its name. */
#define BEGINS		"selftest: "

/* At intervals of 10 ms. */
#define KILL_TRIES	1000

/* Bad page, died, warned, soft lockup. */
#define TAINTS		(1UL << 5 | 1UL << 7 | 1UL << 9 | 1UL << 14)

/* What in the kernel's log is trouble, whoever says it. */
static const char *const trouble[] = {
	"WARNING", "BUG", "Oops", "Call Trace", "RIP: ", "unknown reason",
	"Dazed and confused", "NMI received", "INFO: NMI handler",
	"strange power saving", "stall", "hung task", "blocked for more than",
	"lockup", "KASAN", "UBSAN", "KFENCE", "general protection", "unchecked MSR",
	"unable to handle", "refcount_t", "corruption",
	"scheduling while atomic", "sleeping function", "possible circular",
	"possible recursive", "possible irq", "inconsistent lock",
	"non-static key", "held lock freed", "unlock balance", "ODEBUG",
	"suspicious", "tprof_lx", "tprof-lx", NULL,
};

/*
 * What functions of the kernel begin with that work on what their callers have. All
 * others race with each other on what is theirs alone, whoever calls them: RCU's state
 * of a task, a work's pending bit and its timer, whether a task may have page faults,
 * which copies that may not fault change in an NMI and in what it interrupts.
 */
static const char *const helpers[] = {
	"memcpy", "memset", "memmove", "memcmp", "memchr", "memdup", "__memcpy", "__memset",
	"__memmove", "str", "sized_str", "list_sort", "__list_add", "__list_del", "hlist_",
	"llist_", "rb_insert", "rb_erase", "rb_first", "rb_last", "rb_next", "rb_prev",
	"rb_replace", "__rb_insert", "__rb_erase", "kfifo", "__kfifo", "bitmap_",
	"__bitmap_", "find_next_", "find_first_", "find_last_", "_find_", "sort", "xa_",
	"idr_", "refcount_", "kref_", "vsnprintf", "sprintf", "snprintf", "scnprintf",
	"number", "put_dec", "format_decode", "_copy_", "__copy_", "raw_copy_", "xas_",
	"ida_", "kstrdup", "kmemdup", "cpumask_", "d_path", "prepend", NULL,
};

/* What comes behind the stack of who asked for memory in vain, or in its place. */
static const char *const ends_of_oom_stack[] = {
	"Mem-Info:", "memory: usage", "Tasks state", "------------[", "=====", "BUG: ", NULL,
};

/**
 * struct guard - a test under guard
 * @name:	of the test
 * @results:	file that results are appended to
 * @output:	what it printed, whole, ending with a zero byte
 * @lines:	what the kernel said that is trouble
 * @nr_lines:	how many
 * @race:	index of the first line of a data race that is being told, or -1
 * @race_is_ours: it is in our code
 * @dropped:	the last data race that was the kernel's own, or NULL
 * @oom:	the kernel tells whom it kills for want of memory
 * @taints:	of the kernel, before
 * @hangs:	a process of it cannot be killed
 * @reason:	why it failed or was skipped
 */
struct guard {
	const char	*name;
	const char	*results;
	char		*output;
	char		*lines[MAX_LINES];
	int		nr_lines;
	int		race;
	bool		race_is_ours;
	char		*dropped;
	bool		oom;
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

/* Where the last test has left off; or where the log ends now. */
static int kmsg_open(void)
{
	const char *shared = getenv("TPROF_KMSG");
	int fd = shared ? atoi(shared) :
			  open("/dev/kmsg", O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) || fcntl(fd, F_SETFD, FD_CLOEXEC))
		die("/dev/kmsg");
	if (!shared)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/* For who reads the console: as an error, which "quiet" shows too. */
static void tell_begin(int kmsg, const char *name)
{
	char line[512];
	int len = snprintf(line, sizeof(line), "<3>" BEGINS "%.400s\n", name);

	/* Not by dprintf(), which asks where the file stands, and a log does not say. */
	if (write(kmsg, line, len) != len)
		die("writing to /dev/kmsg");
}

static pid_t start(char **command, int output)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid)
		return pid;
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
 * Orphans of the test become ours, and end here; false if one does not end,
 * which means that it hangs in the kernel.
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

/* Return: its wait status, or -1 when it did not end in time. */
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

/* Did the test say that this would come? */
static bool is_expected(const char *output, const char *line)
{
	static const char says[] = "# expect-dmesg: ";
	const char *at = output;
	char text[256];

	while ((at = strstr(at, says))) {
		at += strlen(says);
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(at, "\n"),
			 at);
		if (strstr(line, text))
			return true;
	}
	return false;
}

static bool is_trouble(const char *line)
{
	if (strstr(line, ";" BEGINS))
		return false;
	for (const char *const *text = trouble; *text; text++)
		if (strstr(line, *text))
			return true;
	return false;
}

static void keep_line(struct guard *guard, const char *line)
{
	if (guard->nr_lines < MAX_LINES)
		guard->lines[guard->nr_lines++] = strdup(line);
}

static bool begins_with_any(const char *text, const char *const *list)
{
	for (; *list; list++)
		if (!strncmp(text, *list, strlen(*list)))
			return true;
	return false;
}

/* Ours has the module behind its name. */
static bool is_kernels_own(const char *function, size_t len)
{
	return !memmem(function, len, "[tprof_lx", strlen("[tprof_lx")) &&
	       !begins_with_any(function, helpers);
}

/* "... data-race in A / B": or in A alone, with itself. */
static bool is_race_of_kernel(const char *line)
{
	const char *first = strstr(line, "data-race in "), *second;
	size_t len;

	if (!first)
		return false;
	first += strlen("data-race in ");
	second = strstr(first, " / ");
	len = second ? (size_t)(second - first) : strlen(first);
	return is_kernels_own(first, len) &&
	       (!second || is_kernels_own(second + strlen(" / "), strlen(second) - strlen(" / ")));
}

/*
 * A kernel that looks for data races tells of its own as well. Whose code it was
 * is seen from the stacks: all lines are kept up to the last, which decides.
 *
 * Return: whether @line is one of them.
 */
static bool read_race(struct guard *guard, const char *line)
{
	if (strstr(line, "BUG: KCSAN") && guard->nr_lines < MAX_LINES) {
		guard->race = guard->nr_lines;
		guard->race_is_ours = false;
	}
	if (guard->race < 0)
		return false;
	guard->race_is_ours |= !!strstr(line, "[tprof_lx");
	keep_line(guard, line);
	if (line[0] != '=')
		return true;
	if (!guard->race_is_ours) {
		guard->nr_lines = guard->race;
	} else if (is_race_of_kernel(guard->lines[guard->race])) {
		guard->dropped = guard->lines[guard->race];
		guard->nr_lines = guard->race;
	}
	guard->race = -1;
	return true;
}

/*
 * Whoever asks for memory last, when there is none, has his stack told of: also who
 * may not say that he would rather have none, as for page tables. Other lines may
 * come in between.
 *
 * Return: whether @line is of such a stack, in a test that takes memory away.
 */
static bool is_oom_stack(struct guard *guard, const char *line)
{
	if (strstr(line, " invoked oom-killer: "))
		guard->oom = strstr(guard->output, "# expect-oom");
	if (begins_with_any(line, ends_of_oom_stack))
		guard->oom = false;
	return guard->oom && guard->race < 0 &&
	       (!strcmp(line, "Call Trace:") || strstr(line, "RIP: ") ||
			      (line[0] == ' ' && strstr(line, "+0x")));
}

/* Reads the log from where kmsg_open() left it, and keeps what is trouble. */
static void read_kmsg(struct guard *guard, int fd)
{
	char record[8192];
	ssize_t len;

	/* EPIPE: more was said than the kernel keeps. */
	while ((len = read(fd, record, sizeof(record) - 1)) > 0 ||
	       (len < 0 && errno == EPIPE)) {
		char *text;

		if (len < 0)
			len = sprintf(record, ";BUG: lines were lost");
		record[len] = '\0';
		text = strchr(record, ';');
		if (!text)
			continue;
		text[strcspn(text, "\n")] = '\0';
		if (!is_oom_stack(guard, text + 1) && !read_race(guard, text + 1) &&
		    is_trouble(text) && !is_expected(guard->output, text))
			keep_line(guard, text + 1);
	}
}

__attribute__((format(printf, 2, 3)))
static void set_reason(struct guard *guard, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(guard->reason, sizeof(guard->reason), format, args);
	va_end(args);
}

/* The rest of the first line of the output that has @text. */
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

static const char *judge_status(struct guard *guard, int status)
{
	const char *why = line_after(guard, ":Expected ");
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
			   why ? ": expected " : "", why ? why : "");
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

	if (guard->nr_lines && !is_expected) {
		set_reason(guard, "dmesg: %s", guard->lines[0]);
		return "not ok";
	}
	if (guard->hangs) {
		set_reason(guard, "a process of it cannot be killed");
		return "not ok";
	}
	if (read_taints() != guard->taints && !is_expected) {
		set_reason(guard, "the kernel is tainted: %#lx", read_taints());
		return "not ok";
	}
	return judge_status(guard, status);
}

/* The lines that begin with @begin. */
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
	if (guard->dropped)
		printf("    | # note: the kernel's own: %s\n", guard->dropped);
	if (strcmp(result, "not ok")) {
		print_indented("", guard->output, "# note: ");
		return;
	}
	print_indented("", guard->output, "");
	for (int i = 0; i < guard->nr_lines; i++)
		print_indented("dmesg", guard->lines[i], "");
}

int main(int argc, char **argv)
{
	static struct guard guard;
	int kmsg, output, status;
	double begin = now();
	const char *result;

	if (argc == 2 && !strcmp(argv[1], "--skip"))
		return lseek(kmsg_open(), 0, SEEK_END) < 0;
	if (argc < 5) {
		fprintf(stderr,
			"usage: guard NAME SECONDS RESULTS COMMAND [ARGUMENT ...]\n"
			"       guard --skip\n");
		return 2;
	}
	guard.name = argv[1];
	guard.results = argv[3];
	guard.race = -1;
	guard.taints = read_taints();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	kmsg = kmsg_open();
	tell_begin(kmsg, guard.name);
	output = memfd_create("output", MFD_CLOEXEC);
	if (output < 0)
		die("memfd_create");

	status = wait_for(start(argv + 4, output), atoi(argv[2]));
	guard.hangs = !kill_all();
	guard.output = read_output(output);
	read_kmsg(&guard, kmsg);
	for (int i = 0; i < KILL_TRIES && guard.race >= 0; i++) {
		usleep(10000);
		read_kmsg(&guard, kmsg);
	}
	result = judge(&guard, status);
	report(&guard, result);
	report_time(&guard, now() - begin);
	return !strcmp(result, "not ok");
}
