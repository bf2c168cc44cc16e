/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - an event of instructions with a count page
 */
#ifndef TPROF_SELFTESTS_COUNT_PAGE_H
#define TPROF_SELFTESTS_COUNT_PAGE_H

#include "tprof-lx/rdpmc.h"
#include "harness/counters.h"

#define PAGE_BYTES	TPROF_LX_COUNT_PAGE_BYTES
#define PAGE_FLAGS	(TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_PAGE)
#define LOOPS		100000ULL
#define INSNS		(LOOPS * INSNS_PER_LOOP)

/**
 * struct count_page - a session with an event that this thread reads by RDPMC
 * @fd:		the session
 * @backend:	name of the back end for hardware counters
 * @why_not:	why the test must skip, or NULL
 * @attr:	the event
 * @counter:	its page, if mapped
 */
struct count_page {
	int			fd;
	char			backend[TPROF_LX_NAME_LEN];
	const char		*why_not;
	struct perf_event_attr	attr;
	struct tprof_lx_counter	counter;
};

int count_page_open(struct count_page *page);
void count_page_close(struct count_page *page);
int count_page_add(struct count_page *page, __u32 flags);
int count_page_begin(struct count_page *page);
__u64 count_page_value(const struct tprof_lx_counter *counter);
__u64 count_page_work(const struct tprof_lx_counter *counter, __u64 loops);
__u64 count_page_loops(const struct tprof_lx_counter *counter);
bool count_page_is_exact(const struct tprof_lx_counter *counter);
bool count_page_agrees(const struct tprof_lx_counter *counter);
bool rdpmc_faults(void);

#endif /* TPROF_SELFTESTS_COUNT_PAGE_H */
