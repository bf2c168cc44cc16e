// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - functions for sessions and events
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "harness/common.h"

/* System call numbers of the 32-bit ABI. */
#define COMPAT_GETPID	20
#define COMPAT_IOCTL	54

int session_open(int flags)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC | flags);

	return fd < 0 ? -errno : fd;
}

int session_ioctl(int fd, unsigned long cmd, void *arg)
{
	int ret = ioctl(fd, cmd, arg);

	return ret < 0 ? -errno : ret;
}

/* Make a system call through the 32-bit entry of the kernel, int $0x80. */
static int compat_syscall(long number, long first, long second, long third)
{
	long ret;

	asm volatile("int $0x80"
		     : "=a"(ret)
		     : "a"(number), "b"(first), "c"(second), "d"(third)
		     : "memory", "r8", "r9", "r10", "r11");
	return ret;
}

/*
 * Try int $0x80 in a child: on a kernel that cannot run 32-bit programs, the child
 * dies from SIGSEGV.
 */
bool compat_is_possible(void)
{
	static int possible = -1;
	int status;
	pid_t pid;

	if (possible >= 0)
		return possible;
	pid = fork();
	if (!pid)
		_exit(compat_syscall(COMPAT_GETPID, 0, 0, 0) != getpid());
	possible = pid > 0 && waitpid(pid, &status, 0) == pid && !status;
	return possible;
}

/* @arg has to be below 4 GiB: int $0x80 passes only 32 bits of an argument. */
int compat_ioctl(int fd, unsigned long cmd, void *arg)
{
	return compat_syscall(COMPAT_IOCTL, fd, cmd, (long)arg);
}

int session_info(int fd, struct tprof_lx_info *info)
{
	info->size = sizeof(*info);
	return session_ioctl(fd, TPROF_LX_IOC_INFO, info);
}

int session_config(int fd, const struct tprof_lx_config *config)
{
	struct tprof_lx_config arg = *config;

	arg.size = sizeof(arg);
	return session_ioctl(fd, TPROF_LX_IOC_CONFIG, &arg);
}

int session_small(int fd, __u64 ring_bytes, __u64 fifo_bytes)
{
	struct tprof_lx_config config = {
		.ring_bytes	= ring_bytes,
		.fifo_bytes	= fifo_bytes,
	};

	return session_config(fd, &config);
}

int session_cpus(int fd, int cpu)
{
	unsigned char cpus[32] = {};
	struct tprof_lx_config config = {
		.cpus		= (unsigned long)cpus,
		.cpus_bytes	= sizeof(cpus),
	};

	cpus[cpu / 8] = 1 << cpu % 8;
	return session_config(fd, &config);
}

int session_target(int fd, int pid)
{
	__s32 target = pid;
	struct tprof_lx_config config = {
		.targets	= (unsigned long)&target,
		.nr_targets	= 1,
	};

	return session_config(fd, &config);
}

int session_attach(int fd, int pid, __u32 flags)
{
	struct tprof_lx_target target = { .size = sizeof(target), .pid = pid, .flags = flags };

	return session_ioctl(fd, TPROF_LX_IOC_ATTACH, &target);
}

int session_detach(int fd, int pid, __u32 flags)
{
	struct tprof_lx_target target = { .size = sizeof(target), .pid = pid, .flags = flags };

	return session_ioctl(fd, TPROF_LX_IOC_DETACH, &target);
}

int session_start_degraded(int fd, __u32 mask, __u32 *degraded)
{
	struct tprof_lx_mask arg = { .size = sizeof(arg), .mask = mask };
	int err = session_ioctl(fd, TPROF_LX_IOC_START, &arg);

	*degraded = arg.degraded;
	return err;
}

int session_start(int fd, __u32 mask)
{
	__u32 degraded;

	return session_start_degraded(fd, mask, &degraded);
}

int session_stop(int fd, __u32 mask)
{
	struct tprof_lx_mask arg = { .size = sizeof(arg), .mask = mask };

	return session_ioctl(fd, TPROF_LX_IOC_STOP, &arg);
}

int session_stats(int fd, __u32 cpu, __u32 event, struct tprof_lx_stats *stats)
{
	memset(stats, 0, sizeof(*stats));
	stats->size = sizeof(*stats);
	stats->cpu = cpu;
	stats->event = event;
	return session_ioctl(fd, TPROF_LX_IOC_STATS, stats);
}

/* Return the number of samples taken so far, or 0 if STATS fails. */
__u64 session_taken(int fd, __u32 cpu, __u32 event)
{
	struct tprof_lx_stats stats;

	return session_stats(fd, cpu, event, &stats) ? 0 : stats.ledger.taken;
}

int session_running(int fd, __u32 *running)
{
	struct tprof_lx_stats stats;
	int err = session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats);

	*running = stats.running;
	return err;
}

int session_state(int fd)
{
	struct tprof_lx_stats stats;
	int err = session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats);

	return err ? err : (int)stats.state;
}

int session_flush(int fd)
{
	return session_ioctl(fd, TPROF_LX_IOC_FLUSH, NULL);
}

int session_mark(int fd, __u64 value, const char *text)
{
	struct tprof_lx_mark mark = { .size = sizeof(mark), .value = value };

	strncpy(mark.text, text, sizeof(mark.text) - 1);
	return session_ioctl(fd, TPROF_LX_IOC_MARK, &mark);
}

/* Return the number of other open sessions plus the number of all events. */
int sessions_left(void)
{
	struct tprof_lx_backend list[TPROF_LX_MAX_BACKENDS];
	struct tprof_lx_info info = {
		.backends	= (unsigned long)list,
		.nr_backends	= ARRAY_LEN(list),
		.backend_size	= sizeof(list[0]),
	};
	int fd = session_open(0);
	int err, left;

	if (fd < 0)
		return fd;
	err = session_info(fd, &info);
	close(fd);
	left = info.nr_sessions - 1;
	for (__u32 i = 0; !err && i < info.nr_backends; i++)
		left += list[i].nr_events;
	return err ?: left;
}

