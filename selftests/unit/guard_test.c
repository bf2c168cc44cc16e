// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - what the guard makes of what the kernel says during a test
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
 * struct log - a test and the kernel's log meanwhile
 * @name:	of the check
 * @printed:	by the test
 * @is_trouble:	the guard has to say that it failed
 * @lines:	of the kernel
 */
struct log {
	const char	*name;
	const char	*printed;
	bool		is_trouble;
	const char	*lines[MAX_LINES];
};

#define RACE	"BUG: KCSAN: data-race in "
#define OURS	" walk_user+0x3c5/0x420 [tprof_lx]"
#define THEIRS	" path_openat+0x1c4/0x700"
#define END	"=================================================================="
#define OOM	"fork invoked oom-killer: gfp_mask=0x400dc0, order=2, oom_score_adj=0"

static const struct log logs[] = {
	{ "what is no trouble", "", false, { "random: crng init done" } },
	{ "trouble", "", true, { "BUG: unable to handle page fault for address: 0" } },
	{ "a register that faults", "", true,
	  { "unchecked MSR access error: RDMSR from 0x186 at rIP: 0xffffffff81000000" } },
	{ "what the module says", "", true, { "tprof_lx: 0.1.0 is ready" } },
	{ "what it was to say", "# expect-dmesg: is ready", false,
	  { "tprof_lx: 0.1.0 is ready" } },

	{ "a race without us", "", false,
	  { RACE "do_open / path_openat", THEIRS, END } },
	{ "a race of the kernel with itself under us", "", false,
	  { RACE "copy_from_kernel_nofault / copy_from_user_nmi", OURS, END } },
	{ "one in the middle of our work", "", false,
	  { RACE "__hrtimer_run_queues / hrtimer_active", OURS, "CPU: 0 Comm: kworker/0:1",
	    "Workqueue: tprof-lx flush_run [tprof_lx]", END } },
	{ "one of a group's memory, which only begins like a helper", "", false,
	  { RACE "__mem_cgroup_charge / mem_cgroup_update_lru_size", OURS, END } },
	{ "a race of ours", "", true,
	  { RACE "tprof_claim_unknown [tprof_lx] / path_openat", OURS, END } },
	{ "a race of ours with the kernel", "", true,
	  { RACE "path_openat / tprof_claim_unknown [tprof_lx]", OURS, END } },
	{ "a race in what we have others copy", "", true,
	  { RACE "memcpy / path_openat", OURS, END } },
	{ "a race of a function with itself", "", true,
	  { RACE "read_file [tprof_lx] / read_file [tprof_lx]", OURS, END } },
	{ "a race with who is not known", "", true,
	  { RACE "read_file+0x2c/0x70 [tprof_lx]", OURS, END } },
	{ "trouble behind a race of the kernel", "", true,
	  { RACE "do_open / path_openat", THEIRS, END, "WARNING: CPU: 0 PID: 1" } },
	{ "an unknown NMI in the middle of such a race", "", true,
	  { RACE "do_open / path_openat", THEIRS, "Uhhuh. NMI received for unknown reason",
	    THEIRS, END } },
	{ "what the module says in the middle of one", "", true,
	  { RACE "do_open / path_openat", THEIRS, "tprof_lx: something", THEIRS, END } },
	{ "what it was to say there", "# expect-dmesg: something", false,
	  { RACE "do_open / path_openat", THEIRS, "tprof_lx: something", THEIRS, END } },

	{ "a stack of who wants memory", "", true,
	  { OOM, "Call Trace:", OURS, "RIP: 0010:__put_user_4+0xd/0x20", "Mem-Info:" } },
	{ "the same when memory was to come to an end", "# expect-oom", false,
	  { OOM, "Call Trace:", OURS, "RIP: 0010:__put_user_4+0xd/0x20", "Mem-Info:" } },
	{ "trouble behind that stack", "# expect-oom", true,
	  { OOM, "Call Trace:", OURS, "Mem-Info:", "Call Trace:" } },
	{ "a race of the kernel in the middle of that stack", "# expect-oom", false,
	  { OOM, "Call Trace:", END, RACE "do_open / path_openat", THEIRS, END,
	    "RIP: 0033:0x7f", "Mem-Info:" } },
	{ "a race of ours while memory comes to an end", "# expect-oom", true,
	  { RACE "memcpy / path_openat", OOM, OURS, END, "Mem-Info:" } },
	{ NULL, NULL, false, { NULL } },
};

/* One record for each line, as reads of /dev/kmsg have them. */
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

static void run_guard(const char *guard, const struct log *log, int kmsg, int output)
{
	char number[16], results[8192];

	snprintf(results, sizeof(results), "%s-results", guard);
	snprintf(number, sizeof(number), "%d", kmsg);
	setenv("TPROF_KMSG", number, 1);
	/* It frees nothing, as it ends at once. */
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
	if (dup2(output, STDOUT_FILENO) < 0)
		abort();
	execl(guard, guard, "test", "60", results, "/bin/echo", log->printed, NULL);
	abort();
}

/* Its first line is the result; its status is 1 for a failure, and no other. */
static bool is_judged(const char *guard, const struct log *log)
{
	const char *expected = log->is_trouble ? "not ok test # dmesg: " : "ok test\n";
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
	return WIFEXITED(status) && WEXITSTATUS(status) == log->is_trouble &&
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
