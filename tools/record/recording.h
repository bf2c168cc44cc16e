/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - a recording under way: from the device into the file
 *
 * cmd_record.c reads the command line, recording.c moves the records,
 * record_loop.c waits for what ends it, record_finish.c closes the file, and
 * record_embed.c puts symbols into it.
 */
#ifndef TPROF_RECORDING_H
#define TPROF_RECORDING_H

#include "base/message.h"
#include "base/parse.h"
#include "cli/claim.h"
#include "live/child.h"
#include "live/device.h"
#include "live/dsos.h"
#include "live/ending.h"
#include "live/synth.h"
#include "perfdata/feature_set.h"
#include "perfdata/writer.h"

/* Bytes that one read(2) of the device is given room for. */
#define RECORDING_BUFFER	(1U << 20)

/**
 * struct tally - what passed through since the start
 * @samples:	samples written
 * @unwritten:	samples that the output did not take
 * @first:	time of the first sample, ~0 before it
 * @last:	time of the last
 */
struct tally {
	u64	samples;
	u64	unwritten;
	u64	first;
	u64	last;
};

/**
 * struct recording - a recording under way
 * @device:	the session
 * @info:	what its module said
 * @claim:	its counters, and the watchdog that they were taken from
 * @events:	its events
 * @nr_events:	how many
 * @clockid:	the clock of all times
 * @writer:	the file
 * @output:	its name
 * @features:	facts for it
 * @dsos:	binaries that were mapped
 * @child:	the command, @child.pid 0 when there is none
 * @targets:	processes whose end is the recording's
 * @ending:	signals that end it
 * @duration:	how long at most in ns, or 0
 * @embeds:	symbols are to be put into the file
 * @started:	when it started, CLOCK_MONOTONIC in ns, or 0
 * @stopped:	when it stopped
 * @buffer:	what one read(2) of the device fills
 * @synth:	records about what was there before
 * @early:	live records that came while older facts were collected
 * @output_err:	what the output failed with, after which nothing is written
 * @tally:	what passed through
 */
struct recording {
	int	device;
	struct device_info info;
	struct claim claim;
	struct perfdata_event events[TPROF_LX_MAX_EVENTS];
	u32	nr_events;
	s32	clockid;
	struct writer writer;
	const char *output;
	struct feature_set features;
	struct dso_set dsos;
	struct child child;
	struct pid_list targets;
	struct ending ending;
	u64	duration;
	bool	embeds;
	u64	started;
	u64	stopped;
	u8	*buffer;
	struct synth synth;
	struct bytes early;
	int	output_err;
	struct tally tally;
};

/* How a wait for the end of a recording ended. */
enum recording_event {
	RECORDING_TIME_OUT,
	RECORDING_ENDED,	/* what was to be recorded is over */
	RECORDING_INTERRUPTED,	/* a signal asked for the end */
	RECORDING_BROKEN,	/* the device or the output failed */
};

void recording_note(struct recording *rec, const void *records, size_t len);
int recording_look_around(struct recording *rec);
int recording_synthesize(struct recording *rec);
int recording_pump(struct recording *rec);
int recording_drain(struct recording *rec);

int recording_catch_signals(struct recording *rec);
enum recording_event recording_wait(struct recording *rec, u64 ns);
enum recording_event recording_loop(struct recording *rec);

int recording_finish(struct recording *rec);
int recording_embed(struct recording *rec);
void recording_summary(const struct recording *rec);

void status_show(const struct recording *rec);
void status_clear(void);

#endif /* TPROF_RECORDING_H */
