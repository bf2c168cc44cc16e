// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - random system calls on sessions
 *
 * The results of calls are not checked. The memory and the time of each call are
 * bounded, so that only a bug in the module can hang the machine.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tprof-lx/rdpmc.h"
#include "harness/common.h"
#include "fuzz/attrs.h"
#include "fuzz/calls.h"
#include "fuzz/ioctls.h"
#include "fuzz/user.h"

/* Limits of a child process: number of calls, and time in microseconds. */
#define CHILD_CALLS	20
#define CHILD_USECS	20000

bool calls_may_wait, calls_may_unload;
unsigned long calls_nr_whole, calls_nr_unloads;

/*
 * A thread holds this lock while it loads or unloads a module. Otherwise a thread could
 * try to load tprof-lx-fake after another thread has unloaded tprof-lx, and the kernel
 * would log the failure.
 */
static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;

static int slot_roll(struct dice *dice)
{
	return CALLS_SLOT + dice_roll(dice, CALLS_NR_SLOTS);
}

static int slot_fill(int slot, int fd)
{
	int err;

	if (fd < 0)
		return fd;
	err = dup3(fd, slot, O_CLOEXEC) < 0 ? -errno : 0;
	close(fd);
	return err;
}

static int slot_empty(int slot)
{
	return slot_fill(slot, open("/dev/null", O_RDWR | O_CLOEXEC));
}

static int result(long ret)
{
	return ret < 0 ? -errno : 0;
}

static int flags_roll(struct dice *dice)
{
	return calls_may_wait && !dice_roll(dice, 4) ? 0 : O_NONBLOCK;
}

static int do_open(struct dice *dice)
{
	return slot_fill(slot_roll(dice), session_open(flags_roll(dice)));
}

/* Open a session without privileges, on which all threads then call. */
static int do_user(struct dice *dice)
{
	int slot = slot_roll(dice), fd = user_open(flags_roll(dice)), err;

	if (fd < 0)
		return fd;
	err = dice_roll(dice, 4) ? user_session(dice, fd) : 0;
	return slot_fill(slot, fd) ?: err;
}

static int do_close(struct dice *dice)
{
	return slot_empty(slot_roll(dice));
}

static int do_dup(struct dice *dice)
{
	int from = slot_roll(dice), to = slot_roll(dice);

	return from == to ? 0 : result(dup3(from, to, O_CLOEXEC));
}

/*
 * Configure a session with the smallest rings, which are soon full, or with default
 * rings. Let it sample this process or all processes.
 */
static int configure(struct dice *dice, int fd)
{
	struct tprof_lx_config config = {};
	struct tprof_lx_info info = {};
	__s32 self = getpid();

	if (dice_roll(dice, 2) && !session_info(fd, &info)) {
		config.ring_bytes = info.ring_min;
		config.fifo_bytes = info.fifo_min;
	}
	if (dice_roll(dice, 2)) {
		config.targets = (unsigned long)&self;
		config.nr_targets = 1;
	}
	return session_config(fd, &config);
}

/* Add an event. If it follows chains by tables, it may want copies of stacks. */
static int add_event(struct dice *dice, int fd, const struct perf_event_attr *attr)
{
	struct tprof_lx_event event = {
		.size = sizeof(event),
		.flags = attrs_flags(dice, attr),
		.attr = (unsigned long)attr,
	};

	strcpy(event.backend, attrs_backend(dice, attr));
	if (event.flags & TPROF_LX_EVENT_TABLES && dice_roll(dice, 2))
		event.stack_bytes = 8 * dice_roll(dice, 2048);
	return session_ioctl(fd, TPROF_LX_IOC_EVENT, &event);
}

/* Set up and start a session, since random calls alone seldom start one. */
static int do_whole(struct dice *dice)
{
	int fd = session_open(O_NONBLOCK);
	struct perf_event_attr attr;
	int err;

	if (fd < 0)
		return fd;
	err = configure(dice, fd);
	for (unsigned int n = 1 + dice_roll(dice, 3); err >= 0 && n; n--) {
		attrs_roll(dice, &attr);
		err = add_event(dice, fd, &attr);
	}
	if (err >= 0)
		err = session_start(fd, ALL_EVENTS);
	if (!err)
		__atomic_fetch_add(&calls_nr_whole, 1, __ATOMIC_RELAXED);
	slot_fill(slot_roll(dice), fd);
	return err;
}

