/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - a small recording, made without a kernel module
 */
#ifndef TPROF_PERFDATA_TEST_H
#define TPROF_PERFDATA_TEST_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "events/event_attr.h"
#include "live/dsos.h"
#include "perfdata/record_make.h"
#include "perfdata/writer.h"

#define NR_EVENTS	2
#define NR_SAMPLES	500
#define FIRST_TIME	(5 * NSEC_PER_SEC)

static struct perfdata_event test_events[NR_EVENTS] = {
	{ .id = 41, .name = "nmi" },
	{ .id = 42, .name = "timer:u" },
};

static inline void make_events(void)
{
	struct tprof_lx_backend clock = { .flags = TPROF_LX_BACKEND_CLOCK,
					  .min_period = 1000,
					  .max_period = NSEC_PER_SEC };
	struct event_defaults defaults = { .freq = 1000,
					   .clockid = CLOCK_MONOTONIC, .sample_cpu = true };
	struct event_spec spec = { .name = "nmi" };
	struct message msg;

	for (int i = 0; i < NR_EVENTS; i++) {
		if (event_attr(&spec, &defaults, &clock, i == 0,
			       &test_events[i].attr, &msg))
			abort();
	}
	test_events[1].attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
}

/* Append the truncated call chain of a sample of the second event. */
static inline void make_chain(struct bytes *out, u64 ip)
{
	bytes_add_u64(out, 2);
	bytes_add_u64(out, PERF_CONTEXT_USER);
	bytes_add_u64(out, ip);
}

/* Append the record of the deferred chain that completes the chain of make_chain(). */
static inline void make_rest(struct bytes *out, u64 time, u64 ip)
{
	struct record_trailer trailer = { .pid = 1234, .tid = 1235, .time = time, .id = 41 };
	struct tprof_lx_chain chain = { .path = TPROF_LX_CHAIN_PATH, .nr = 3 };
	struct perf_event_header header = {
		.type = PERF_RECORD_CGROUP,
		.size = sizeof(header) + sizeof(chain) + 3 * sizeof(u64) + RECORD_TRAILER_BYTES,
	};

	bytes_add(out, &header, sizeof(header));
	bytes_add(out, &chain, sizeof(chain));
	bytes_add_u64(out, PERF_CONTEXT_USER);
	bytes_add_u64(out, ip);
	bytes_add_u64(out, 0x400200);
	record_add_trailer(out, &trailer);
}

/**
 * struct test_sample - the fields of fixed length of a sample
 * @event:	index in test_events
 * @misc:	flags of the header; 0 stands for PERF_RECORD_MISC_USER
 */
struct test_sample {
	int	event;
	u16	misc;
	u64	ip;
	u32	pid;
	u32	tid;
	u64	time;
	u64	cpu;
	u64	period;
};

/* Append a sample without its fields of variable length, which have @nr_more words. */
static inline void make_fields(struct bytes *out, const struct test_sample *sample, u64 nr_more)
{
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = sample->misc ?: PERF_RECORD_MISC_USER,
		.size = sizeof(header) + (6 + nr_more) * sizeof(u64),
	};

	bytes_add(out, &header, sizeof(header));
	bytes_add_u64(out, test_events[sample->event].id);
	bytes_add_u64(out, sample->ip);
	bytes_add_u32(out, sample->pid);
	bytes_add_u32(out, sample->tid);
	bytes_add_u64(out, sample->time);
	bytes_add_u64(out, sample->cpu);
	bytes_add_u64(out, sample->period);
}

static inline void make_sample(struct bytes *out, int event, u64 time, u64 ip,
			       u32 cpu)
{
	const struct test_sample sample = {
		.event = event,
		.misc = PERF_RECORD_MISC_USER | (event ? TPROF_LX_MISC_CHAIN_DEFERRED : 0),
		.ip = ip, .pid = 1234, .tid = 1235, .time = time, .cpu = cpu, .period = 1000000,
	};

	make_fields(out, &sample, event ? 3 : 0);
	if (event)
		make_chain(out, ip);
}

static inline void make_past(struct bytes *out, struct dso_set *dsos)
{
	struct record_trailer kernel = { .pid = -1, .id = 41 };
	struct record_trailer task = { .pid = 1234, .tid = 1234, .id = 41 };
	struct record_trailer thread = { .pid = 1234, .tid = 1235, .id = 41 };
	struct mapping text = { .start = 0xffffffff81000000, .len = 0x1000000,
				.pgoff = 0xffffffff81000000,
				.name = "[kernel.kallsyms]_text" };
	struct mapping map = { .start = 0x400000, .len = 0x1000, .prot = 5,
			       .flags = 2, .name = "/bin/example",
			       .build_id = { 20, { 0xab, 0xcd } } };

	record_kernel_mmap(out, &kernel, &text);
	record_fork(out, &task, 1, 1);
	record_comm(out, &task, "example");
	record_fork(out, &thread, 1234, 1234);
	record_mmap2(out, &task, &map);
	dso_set_add(dsos, PERF_RECORD_MISC_USER, map.name, &map.build_id);
}

