/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - records about what was there before a recording began
 */
#ifndef TPROF_SYNTH_H
#define TPROF_SYNTH_H

#include "base/bytes.h"
#include "live/dsos.h"
#include "perfdata/record_make.h"

/**
 * struct synth - where the records go
 * @out:	the records, all that were ever made
 * @dsos:	the binaries that they name
 * @event_id:	identifier that they carry
 * @data:	tell of mappings of data as well as of code
 * @between:	called between processes, so that a long walk over /proc does
 *		not let live records pile up; may be NULL
 * @arg:	its argument
 * @files:	tree of build-ids of files that were already read
 * @told:	tree of processes that were already told of
 */
struct synth {
	struct bytes out;
	struct dso_set *dsos;
	u64	event_id;
	bool	data;
	void	(*between)(void *arg);
	void	*arg;
	void	*files;
	void	*told;
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
