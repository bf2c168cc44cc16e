// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - find unexpected lines in the kernel's log of a test
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/klog.h"

/*
 * Prefix of the line that klog_begin_test() logs. is_trouble() ignores that line,
 * because the name of a test may contain a text of trouble[].
 */
#define BEGINS		"selftest: "

/* A line of the kernel's log that contains one of these texts is unexpected. */
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
 * Prefixes of kernel functions that access data of their callers. tprof-lx may be
 * the caller, so a race in one of these functions may be a bug of tprof-lx. A race
 * between two other kernel functions is ignored, because it concerns the kernel's own
 * data:
 * - RCU's state of a task;
 * - a work's pending bit and timer;
 * - a task's pagefault_disabled, which a nofault copy changes both in an NMI and in
 *   the code that the NMI interrupts.
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

/* Prefixes of lines that end the stack in a report of the OOM killer. */
static const char *const ends_of_oom_stack[] = {
	"Mem-Info:", "memory: usage", "Tasks state", "------------[", NULL,
};

/* Prefixes of all lines that can be part of a KCSAN report. */
static const char *const lines_of_race[] = {
	" ", "=", "BUG: KCSAN", "read", "write", "race at", "value changed",
	"Reported by", "CPU: ", "Hardware name", "Tainted: ", "Workqueue: ",
	"Stopper: ", "Sched_ext: ", NULL,
};

/**
 * klog_open - open the kernel's log
 * @klog:	log to initialize
 *
 * If the environment variable TPROF_KMSG is set, start reading where the previous test
 * stopped, otherwise at the end of the log.
 *
 * Return: 0 or -errno.
 */
int klog_open(struct klog *klog)
{
	const char *shared = getenv("TPROF_KMSG");

	klog->race = -1;
	klog->fd = shared ? atoi(shared) :
			    open("/dev/kmsg", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (klog->fd < 0 || fcntl(klog->fd, F_SETFL, O_NONBLOCK) ||
	    fcntl(klog->fd, F_SETFD, FD_CLOEXEC))
		return -errno;
	return shared ? 0 : klog_skip(klog);
}

/** klog_skip - skip all lines logged so far; returns 0 or -errno */
int klog_skip(struct klog *klog)
{
	return lseek(klog->fd, 0, SEEK_END) < 0 ? -errno : 0;
}

/**
 * klog_begin_test - log the name of the test that begins
 *
 * The line has the level KERN_ERR, so that the console shows it even if the kernel
 * was booted with "quiet".
 *
 * Return: 0 or -errno.
 */
int klog_begin_test(const struct klog *klog, const char *name)
{
	char line[512];
	int len = snprintf(line, sizeof(line), "<3>" BEGINS "%.400s\n", name);

	/* dprintf() would fail: it needs a file position, and /dev/kmsg has none. */
	return write(klog->fd, line, len) == len ? 0 : -errno;
}

/* Return true if @printed has a line "# expect-dmesg: TEXT", and @line contains TEXT. */
static bool is_expected(const char *printed, const char *line)
{
	static const char says[] = "# expect-dmesg: ";
	const char *at = printed;
	char text[256];

	while ((at = strstr(at, says))) {
		at += strlen(says);
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(at, "\n"), at);
		if (strstr(line, text))
			return true;
	}
	return false;
}

static bool is_trouble(const char *printed, const char *line)
{
	if (!strncmp(line, BEGINS, strlen(BEGINS)))
		return false;
	for (const char *const *text = trouble; *text; text++)
		if (strstr(line, *text))
			return !is_expected(printed, line);
	return false;
}

static void keep_line(struct klog *klog, const char *line)
{
	if (klog->nr_lines < KLOG_LINES)
		klog->lines[klog->nr_lines++] = strdup(line);
}

static bool begins_with_any(const char *text, const char *const *list)
{
	for (; *list; list++)
		if (!strncmp(text, *list, strlen(*list)))
			return true;
	return false;
}

/*
 * Return false if @function of a KCSAN report may access data of tprof-lx. Such a
 * function is one of helpers[], or the report shows "[tprof_lx...]" after its name.
 */
static bool is_kernels_own(const char *function, size_t len)
{
	return !memmem(function, len, "[tprof_lx", strlen("[tprof_lx")) &&
	       !begins_with_any(function, helpers);
}

/*
 * Return true if all known functions in the race access only the kernel's own data. @line
 * is the first line of a KCSAN report. It ends with "data-race in A / B", or with
 * "data-race in A" if KCSAN does not know the other function.
 */
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

/* Drop a KCSAN report, but keep unexpected lines that were logged within it. */
static void drop_race(struct klog *klog, const char *printed)
{
	int nr = klog->race;

	klog->dropped = klog->lines[nr];
	for (int i = nr; i < klog->nr_lines; i++) {
		char *line = klog->lines[i];

		if (!begins_with_any(line, lines_of_race) && is_trouble(printed, line))
			klog->lines[nr++] = line;
	}
	klog->nr_lines = nr;
}

/*
 * KCSAN also reports races in which tprof-lx has no part. Only the stacks in a
 * report show which code raced. So keep all lines of a report up to its last
 * line. Then drop the report if tprof-lx has no part in the race.
 *
 * Return: whether @line belongs to a KCSAN report.
 */
static bool read_race(struct klog *klog, const char *printed, const char *line)
{
	if (strstr(line, "BUG: KCSAN") && klog->nr_lines < KLOG_LINES) {
		klog->race = klog->nr_lines;
		klog->race_is_ours = false;
	}
	if (klog->race < 0)
		return false;
	klog->race_is_ours |= !!strstr(line, "[tprof_lx");
	keep_line(klog, line);
	if (line[0] != '=')
		return true;
	if (!klog->race_is_ours || is_race_of_kernel(klog->lines[klog->race]))
		drop_race(klog, printed);
	klog->race = -1;
	return true;
}

/*
 * The OOM killer logs the stack of the task that allocates. Some allocations, such
 * as those of page tables, cannot fail silently, so a test that exhausts memory
 * cannot avoid this stack. The kernel may log a report of an error between the lines
 * of the stack. The first line of that report does not look like a line of a stack,
 * so it is not ignored.
 *
 * Return: whether @line belongs to such a stack and the test expects it.
 */
static bool is_oom_stack(struct klog *klog, const char *printed, const char *line)
{
	if (strstr(line, " invoked oom-killer: "))
		klog->oom = strstr(printed, "# expect-oom");
	if (begins_with_any(line, ends_of_oom_stack))
		klog->oom = false;
	return klog->oom && klog->race < 0 &&
	       (!strcmp(line, "Call Trace:") || strstr(line, "RIP: ") ||
			      (line[0] == ' ' && strstr(line, "+0x")));
}

/**
 * klog_read - read the new lines of the log and keep the unexpected ones
 * @klog:	log
 * @printed:	output of the test, which announces the lines that it expects
 */
void klog_read(struct klog *klog, const char *printed)
{
	char record[8192];
	ssize_t len;

	/*
	 * EPIPE: the kernel has overwritten lines that we have not read. Report this
	 * as an unexpected line.
	 */
	while ((len = read(klog->fd, record, sizeof(record) - 1)) > 0 ||
	       (len < 0 && errno == EPIPE)) {
		char *line;

		if (len < 0)
			len = sprintf(record, ";BUG: lines were lost");
		record[len] = '\0';
		line = strchr(record, ';');
		if (!line)
			continue;
		line++;
		line[strcspn(line, "\n")] = '\0';
		if (!is_oom_stack(klog, printed, line) && !read_race(klog, printed, line) &&
		    is_trouble(printed, line))
			keep_line(klog, line);
	}
}
