/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - how much work a call makes for CPUs
 *
 * Other sessions must not change meanwhile, since the module counts the work of all.
 */
#ifndef TPROF_SELFTESTS_WORK_H
#define TPROF_SELFTESTS_WORK_H

#include "harness/common.h"

/*
 * Expect that @call returns 0, and that CPUs call @ipis functions for it and queue no work, and
 * that it waits for @graces grace periods. @meter is any session.
 */
#define EXPECT_WORK(meter, ipis, graces, call)					\
	do {									\
		struct tprof_lx_stats before_, after_;				\
		ASSERT_EQ(0, read_totals(meter, &before_));			\
		ASSERT_EQ(0, (call)) TH_LOG("%s", #call);			\
		ASSERT_EQ(0, read_totals(meter, &after_));			\
		EXPECT_EQ((ipis), after_.ipi_calls - before_.ipi_calls)		\
			TH_LOG("functions: %s", #call);				\
		EXPECT_EQ((graces), after_.grace_periods - before_.grace_periods) \
			TH_LOG("waits: %s", #call);				\
		EXPECT_EQ(0, after_.cpu_works - before_.cpu_works)		\
			TH_LOG("works: %s", #call);				\
	} while (0)

static inline int read_totals(int fd, struct tprof_lx_stats *stats)
{
	return session_stats(fd, TPROF_LX_SUM, TPROF_LX_SUM, stats);
}

static inline int read_sum(int fd, __u32 event)
{
	struct tprof_lx_count count = {};

	return count_read(fd, TPROF_LX_SUM, event, &count);
}

static inline __u32 mask_of(__u32 nr)
{
	return (1U << nr) - 1;
}

#endif /* TPROF_SELFTESTS_WORK_H */