/*
 * Append samples of two CPUs, with a FINISHED_ROUND record after every 50 samples. The
 * samples of each CPU are sorted by time.
 */
static inline void make_samples(struct bytes *out)
{
	for (int round = 0; round < NR_SAMPLES / 50; round++) {
		for (u32 cpu = 0; cpu < 2; cpu++) {
			make_rest(out, FIRST_TIME + 50 * round, 0x400100 + 24);
			for (int i = 0; i < 25; i++)
				make_sample(out, (i + round) % NR_EVENTS,
					    FIRST_TIME + 2 * (round * 25 + i) +
					    cpu, 0x400100 + i, cpu);
		}
		record_finished_round(out);
	}
}

static inline void make_ledger(struct bytes *out)
{
	struct record_trailer end = { .time = FIRST_TIME + 2 * NR_SAMPLES,
				      .id = 41 };

	record_cgroup(out, &end, 7, TPROF_LX_LEDGER_PREFIX
		      "cpu=0 event=0 taken=500 delivered=500");
}

/**
 * struct writing - a recording that is being written to a file or pipe
 * @writer:	the writer under test
 * @features:	the features that @writer writes
 * @dsos:	binaries and their build-ids
 * @records:	the records that @writer reported as written
 * @has_begun:	the header was written, so the file can have records
 * @err:	error code of the first failure, or 0
 */
struct writing {
	struct writer writer;
	struct feature_set features;
	struct dso_set dsos;
	struct bytes records;
	bool	has_begun;
	int	err;
};

static inline void note_failure(struct writing *writing, int err)
{
	if (!writing->err)
		writing->err = err;
}

static inline void write_part(struct writing *writing, struct bytes *part)
{
	size_t written;

	note_failure(writing, writer_append(&writing->writer, part->data, part->len, &written));
	bytes_add(&writing->records, part->data, written);
	part->len = 0;
}

static inline void checkpoint(struct writing *writing)
{
	note_failure(writing, writer_checkpoint(&writing->writer));
}

/*
 * Add the features that are known only at the end. So far, @tail reserved space for
 * the features and the ledger. The ledger is written next and uses its part of that
 * space, so reserve space for the features alone now.
 */
static inline void end_features(struct writing *writing)
{
	struct feature_set *features = &writing->features;

	features_add_times(features, FIRST_TIME, FIRST_TIME + 2 * NR_SAMPLES - 1);
	dso_set_write(&writing->dsos, &features->section[PERFDATA_BUILD_ID]);
	writing->writer.tail = features_size(features);
}

/*
 * Write the records, with two checkpoints, and the ledger. Write the ledger even after a
 * failure: space was reserved for it.
 */
static inline void write_records(struct writing *writing)
{
	struct bytes part = { 0 };

	make_past(&part, &writing->dsos);
	writing->writer.tail = features_size(&writing->features) + writing->dsos.bytes + 512;
	write_part(writing, &part);
	if (!writing->err)
		checkpoint(writing);
	make_samples(&part);
	if (!writing->err)
		write_part(writing, &part);
	if (!writing->err)
		checkpoint(writing);
	part.len = 0;
	make_ledger(&part);
	end_features(writing);
	write_part(writing, &part);
	bytes_free(&part);
}

/**
 * writing_do - write the recording part by part, as `tprof-lx record` does
 * @writing:	the result, to be freed by writing_free()
 * @fd:		file or pipe to write to
 * @pipe:	write the format for pipes
 *
 * writing_do() calls writer_end() even after a failure.
 */
static inline void writing_do(struct writing *writing, int fd, bool pipe)
{
	char *argv[] = { "record", "--", "example" };
	struct writer *writer = &writing->writer;
	struct feature_set *features = &writing->features;

	*writing = (struct writing){ 0 };
	make_events();
	features_add_host(features);
	features_add_command(features, 3, argv);
	features_add_events(features, test_events, NR_EVENTS);
	features_add_clock(features, CLOCK_MONOTONIC);

	writing->err = writer_begin(writer, fd, pipe, test_events, NR_EVENTS, features);
	writing->has_begun = !writing->err;
	if (writing->has_begun)
		write_records(writing);
	note_failure(writing, writer_end(writer, features));
}

static inline void writing_free(struct writing *writing)
{
	bytes_free(&writing->records);
	dso_set_free(&writing->dsos);
	features_free(&writing->features);
}

/* Write a recording. Return 0, or the error code of the first failure. */
static inline int write_recording(int fd, bool pipe)
{
	struct writing writing;

	writing_do(&writing, fd, pipe);
	writing_free(&writing);
	return writing.err;
}

#endif /* TPROF_PERFDATA_TEST_H */
