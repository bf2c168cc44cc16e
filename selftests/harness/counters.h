/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - a loop of known length, and sessions of hardware counters
 *
 * As in common.h, a function that can fail returns -errno, and no function prints.
 */
#ifndef TPROF_SELFTESTS_COUNTERS_H
#define TPROF_SELFTESTS_COUNTERS_H

#include "harness/common.h"
#include "harness/stream.h"

/* Instructions in one iteration of work(); one of them is a branch. */
#define INSNS_PER_LOOP	2ULL

/* Bits of a raw event's config, the same as perf's. */
#define RAW_EDGE	(1ULL << 18)
#define RAW_ANY		(1ULL << 21)
#define RAW_INV		(1ULL << 23)
#define RAW_CMASK(n)	((__u64)(n) << 24)

/* Raw event of retired instructions, on Intel and on AMD. */
#define RAW_INSNS	0xc0ULL

/**
 * struct counters - a session that uses the hardware counters of CPU 0
 * @fd:		the session
 * @backend:	back end for the hardware counters
 * @why_not:	why the test must skip, or NULL
 */
struct counters {
	int			fd;
	struct tprof_lx_backend	backend;
	const char		*why_not;
};

/**
 * struct sampled - sums over the samples of one event
 * @taken:	number of samples taken, from the ledger
 * @periods:	sum of the periods in the sample records
 * @shortest:	shortest period in the sample records
 * @longest:	longest period in the sample records
 * @in_work:	number of samples with an address in work()
 * @count:	the event's count, from READ
 */
struct sampled {
	__u64	taken;
	__u64	periods;
	__u64	shortest;
	__u64	longest;
	__u64	in_work;
	__u64	count;
};

/* The lab: virtual machines with emulated counters (selftests/lab). */
const char *lab_mode(void);
bool lab_breaks_counters(void);
bool lab_is_deterministic(void);
__u64 lab_cycles_per_insn(void);

int counters_open(struct counters *counters);
int counters_backend(int fd, struct tprof_lx_backend *backend);
int counters_add(const struct counters *counters,
		 const struct perf_event_attr *attr);

void attr_user(struct perf_event_attr *attr, __u32 type, __u64 config);
void attr_sample(struct perf_event_attr *attr, __u64 period);

/* Run @loops * INSNS_PER_LOOP instructions, at addresses from work to work_end. */
void work(__u64 loops);
extern const char work_end[];

__u64 count_of_work(int fd, __u32 event, __u64 loops);
__u64 count_per_work(int fd, __u32 event, __u64 loops);
__u64 count_sum(int fd, __u32 event);

bool samples_sum_up(int fd, const struct stream *stream, __u32 event,
		    __u64 id, struct sampled *sampled);

int rows_read(int fd, int cpu, struct tprof_lx_row *rows);
int row_admin(int fd, __u32 cpu, __u32 kind, __u32 number, __u32 state);

int perf_open(__u32 type, __u64 config, int cpu);
int msr_read(int cpu, __u32 msr, __u64 *value);
const char *rdpmc_path(void);

#endif /* TPROF_SELFTESTS_COUNTERS_H */
