/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx counts - write counts to a recording
 *
 * perf stat report and counts_read.c read them. The scope of the counts comes before the first
 * of them.
 */
#ifndef TPROF_COUNTS_WRITE_H
#define TPROF_COUNTS_WRITE_H

#include "base/bytes.h"
#include "counts/counting.h"

/**
 * struct counts_writer - writes the counts of a session to a recording
 * @counting:	the counts
 * @ids:	identifiers of the events in the recording, by their index in @counting
 * @interval:	interval of the rounds in ns, or 0 if there is one round
 * @per_cpu:	the lanes are CPUs
 * @per_thread:	the lanes are rows of @counting->threads
 * @pid:	process that is counted, or -1
 * @comm:	its name
 * @has_begun:	the scope was written
 */
struct counts_writer {
	const struct counting *counting;
	u64	ids[TPROF_LX_MAX_EVENTS];
	u64	interval;
	bool	per_cpu;
	bool	per_thread;
	s32	pid;
	const char *comm;
	bool	has_begun;
};

void counts_write_round(struct counts_writer *writer, struct bytes *out, u64 elapsed);

#endif /* TPROF_COUNTS_WRITE_H */
