/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - move the records of a running recording from the device to the file
 *
 * These files share struct recording:
 * - cmd_record.c starts and ends the recording;
 * - record_events.c adds the events;
 * - record_binaries.c starts and ends the threads of session/opener and session/table_maker;
 * - record_output.c opens the file and writes its header;
 * - recording.c moves the records;
 * - record_write.c writes and counts the records;
 * - record_loop.c waits for the end;
 * - record_finish.c completes the file, and record_embed.c adds symbols to it;
 * - record_counts.c adds, prints and writes the counts of --count;
 * - record_status.c prints the status line and the summary.
 *
 * The file is opened after all events were accepted, so that a failed start does not overwrite
 * the previous recording. The child is forked and waits (live/child.h). The session starts,
 * live/synth.h writes records of the tasks and mappings that already exist, and the child is
 * released to exec. Then bytes are copied from the session's queue (live/device_queue.h) to
 * the file, unchanged, until the child exits, the stream ends with the last target, a signal
 * arrives or the device fails.
 */
#ifndef TPROF_RECORDING_H
#define TPROF_RECORDING_H

#include "base/message.h"
#include "base/parse.h"
#include "cli/claim.h"
#include "cli/comm_option.h"
#include "counts/counts_write.h"
#include "counts/stat_output.h"
#include "live/child.h"
#include "live/device_queue.h"
#include "live/dsos.h"
#include "live/ending.h"
#include "live/synth.h"
#include "perfdata/feature_set.h"
#include "perfdata/packer.h"
#include "perfdata/writer.h"
#include "session/opener.h"
#include "session/session_events.h"
#include "session/table_maker.h"
#include "session/unfinished.h"

/**
 * struct tally - counts of samples since the start
 * @samples:	samples written
 * @unwritten:	samples lost because writing failed
 * @first:	time of the oldest sample, ~0 if there is none
 * @last:	time of the newest sample
 */
struct tally {
	u64	samples;
	u64	unwritten;
	u64	first;
	u64	last;
};

/**
 * struct recording_counts - counts beside the samples
 * @counting:	the counts; without events if there are none
 * @writer:	writes them to the file
 * @totals:	prints the counts since the start
 * @interval:	-I in ns, or 0
 * @intervals:	prints the counts of an interval
 * @printed_at:	end of the last interval, in ns since the start
 * @per_thread:	print the counts of each thread at the end
 */
struct recording_counts {
	struct counting counting;
	struct counts_writer writer;
	struct stat_output totals;
	u64	interval;
	struct stat_output intervals;
	u64	printed_at;
	bool	per_thread;
};

/**
 * struct recording - a running recording
 * @device:	file descriptor of the session
 * @info:	back ends and limits of the module
 * @claim:	the session's counters, and the parking of the watchdog for them
 * @events:	events of the session
 * @clockid:	clock of all timestamps
 * @writer:	writes the file
 * @level:	level of -z, or 0
 * @packer:	compresses records; @packer.parcels is NULL if nothing is compressed
 * @output:	name of the file
 * @features:	features of the file
 * @dsos:	mapped binaries and their build-ids
 * @seen:	binaries in mappings of user space so far
 * @opener:	opens binaries, or NULL
 * @kept:	binaries that @opener has kept, at the end
 * @nr_unopened: number of binaries that @opener had no room or no time to open, at the end
 * @tables:	gives unwind tables to the module, if an event has TPROF_LX_EVENT_TABLES
 * @unfinished:	records that wait for tables; @unfinished.write is NULL if no stacks are copied
 * @child:	the command; @child.pid is 0 if there is none
 * @targets:	processes to record; empty for all processes
 * @comm:	names of processes that are recorded if they come later
 * @ending:	signals that end the recording
 * @delay:	-D in ns, or 0
 * @duration:	--duration in ns, or 0
 * @ring_bytes:	size of each CPU's ring; 0 for the module's default
 * @config:	argument of the last CONFIG, with the sizes that the module chose
 * @embeds:	embed symbols and the kernel's code in the file
 * @kernel_memory: descriptor of KERNEL_MEMORY, or negative
 * @started:	time of the start in ns of CLOCK_MONOTONIC, or 0
 * @stopped:	time of the end in ns of CLOCK_MONOTONIC
 * @queue:	the session's queue of records
 * @synth:	synthesized records about the state before the recording
 * @early:	records taken from @queue while /proc is read; the file gets them
 *		after @synth
 * @output_err:	first error of writing to the file; after this error, the device's
 *		records are counted, but not written
 * @tally:	counts of samples
 * @counts:	counts of --count
 */
struct recording {
	int	device;
	struct device_info info;
	struct claim claim;
	struct session_events events;
	s32	clockid;
	struct writer writer;
	int	level;
	struct packer packer;
	const char *output;
	struct feature_set features;
	struct dso_set dsos;
	struct dso_set seen;
	struct opener *opener;
	struct kept_files kept;
	u32	nr_unopened;
	struct table_maker tables;
	struct unfinished unfinished;
	struct child child;
	struct pid_list targets;
	struct comm_option comm;
	struct ending ending;
	u64	delay;
	u64	duration;
	u64	ring_bytes;
	struct tprof_lx_config config;
	bool	embeds;
	int	kernel_memory;
	u64	started;
	u64	stopped;
	struct device_queue queue;
	struct synth synth;
	struct bytes early;
	int	output_err;
	struct tally tally;
	struct recording_counts counts;
};

/* Why a wait ended. */
enum recording_event {
	RECORDING_TIME_OUT,
	RECORDING_ENDED,	/* the command or all targets have ended */
	RECORDING_INTERRUPTED,	/* a signal requested the end */
	RECORDING_BROKEN,	/* the device or the output failed */
};

void recording_note(struct recording *rec, const void *records, size_t len);
u64 recording_samples(const void *records, size_t len);
int recording_begin_unfinished(struct recording *rec);
void recording_take(struct recording *rec, const void *records, size_t len);
void recording_write(struct recording *rec, const void *records, size_t len);
void recording_write_packed(struct recording *rec, bool end);

int recording_look_around(struct recording *rec);
int recording_synthesize(struct recording *rec);
int recording_pump(struct recording *rec);
int recording_drain(struct recording *rec);

int recording_catch_signals(struct recording *rec);
enum recording_event recording_wait(struct recording *rec, u64 ns);
enum recording_event recording_loop(struct recording *rec);

u64 recording_next_interval(const struct recording *rec, u64 now);
int recording_print_interval(struct recording *rec, u64 now);
void recording_add_counts(struct recording *rec, struct bytes *out, u64 elapsed);
int recording_print_counts(struct recording *rec, u64 now);
int recording_print_all_counts(struct recording *rec);

int recording_finish(struct recording *rec);
int recording_embed(struct recording *rec);
void recording_summary(const struct recording *rec);

void status_show(const struct recording *rec);
void status_clear(void);

#endif /* TPROF_RECORDING_H */
