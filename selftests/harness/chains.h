/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - sample call chains, and run code with a bad frame pointer
 */
#ifndef TPROF_SELFTESTS_CHAINS_H
#define TPROF_SELFTESTS_CHAINS_H

#include "harness/common.h"
#include "harness/stream.h"
#include "harness/tree.h"

/* Bounds of the code that runs with a bad frame pointer. */
BOUNDS(stray);

/**
 * struct chains - a session with one event, which samples this process on CPU 0
 * @fd:		the session
 * @attr:	attributes of the event; a test may change them before chains_begin()
 * @stats:	sums over all CPUs and events; set by chains_end()
 * @stream:	all records; set by chains_end()
 */
struct chains {
	int			fd;
	struct perf_event_attr	attr;
	struct tprof_lx_stats	stats;
	struct stream		stream;
};

int chains_open(struct chains *chains);
int chains_begin(struct chains *chains, const char *backend, __u32 flags);
int chains_end(struct chains *chains);
void chains_close(struct chains *chains);

void stray_for(const void *frame, unsigned int ms);
void stray_elsewhere(unsigned long *memory, unsigned int ms);
void stray_often(unsigned long *frame, unsigned int ms);
void stray_absent(unsigned long *frame, unsigned int ms, int fd);

#endif /* TPROF_SELFTESTS_CHAINS_H */
