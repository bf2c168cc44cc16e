// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - what the kernel says during a test, and what of it is trouble
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/klog.h"

/* What begins here is no trouble, whatever its name. */
#define BEGINS		"selftest: "

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
	"Mem-Info:", "memory: usage", "Tasks state", "------------[", NULL,
};

/* How lines of a data race's report begin: what raced, and who was running. */
static const char *const lines_of_race[] = {
	" ", "=", "BUG: KCSAN", "read", "write", "race at", "value changed",
	"Reported by", "CPU: ", "Hardware name", "Tainted: ", "Workqueue: ",
	"Stopper: ", "Sched_ext: ", NULL,
};

/**
 * klog_open - begin to read
 * @klog:	gets where the last reader has left off; or where the log ends now
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

/** klog_skip - leave out what was said so far; returns 0 or -errno */
int klog_skip(struct klog *klog)
{
	return lseek(klog->fd, 0, SEEK_END) < 0 ? -errno : 0;
}

/**
 * klog_tell_begin - tell who reads the console which test begins
 *
 * As an error, which "quiet" shows too.
 *
 * Return: 0 or -errno.
 */
int klog_tell_begin(const struct klog *klog, const char *name)
{
	char line[512];
	int len = snprintf(line, sizeof(line), "<3>" BEGINS "%.400s\n", name);

	/* Not by dprintf(), which asks where the file stands, and a log does not say. */
	return write(klog->fd, line, len) == len ? 0 : -errno;
}

/* Did the test say that this would come? */
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

/* Ours has the module behind its name. */
static bool is_kernels_own(const char *function, size_t len)
{
	return !memmem(function, len, "[tprof_lx", strlen("[tprof_lx")) &&
	       !begins_with_any(function, helpers);
}

/* "... data-race in A / B": or in A, and it is not known with whom. */
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

/* But not what others said in the middle of it. */
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
 * A kernel that looks for data races tells of its own as well. Whose code it was
 * is seen from the stacks: all lines are kept up to the last, which decides.
 *
 * Return: whether @line is one of them.
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
 * Whoever asks for memory last, when there is none, has his stack told of: also who
 * may not say that he would rather have none, as for page tables. Other lines may
 * come in between; reports of trouble begin with a line that is none of a stack.
 *
 * Return: whether @line is of such a stack, in a test that takes memory away.
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
 * klog_read - keep what is trouble of what was said since the last time
 * @klog:	log
 * @printed:	by the test: what it says would come is none
 */
void klog_read(struct klog *klog, const char *printed)
{
	char record[8192];
	ssize_t len;

	/* EPIPE: more was said than the kernel keeps. */
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
