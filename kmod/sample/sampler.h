/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - an event, as the sampling path sees it
 */
#ifndef TPROF_SAMPLER_H
#define TPROF_SAMPLER_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/perf_event.h>

#include "base/tasks.h"
#include "chain/chain.h"
#include "pmu/pmu.h"
#include "stream/stream.h"

/*
 * Supported bits of sample_type. PLAIN: fields of one u64 each. DEEP: fields of
 * variable length, and RAW and WEIGHT, which follow the call chain. ID: fields of the sample_id
 * trailer, which ends records other than samples.
 */
#define TPROF_SAMPLE_PLAIN_TYPES					\
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |	\
	 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
#define TPROF_SAMPLE_DEEP_TYPES						\
	(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |			\
	 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |		\
	 PERF_SAMPLE_WEIGHT)
#define TPROF_SAMPLE_TYPES						\
	(TPROF_SAMPLE_PLAIN_TYPES | TPROF_SAMPLE_DEEP_TYPES)
#define TPROF_SAMPLE_ID_TYPES						\
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |		\
	 PERF_SAMPLE_IDENTIFIER)

/*
 * Fields that each common sample has, and those that it may have: see
 * tprof_sample_has_common_fields().
 */
#define TPROF_SAMPLE_COMMON_TYPES					\
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)
#define TPROF_SAMPLE_COMMON_EXTRAS					\
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_PERIOD)

/* A function that reads a clock in nanoseconds, in any context, NMI included. */
typedef u64 (*tprof_sample_clock_t)(void);

/**
 * enum tprof_sample_detour - why a common sample is not taken in the shortest way
 * @TPROF_SAMPLE_STRAIGHT: it is
 * @TPROF_SAMPLE_EXCLUDED: it is filtered
 * @TPROF_SAMPLE_WEIGHED: it ends with its weight
 */
enum tprof_sample_detour {
	TPROF_SAMPLE_STRAIGHT,
	TPROF_SAMPLE_EXCLUDED,
	TPROF_SAMPLE_WEIGHED,
};

/**
 * struct tprof_runtime - how long an event ran on a CPU; under the cpu lock
 * @since_ns:	time in ns of the last start
 * @total_ns:	ns for which the event ran before the last start
 * @runs:	the event runs
 *
 * An event with a gate runs while the gate is open. Its @since_ns is the total time
 * for which the gate had been open at the last start.
 */
struct tprof_runtime {
	u64	since_ns;
	u64	total_ns;
	bool	runs;
};

/**
 * struct tprof_sampler - an event, as the sampling path sees it
 * @pmu:	the event as its back end sees it; passed to tprof_sample_overflow()
 * @stream:	stream that takes the records
 * @targets:	tasks to sample, or NULL for all
 * @cpus:	CPUs of the session that the event runs on, or NULL for all
 * @runtimes:	how long the event ran on each CPU; see cpu.c
 * @clock:	reads the clock of the event in nanoseconds, NMI-safe
 * @sample_type: as in the attr
 * @id:		value of PERF_SAMPLE_IDENTIFIER
 * @chain:	how PERF_SAMPLE_CALLCHAIN is found
 * @user_regs:	mask of PERF_SAMPLE_REGS_USER
 * @user_stack:	number of stack bytes in PERF_SAMPLE_STACK_USER
 * @parallelism: number of targets that run, for PERF_SAMPLE_WEIGHT; NULL if the event has no
 *		such field, or no gate yet
 * @bytes:	length of a sample without its variable parts
 * @max_bytes:	length of the longest sample
 * @headers:	header of a sample without its variable parts, but with the weight of a common
 *		one; index: user_mode()
 * @excludes:	exclude_kernel and exclude_user of the attr; index: user_mode()
 * @detours:	enum tprof_sample_detour of common samples; index: user_mode()
 * @has_common_fields: tprof_sample_has_common_fields()
 * @is_common:	the same, and the samples have no variable part; they may have a weight
 * @fits_nmi:	tprof_sample_fits_nmi()
 * @hides_kernel: samples have no addresses of the kernel
 * @exclude_idle: as in the attr
 * @sample_id_all: side-band records of this event end with a trailer
 * @tells_exits: at the exit of a thread, a READ record has what the thread has counted
 * @tells_switches: so has one at each switch to another task
 * @is_open:	overflows are accepted. STOP clears it and then waits for a grace
 *		period, so that no overflow is under way
 *
 * All except @is_open, @pmu.is_common and @runtimes are constant while overflows are possible.
 */
struct tprof_sampler {
	struct tprof_pmu_event	pmu;
	struct tprof_stream	*stream;
	const struct tprof_tasks *targets;
	const struct cpumask	*cpus;
	struct tprof_runtime	*runtimes;
	tprof_sample_clock_t	clock;
	u64			sample_type;
	u64			id;
	struct tprof_chain_plan chain;
	u64			user_regs;
	u32			user_stack;
	const atomic_t		*parallelism;
	u32			bytes;
	u32			max_bytes;
	struct perf_event_header headers[2];
	bool			excludes[2];
	u8			detours[2];
	bool			has_common_fields;
	bool			is_common;
	bool			fits_nmi;
	bool			hides_kernel;
	bool			exclude_idle;
	bool			sample_id_all;
	bool			tells_exits;
	bool			tells_switches;
	bool			is_open;
};

/*
 * Return PERF_SAMPLE_WEIGHT: how many targets run now. The interrupted target counts even if its
 * gate has just been closed.
 */
static inline u64 tprof_sample_parallelism(const struct tprof_sampler *sampler)
{
	/* Never negative: each gate adds 1 before it subtracts 1. */
	u32 nr_open = atomic_read(sampler->parallelism);

	/* The same as max(), which takes an instruction more. */
	return nr_open + !nr_open;
}

/* Return true if the event runs on @cpu, which is in the set of its session. */
static inline bool tprof_sampler_has_cpu(const struct tprof_sampler *sampler, int cpu)
{
	return !sampler->cpus || cpumask_test_cpu(cpu, sampler->cpus);
}

/* Return a field of two 32-bit words. */
static inline u64 tprof_sample_words(u32 low, u32 high)
{
	return low | (u64)high << 32;
}

#endif /* TPROF_SAMPLER_H */
