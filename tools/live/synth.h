/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - synthesize records about what exists before a recording
 *
 * These records describe the kernel, its modules and the running processes.
 */
#ifndef TPROF_SYNTH_H
#define TPROF_SYNTH_H

#include "base/bytes.h"
#include "live/dsos.h"
#include "perfdata/record_make.h"

/**
 * struct synth - synthesized records, and what is needed to avoid duplicates
 * @out:	all records so far
 * @dsos:	binaries that the records name
 * @event_id:	event id to put into the records
 * @sample_type: sample_type of the events
 * @data:	also write records for data mappings
 * @between:	called after each process, to empty the device's buffers during a long
 *		walk over /proc; may be NULL
 * @arg:	argument of @between
 * @files:	tree of struct known_file
 * @written:	tree of struct written_process
 */
struct synth {
	struct bytes out;
	struct dso_set *dsos;
	u64	event_id;
	u64	sample_type;
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
int synth_before_start(struct synth *synth, const s32 *roots, u32 nr);
int synth_after_start(struct synth *synth, const s32 *roots, u32 nr);
void synth_free(struct synth *synth);

#endif /* TPROF_SYNTH_H */
