/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - work of known length, and hardware counters
 *
 * As in common.h, what can fail returns -errno, and nothing prints.
 */
#ifndef TPROF_SELFTESTS_COUNTERS_H
#define TPROF_SELFTESTS_COUNTERS_H

#include "harness/common.h"
#include "harness/stream.h"

/* Of a loop of work(); one of them is the branch. */
#define INSNS_PER_LOOP	2ULL

/* perf's layout of a raw event. */
#define RAW_EDGE	(1ULL << 18)
#define RAW_ANY		(1ULL << 21)
#define RAW_INV		(1ULL << 23)
#define RAW_CMASK(n)	((__u64)(n) << 24)

/* Retired instructions, on Intel and on AMD. */
#define RAW_INSNS	0xc0ULL

/**
 * struct counters - a session for hardware counters, on CPU 0
 * @fd:		the session
 * @backend:	what it uses
 * @why_not:	why there are none, or NULL
 */
struct counters {
	int			fd;
	struct tprof_lx_backend	backend;
	const char		*why_not;
};

/**
 * struct sampled - what one event took
 * @taken:	samples, by the ledger
 * @periods:	their sum, by the records
 * @shortest:	period
 * @longest:	period
 * @in_work:	samples that point into work()
 * @count:	events, by READ
 */
struct sampled {
	__u64	taken;
	__u64	periods;
	__u64	shortest;
	__u64	longest;
	__u64	in_work;
	__u64	count;
};

/* The lab's emulator: what is not exact there is wrong. */
const char *lab_mode(void);
bool lab_is_deterministic(void);
__u64 lab_cycles_per_insn(void);

int counters_open(struct counters *counters);
int counters_backend(int fd, struct tprof_lx_backend *backend);
int counters_add(const struct counters *counters,
		 const struct perf_event_attr *attr);

void attr_user(struct perf_event_attr *attr, __u32 type, __u64 config);
void attr_sample(struct perf_event_attr *attr, __u64 period);

/* @loops times INSNS_PER_LOOP instructions, from work() to work_end. */
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

#endif /* TPROF_SELFTESTS_COUNTERS_H */
