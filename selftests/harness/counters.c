// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a loop of known length, and sessions of hardware counters
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "harness/counters.h"

/*
 * Other tasks on the same CPU can only increase a count. So count_of_work() measures
 * TRIES times and returns the smallest count, which has the fewest foreign events.
 */
#define TRIES	5

__asm__(".text\n"
	".globl work\n"
	".type work, @function\n"
	"work:\n"
	"1:	dec %rdi\n"
	"	jnz 1b\n"
	"	ret\n"
	".size work, . - work\n"
	".globl work_end\n"
	"work_end:\n");

const char *lab_mode(void)
{
	return getenv("TPROF_LAB_MODE");
}

bool lab_breaks_counters(void)
{
	const char *mode = lab_mode();

	return mode && (!strcmp(mode, "amd-mute") || !strcmp(mode, "amd-fault"));
}

bool lab_is_deterministic(void)
{
	const char *icount = getenv("TPROF_LAB_ICOUNT");

	return icount && *icount;
}

__u64 lab_cycles_per_insn(void)
{
	const char *cpi = getenv("TPROF_LAB_CPI");

	return cpi ? strtoull(cpi, NULL, 10) : 0;
}

/* Find the back end for hardware counters. Return -ENODEV if there is none. */
int counters_backend(int fd, struct tprof_lx_backend *backend)
{
	struct tprof_lx_backend backends[TPROF_LX_MAX_BACKENDS] = {};
	struct tprof_lx_info info = {
		.backends	= (unsigned long)backends,
		.nr_backends	= TPROF_LX_MAX_BACKENDS,
		.backend_size	= sizeof(backends[0]),
	};
	int err = session_info(fd, &info);

	if (err)
		return err;
	for (__u32 i = 0; i < info.nr_backends; i++) {
		if (backends[i].flags & TPROF_LX_BACKEND_COUNTER) {
			*backend = backends[i];
			return 0;
		}
	}
	return -ENODEV;
}

/*
 * Return the reason to skip a test after the error @err, or NULL if the test must
 * not skip. Outside of the lab, counters may be in use or broken. In the lab they
 * are free, and two of its modes break them.
 */
static const char *why_not(int err)
{
	if (err == -ENODEV)
		return "no hardware counters here";
	if (lab_mode())
		return lab_breaks_counters() ? "the lab breaks the counters" : NULL;
	if (err == -EBUSY)
		return "something else holds the hardware counters";
	if (err == -EIO)
		return "the hardware counters here do not work";
	return NULL;
}