bool ledger_is_balanced(const struct tprof_lx_ledger *ledger)
{
	return ledger->taken == ledger->delivered + ledger->queued +
				ledger->filtered + ledger->lost_ring;
}

static void ledger_add(struct tprof_lx_ledger *sum,
		       const struct tprof_lx_ledger *part)
{
	sum->taken += part->taken;
	sum->delivered += part->delivered;
	sum->queued += part->queued;
	sum->filtered += part->filtered;
	sum->lost_ring += part->lost_ring;
}

/*
 * Return true if each ledger is balanced, and the ledgers of all CPUs and events add
 * up to the ledger that STATS returns for TPROF_LX_SUM.
 */
bool ledgers_add_up(int fd, __u32 nr_events)
{
	struct tprof_lx_info info = {};
	struct tprof_lx_ledger parts = {};
	struct tprof_lx_stats stats;

	if (session_info(fd, &info))
		return false;
	for (__u32 cpu = 0; cpu < info.nr_cpus; cpu++) {
		for (__u32 event = 0; event < nr_events; event++) {
			if (session_stats(fd, cpu, event, &stats) ||
			    !ledger_is_balanced(&stats.ledger))
				return false;
			ledger_add(&parts, &stats.ledger);
		}
	}
	return !session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, &stats) &&
	       ledger_is_balanced(&stats.ledger) &&
	       !memcmp(&parts, &stats.ledger, sizeof(parts));
}

/* Initialize @attr as `record --sample-cpu` does, with a sample_freq of @freq. */
void attr_init(struct perf_event_attr *attr, __u64 freq)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	attr->freq = 1;
	attr->sample_freq = freq;
	attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			    PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			    PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

/* Omit the CPU, as `record` does. Such samples are common ones, if they have no call chain. */
void attr_omit_cpu(struct perf_event_attr *attr)
{
	attr->sample_type &= ~PERF_SAMPLE_CPU;
}

void attr_track(struct perf_event_attr *attr)
{
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->build_id = 1;
}

/* Request perf's default clock, like programs that do not know the member clockid. */
void attr_drop_clock(struct perf_event_attr *attr)
{
	attr->use_clockid = 0;
	attr->clockid = 0;
}

int event_add_with(int fd, const char *backend,
		   const struct perf_event_attr *attr, __u32 flags,
		   struct tprof_lx_event *event)
{
	memset(event, 0, sizeof(*event));
	event->size = sizeof(*event);
	event->flags = flags;
	strncpy(event->backend, backend, sizeof(event->backend) - 1);
	event->attr = (unsigned long)attr;
	return session_ioctl(fd, TPROF_LX_IOC_EVENT, event);
}

int event_add_full(int fd, const char *backend,
		   const struct perf_event_attr *attr,
		   struct tprof_lx_event *event)
{
	return event_add_with(fd, backend, attr, 0, event);
}

/* Add an event. Return the index of the event, or -errno. */
int event_add(int fd, const char *backend, const struct perf_event_attr *attr)
{
	struct tprof_lx_event event;
	int err = event_add_full(fd, backend, attr, &event);

	return err ? err : (int)event.index;
}

/* Add an event to a new session, and close it. Return 0 or -errno. */
int event_try_with(const char *backend, const struct perf_event_attr *attr, __u32 flags)
{
	struct tprof_lx_event event;
	int fd = session_open(0);
	int err;

	if (fd < 0)
		return fd;
	err = event_add_with(fd, backend, attr, flags, &event);
	close(fd);
	return err;
}

int event_try(const char *backend, const struct perf_event_attr *attr)
{
	return event_try_with(backend, attr, 0);
}

int event_clock(int fd, const char *backend, __u64 freq)
{
	struct perf_event_attr attr;

	attr_init(&attr, freq);
	return event_add(fd, backend, &attr);
}

/* Initialize @attr for an event that counts and does not sample. */
void attr_count(struct perf_event_attr *attr, __u32 type, __u64 config)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = type;
	attr->config = config;
}

int count_read(int fd, __u32 cpu, __u32 event, struct tprof_lx_count *count)
{
	memset(count, 0, sizeof(*count));
	count->size = sizeof(*count);
	count->cpu = cpu;
	count->event = event;
	return session_ioctl(fd, TPROF_LX_IOC_READ, count);
}

static int write_value(int fd, __u32 flags, __u32 cpu, __u32 event, __u64 value)
{
	struct tprof_lx_count count = {
		.size = sizeof(count),
		.flags = flags,
		.cpu = cpu,
		.event = event,
		.value = value,
	};

	return session_ioctl(fd, TPROF_LX_IOC_WRITE, &count);
}

int count_write(int fd, __u32 cpu, __u32 event, __u64 value)
{
	return write_value(fd, 0, cpu, event, value);
}

int period_write(int fd, __u32 cpu, __u32 event, __u64 period)
{
	return write_value(fd, TPROF_LX_WRITE_PERIOD, cpu, event, period);
}

/* Initialize @attr for an event with @key of the back end "fake". */
void attr_fake(struct perf_event_attr *attr, __u32 key)
{
	attr_init(attr, 0);
	attr->config = key;
	attr->freq = 0;
	attr->sample_period = TPROF_LX_FAKE_MIN_PERIOD;
}

int event_fake(int fd, __u32 key)
{
	struct perf_event_attr attr;

	attr_fake(&attr, key);
	return event_add(fd, TPROF_LX_FAKE_BACKEND, &attr);
}