static int do_ioctl(struct dice *dice)
{
	return ioctls_do(dice, slot_roll(dice));
}

static int do_read(struct dice *dice)
{
	char buf[1 << 14];

	return result(read(slot_roll(dice), dice_roll(dice, 8) ? buf : (char *)8,
			   dice_roll(dice, sizeof(buf))));
}

static int do_poll(struct dice *dice)
{
	struct pollfd fds[] = {
		{ .fd = slot_roll(dice), .events = dice_roll(dice, 1 << 16) },
		{ .fd = slot_roll(dice), .events = POLLIN },
	};

	return result(poll(fds, ARRAY_LEN(fds), dice_roll(dice, 3)));
}

/*
 * Map the queue of a session, read a page of it, and remove all records. Another thread may
 * configure or close the session meanwhile.
 */
static int do_queue(struct dice *dice)
{
	struct tprof_lx_span span = { .size = sizeof(span) };
	size_t bytes = 4096UL << dice_roll(dice, 8);
	int fd = slot_roll(dice), err;
	volatile char *map;

	map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	err = session_ioctl(fd, TPROF_LX_IOC_ADVANCE, &span);
	(void)map[dice_roll(dice, bytes)];
	if (!err)
		err = session_ioctl(fd, TPROF_LX_IOC_ADVANCE, &span);
	munmap((void *)map, bytes);
	return err;
}

/* Map and read the count page of an event that may be released meanwhile. */
static int read_page(struct dice *dice, int fd, __u32 event)
{
	struct tprof_lx_counter counter;
	__u64 value;
	int err = tprof_lx_counter_map(&counter, fd, event);

	if (err)
		return err;
	for (int tries = dice_roll(dice, 100); !err && tries; tries--)
		err = tprof_lx_counter_read(&counter, &value);
	tprof_lx_counter_unmap(&counter);
	return err;
}

/* Let this thread count itself in a new session, or try to map pages of any session. */
static int do_page(struct dice *dice)
{
	static const char *const backends[] = { "intel", "amd" };
	struct perf_event_attr attr;
	struct tprof_lx_event event;
	int fd = slot_roll(dice), err = -ENODEV;

	if (!dice_roll(dice, 3))
		return read_page(dice, fd, dice_roll(dice, TPROF_LX_MAX_EVENTS + 2));
	slot_fill(fd, session_open(O_NONBLOCK));
	attr_count(&attr, PERF_TYPE_HARDWARE, dice_roll(dice, 4));
	attr.exclude_kernel = dice_roll(dice, 2);
	attr.sample_period = dice_roll(dice, 2) ? 0 : 1000 + dice_roll(dice, 100000);
	attr.sample_type = attr.sample_period ? PERF_SAMPLE_IDENTIFIER : 0;
	for (int i = 0; err == -ENODEV && i < ARRAY_LEN(backends); i++)
		err = event_add_with(fd, backends[i], &attr,
				     TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_PAGE, &event);
	if (!err)
		err = session_attach(fd, 0, TPROF_LX_TARGET_THREAD);
	if (!err)
		err = session_start(fd, ALL_EVENTS);
	return err ? err : read_page(dice, fd, event.index);
}

/* Make a system call that files of the module do not support. */
static int do_stray(struct dice *dice)
{
	int fd = slot_roll(dice);
	off_t at = 0;

	switch (dice_roll(dice, 4)) {
	case 0:
		return result(write(fd, dice->list, dice_roll(dice, 64)));
	case 1:
		return result(lseek(fd, dice_value(dice), dice_roll(dice, 5)));
	case 2:
		return result(pread(fd, dice->list, 4096, dice_value(dice)));
	default:
		return result(sendfile(slot_roll(dice), fd, &at, 4096));
	}
}

static int do_nonblock(struct dice *dice)
{
	return result(fcntl(slot_roll(dice), F_SETFL, flags_roll(dice)));
}

