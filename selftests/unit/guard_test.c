// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - which lines of the kernel's log make the guard fail a test
 */
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#define MAX_LINES	8

/**
 * struct log - the output of a test, and the kernel's log during the test
 * @name:	name of the check
 * @printed:	line that the test prints
 * @is_trouble:	the guard must report that the test failed
 * @lines:	lines of the kernel's log
 */
struct log {
	const char	*name;
	const char	*printed;
	bool		is_trouble;
	const char	*lines[MAX_LINES];
};

#define SAID	"'report' does not say: hot"
#define FAILED	"# " SAID
#define RACE	"BUG: KCSAN: data-race in "
#define OURS	" walk_user+0x3c5/0x420 [tprof_lx]"
#define THEIRS	" path_openat+0x1c4/0x700"
#define END	"=================================================================="
#define OOM	"fork invoked oom-killer: gfp_mask=0x400dc0, order=2, oom_score_adj=0"

static const struct log logs[] = {
	{ "a harmless line passes", "", false, { "random: crng init done" } },
	{ "a result has what a failed script has said", FAILED, false, { NULL } },
	{ "a BUG fails the test", "", true, { "BUG: unable to handle page fault for address: 0" } },
	{ "a faulting register access fails the test", "", true,
	  { "unchecked MSR access error: RDMSR from 0x186 at rIP: 0xffffffff81000000" } },
	{ "a line of the module fails the test", "", true, { "tprof_lx: 0.1.0 is ready" } },
	{ "an expected line of the module passes", "# expect-dmesg: is ready", false,
	  { "tprof_lx: 0.1.0 is ready" } },

	{ "a race without our code passes", "", false,
	  { RACE "do_open / path_openat", THEIRS, END } },
	{ "a race of two kernel functions that we call passes", "", false,
	  { RACE "copy_from_kernel_nofault / copy_from_user_nmi", OURS, END } },
	{ "a race of two kernel functions in our worker passes", "", false,
	  { RACE "__hrtimer_run_queues / hrtimer_active", OURS, "CPU: 0 Comm: kworker/0:1",
	    "Workqueue: tprof-lx flush_run [tprof_lx]", END } },
	{ "a race in __mem_cgroup_charge() passes: it is no memory helper", "", false,
	  { RACE "__mem_cgroup_charge / mem_cgroup_update_lru_size", OURS, END } },
	{ "a race of our function with the kernel fails the test", "", true,
	  { RACE "tprof_claim_unknown [tprof_lx] / path_openat", OURS, END } },
	{ "a race of the kernel with our function fails the test", "", true,
	  { RACE "path_openat / tprof_claim_unknown [tprof_lx]", OURS, END } },
	{ "a race in memcpy() called by us fails the test", "", true,
	  { RACE "memcpy / path_openat", OURS, END } },
	{ "a race of our function with itself fails the test", "", true,
	  { RACE "read_file [tprof_lx] / read_file [tprof_lx]", OURS, END } },
	{ "a race of our function with an unknown one fails the test", "", true,
	  { RACE "read_file+0x2c/0x70 [tprof_lx]", OURS, END } },
	{ "a warning after a race of the kernel fails the test", "", true,
	  { RACE "do_open / path_openat", THEIRS, END, "WARNING: CPU: 0 PID: 1" } },
	{ "an unknown NMI within a race report fails the test", "", true,
	  { RACE "do_open / path_openat", THEIRS, "Uhhuh. NMI received for unknown reason",
	    THEIRS, END } },
	{ "a line of the module within a race report fails the test", "", true,
	  { RACE "do_open / path_openat", THEIRS, "tprof_lx: something", THEIRS, END } },
	{ "an expected line within a race report passes", "# expect-dmesg: something", false,
	  { RACE "do_open / path_openat", THEIRS, "tprof_lx: something", THEIRS, END } },

	{ "a stack of the OOM killer fails the test", "", true,
	  { OOM, "Call Trace:", OURS, "RIP: 0010:__put_user_4+0xd/0x20", "Mem-Info:" } },
	{ "a stack of the OOM killer passes if the test expects it", "# expect-oom", false,
	  { OOM, "Call Trace:", OURS, "RIP: 0010:__put_user_4+0xd/0x20", "Mem-Info:" } },
	{ "a stack after that of the OOM killer fails the test", "# expect-oom", true,
	  { OOM, "Call Trace:", OURS, "Mem-Info:", "Call Trace:" } },
	{ "a race of the kernel within an expected OOM stack passes", "# expect-oom", false,
	  { OOM, "Call Trace:", END, RACE "do_open / path_openat", THEIRS, END,
	    "RIP: 0033:0x7f", "Mem-Info:" } },
	{ "a race of ours within an expected OOM stack fails the test", "# expect-oom", true,
	  { RACE "memcpy / path_openat", OOM, OURS, END, "Mem-Info:" } },
	{ NULL, NULL, false, { NULL } },
};

/* Send each line as a record, in the format of /dev/kmsg. */
static void fill(int kmsg, const char *const *lines)
{
	char record[512];
	int len;

	for (int i = 0; i < MAX_LINES && lines[i]; i++) {
		len = snprintf(record, sizeof(record), "3,%d,%d,-;%s\n", i, i, lines[i]);
		if (send(kmsg, record, len, 0) != len)
			abort();
	}
}

static bool is_failed(const struct log *log)
{
	return !strcmp(log->printed, FAILED);
}

static void run_guard(const char *guard, const struct log *log, int kmsg, int output)
{
	char number[16], results[8192], script[32];

	snprintf(results, sizeof(results), "%s-results", guard);
	snprintf(script, sizeof(script), "echo \"$0\"; exit %d", is_failed(log));
	snprintf(number, sizeof(number), "%d", kmsg);
	setenv("TPROF_KMSG", number, 1);
	/* The guard exits without freeing its memory, which is not a leak. */
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
	if (dup2(output, STDOUT_FILENO) < 0)
		abort();
	execl(guard, guard, "test", "60", results, "/bin/sh", "-c", script, log->printed,
	      NULL);
	abort();
}

/*
 * Return true if the first line that the guard prints is the expected result, and
 * the guard's exit status is 1 for a failure and 0 otherwise.
 */
static bool is_judged(const char *guard, const struct log *log)
{
	const char *expected = log->is_trouble ? "not ok test # dmesg: " :
			       is_failed(log) ? "not ok test # exit status 1: " SAID "\n" :
					     "ok test\n";
	char said[4096] = "";
	int kmsg[2], output[2], status;
	size_t len = 0;
	ssize_t ret;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, kmsg) || pipe(output))
		abort();
	fill(kmsg[0], log->lines);
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid)
		run_guard(guard, log, kmsg[1], output[1]);
	close(output[1]);
	while ((ret = read(output[0], said + len, sizeof(said) - 1 - len)) > 0)
		len += ret;
	if (waitpid(pid, &status, 0) != pid)
		abort();
	close(output[0]);
	close(kmsg[0]);
	close(kmsg[1]);
	return WIFEXITED(status) && WEXITSTATUS(status) == (log->is_trouble || is_failed(log)) &&
	       !strncmp(said, expected, strlen(expected));
}

int main(int argc, char **argv)
{
	const struct log *log;
	char guard[4096];

	(void)argc;
	snprintf(guard, sizeof(guard), "%s/guard", dirname(argv[0]));
	for (log = logs; log->name; log++)
		unit_ok(is_judged(guard, log), log->name);
	return unit_exit();
}
