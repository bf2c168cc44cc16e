/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx bench - write a recording; shared by the generators
 */
#ifndef TPROF_BENCH_RECORDING_H
#define TPROF_BENCH_RECORDING_H

#include "perfdata/buildid.h"
#include "perfdata/record_make.h"
#include "perfdata/writer.h"

#define KERNEL		0xffffffff81000000ULL
#define KERNEL_SIZE	0x1000000ULL
#define SPACE		0x10000000ULL	/* distance between the addresses of binaries */
#define MAX_BINARIES	64

struct binary {
	const char *path;
	u64	offset;
	u64	size;
	struct build_id id;
};

struct recording {
	struct writer writer;
	struct feature_set features;
	struct perfdata_event event;
	struct binary binaries[MAX_BINARIES];
	int nr_binaries;
};

void recording_begin(struct recording *recording, const char *path, char **binaries, int nr,
		     bool has_chains);
void recording_add(struct recording *recording, struct bytes *records);
void recording_end(struct recording *recording);

/* Add the mapping of the kernel. */
void recording_add_kernel(struct bytes *out);

/* Add the mapping of a binary. */
void recording_add_map(struct bytes *out, const struct record_trailer *task,
		       const struct binary *binary, u64 start);

/*
 * Add a sample. @chain has @nr frames, innermost first. If @nr is 0, the sample has no
 * chain.
 */
void recording_add_sample(struct bytes *out, const struct record_trailer *task, bool is_kernel,
			  u64 ip, const u64 *chain, u64 nr);

#endif /* TPROF_BENCH_RECORDING_H */