/* Cause side-band records of mappings. */
static int do_map(struct dice *dice)
{
	void *map = mmap(NULL, 4096 << dice_roll(dice, 4), PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		return -errno;
	mprotect(map, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
	return result(munmap(map, 4096));
}

static int do_emit(struct dice *dice)
{
	int err = cpu_pin(dice_roll(dice, cpus_online()));

	return err ?: fake_emit_from(dice_roll(dice, 2) ? getpid() : 0,
				     dice_roll(dice, TPROF_LX_FAKE_CONTEXTS),
				     dice_roll(dice, 100));
}

static void live(struct dice *dice)
{
	if (!dice_roll(dice, 3))
		execl("/bin/true", "true", NULL);
	for (int i = 0; i < CHILD_CALLS; i++) {
		const struct call *call = calls_roll(dice);

		if (call->may_die)
			call->call(dice);
	}
	_exit(0);
}

static int do_fork(struct dice *dice)
{
	unsigned int usecs = dice_roll(dice, CHILD_USECS);
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid)
		live(dice);
	usleep(usecs);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return 0;
}

/* Return the number of configured CPUs, offline ones included. */
int calls_nr_cpus(void)
{
	return sysconf(_SC_NPROCESSORS_CONF);
}

/* Take a CPU other than CPU 0 offline, then bring it online again. */
static int do_hotplug(struct dice *dice)
{
	int others = calls_nr_cpus() - 1, cpu, err;

	if (!others)
		return -ENODEV;
	cpu = 1 + dice_roll(dice, others);
	err = cpu_set_online(cpu, false);
	usleep(dice_roll(dice, 10000));
	return cpu_set_online(cpu, true) ?: err;
}

/*
 * Unload and load the module. Retry: unloading fails while another thread has a session.
 */
static int load_anew(void)
{
	int err = -EAGAIN;

	for (int tries = 0; err && tries < 20; tries++) {
		calls_setup();
		err = modules_load_anew();
	}
	calls_nr_unloads += !err;
	return err;
}

static int load_fake(void)
{
	int err = module_unload("tprof-lx-fake");

	return module_load("tprof-lx-fake", "") ?: err;
}

/* Block signals: an interrupted load would leave no module loaded. */
static int do_load(struct dice *dice)
{
	sigset_t signals, before;
	int err;

	sigfillset(&signals);
	pthread_sigmask(SIG_BLOCK, &signals, &before);
	pthread_mutex_lock(&load_lock);
	err = calls_may_unload && dice_roll(dice, 2) ? load_anew() : load_fake();
	pthread_mutex_unlock(&load_lock);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

static int do_parameter(struct dice *dice)
{
	static const char *const files[] = {
		"/sys/module/tprof_lx/parameters/max_rate",
		"/sys/module/tprof_lx/parameters/max_stack",
	};
	char text[32];
	int err;

	snprintf(text, sizeof(text), "%llu", dice_value(dice));
	err = file_write(files[dice_roll(dice, ARRAY_LEN(files))], text);
	file_write(files[0], "100000");
	return err;
}

static const struct call calls[] = {
	{ 30,	true,	do_open },
	{ 30,	true,	do_whole },
	{ 20,	true,	do_close },
	{ 10,	true,	do_dup },
	{ 600,	true,	do_ioctl },
	{ 200,	true,	do_read },
	{ 20,	true,	do_poll },
	{ 50,	true,	do_queue },
	{ 50,	true,	do_page },
	{ 20,	true,	do_stray },
	{ 10,	true,	do_nonblock },
	{ 20,	true,	do_map },
	{ 30,	true,	do_emit },
	{ 10,	false,	do_fork },
	{ 10,	false,	do_user },
	{ 3,	false,	do_hotplug },
	{ 3,	false,	do_load },
	{ 3,	true,	do_parameter },
};

const struct call *calls_roll(struct dice *dice)
{
	return &calls[dice_pick(dice, &calls->weight, sizeof(*calls), ARRAY_LEN(calls))];
}

int calls_setup(void)
{
	int err = 0;

	for (int i = 0; !err && i < CALLS_NR_SLOTS; i++)
		err = slot_empty(CALLS_SLOT + i);
	return err;
}
