/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - records about the kernel and the processes before a recording
 */
#ifndef TPROF_SYNTH_H
#define TPROF_SYNTH_H

#include "base/bytes.h"
#include "live/dsos.h"
#include "perfdata/record_make.h"

/**
 * struct synth - synthesized records and the state to avoid duplicates
 * @out:	all records so far
 * @dsos:	the binaries that they name
 * @event_id:	identifier in the records
 * @data:	write mappings of data as well as of code
 * @between:	called between processes, to read live records during a long walk
 *		over /proc; may be NULL
 * @arg:	argument of @between
 * @files:	tree of the files that were read, with their build-ids
 * @written:	tree of the processes that were written
 */
struct synth {
	struct bytes out;
	struct dso_set *dsos;
	u64	event_id;
	bool	data;
	void	(*between)(void *arg);
	void	*arg;
	void	*files;
	void	*written;
};

enum synth_which {
	SYNTH_ALL,
	SYNTH_NEW,
};

int synth_kernel(struct synth *synth);
int synth_modules(struct synth *synth);
int synth_processes(struct synth *synth, const s32 *roots, u32 nr, enum synth_which which);
void synth_free(struct synth *synth);

#endif /* TPROF_SYNTH_H */
