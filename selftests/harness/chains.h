/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - a session of call chains, and code whose chains lead astray
 */
#ifndef TPROF_SELFTESTS_CHAINS_H
#define TPROF_SELFTESTS_CHAINS_H

#include "harness/common.h"
#include "harness/stream.h"
#include "harness/tree.h"

/* The code with any number for a frame pointer. */
BOUNDS(stray);

/**
 * struct chains - a session of one event, of the caller alone, on CPU 0
 * @fd:		the session
 * @attr:	of the event, to be changed before it begins
 * @stats:	when it has ended
 * @stream:	likewise
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