int counters_open(struct counters *counters)
{
	struct perf_event_attr attr;
	int err, probe;

	memset(counters, 0, sizeof(*counters));
	counters->fd = session_open(0);
	if (counters->fd < 0)
		return counters->fd;
	err = counters_backend(counters->fd, &counters->backend);
	counters->why_not = why_not(err);
	if (counters->why_not || err)
		return counters->why_not ? 0 : err;

	/* Outside of the lab, the module may log that the counters are broken. */
	if (!lab_mode())
		expect_counters();
	/*
	 * Try an event in another session, because tests expect that the session
	 * @counters->fd has no events.
	 */
	probe = session_open(0);
	if (probe < 0)
		return probe;
	attr_user(&attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	err = event_add(probe, counters->backend.name, &attr);
	counters->why_not = why_not(err);
	close(probe);
	if (err < 0)
		return counters->why_not ? 0 : err;
	err = cpu_pin(0);
	return err ? err : session_cpus(counters->fd, 0);
}

int counters_add(const struct counters *counters,
		 const struct perf_event_attr *attr)
{
	return event_add(counters->fd, counters->backend.name, attr);
}

void attr_user(struct perf_event_attr *attr, __u32 type, __u64 config)
{
	attr_count(attr, type, config);
	attr->exclude_kernel = 1;
}

/* Add sampling with @period to @attr, which attr_user() has initialized. */
void attr_sample(struct perf_event_attr *attr, __u64 period)
{
	attr->sample_period = period;
	attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			    PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			    PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	attr->sample_id_all = 1;
}

__u64 count_sum(int fd, __u32 event)
{
	struct tprof_lx_count count;

	return count_read(fd, TPROF_LX_SUM, event, &count) ? 0 : count.value;
}

/* Return the count of @event during work(@loops) and the two READs around it. */
__u64 count_of_work(int fd, __u32 event, __u64 loops)
{
	__u64 best = ~0ULL;

	for (int i = 0; i < TRIES; i++) {
		__u64 before = count_sum(fd, event);
		__u64 count;

		work(loops);
		count = count_sum(fd, event) - before;
		best = count < best ? count : best;
	}
	return best;
}

/* Return the count of @event during work(@loops), without the READs around it. */
__u64 count_per_work(int fd, __u32 event, __u64 loops)
{
	__u64 single = count_of_work(fd, event, loops);

	return count_of_work(fd, event, 2 * loops) - single;
}

/*
 * Sum up the samples of @event. @stream has all records of the session, which is
 * stopped, and @id is the id that the ioctl EVENT returned for @event. Return false
 * if samples were lost or filtered.
 */
bool samples_sum_up(int fd, const struct stream *stream, __u32 event,
		    __u64 id, struct sampled *sampled)
{
	struct tprof_lx_stats stats;
	const struct record *record;

	*sampled = (struct sampled){ .shortest = ~0ULL };
	for_each_record_type(record, stream, PERF_RECORD_SAMPLE) {
		__u64 period = record->period;

		if (record->id != id)
			continue;
		sampled->periods += period;
		if (period < sampled->shortest)
			sampled->shortest = period;
		if (period > sampled->longest)
			sampled->longest = period;
		sampled->in_work += record->ip >= (unsigned long)work &&
				    record->ip < (unsigned long)work_end;
	}
	sampled->count = count_sum(fd, event);
	if (session_stats(fd, TPROF_LX_SUM, event, &stats))
		return false;
	sampled->taken = stats.ledger.taken;
	return !stats.ledger.lost_ring && !stats.ledger.filtered;
}

/* List the counters of @cpu in @rows[TPROF_LX_MAX_ROWS]. Return their number. */
int rows_read(int fd, int cpu, struct tprof_lx_row *rows)
{
	struct tprof_lx_rows arg = {
		.size		= sizeof(arg),
		.cpu		= cpu,
		.nr_rows	= TPROF_LX_MAX_ROWS,
		.row_size	= sizeof(*rows),
		.rows		= (unsigned long)rows,
	};
	int err;

	memset(rows, 0xff, TPROF_LX_MAX_ROWS * sizeof(*rows));
	err = session_ioctl(fd, TPROF_LX_IOC_ROWS, &arg);
	return err ? err : (int)arg.nr_rows;
}

int row_admin(int fd, __u32 cpu, __u32 kind, __u32 number, __u32 state)
{
	struct tprof_lx_row_admin arg = {
		.size	= sizeof(arg),
		.cpu	= cpu,
		.kind	= kind,
		.number	= number,
		.state	= state,
	};

	return session_ioctl(fd, TPROF_LX_IOC_ROW_ADMIN, &arg);
}

/* Open a perf event that counts all tasks on @cpu. */
int perf_open(__u32 type, __u64 config, int cpu)
{
	struct perf_event_attr attr;
	int fd;

	attr_count(&attr, type, config);
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
		     PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int msr_read(int cpu, __u32 msr, __u64 *value)
{
	char path[64];
	int fd, err = 0;

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (pread(fd, value, sizeof(*value), msr) != sizeof(*value))
		err = -errno;
	close(fd);
	return err;
}

/*
 * Return the path of the file by which root permits RDPMC. Processors with two kinds of cores have
 * one for each kind, and both do the same.
 */
const char *rdpmc_path(void)
{
	static const char core[] = "/sys/bus/event_source/devices/cpu_core/rdpmc";

	return access(core, F_OK) ? "/sys/bus/event_source/devices/cpu/rdpmc" : core;
}
