// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - move the records of a running recording from the device to the file
 */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "perfdata/parallelism.h"
#include "record/recording.h"

/* How often records are taken before signals and time are checked again. */
#define TAKES_PER_TURN 16
/* Maximum size of rec->early in bytes. Further records stay in the kernel. */
#define EARLY_LIMIT (256U << 20)

/* Empty the session's queue into rec->early while synth_processes() reads /proc. */
static void hold_back(void *arg)
{
	struct recording *rec = arg;
	const u8 *records;
	ssize_t len;

	while (rec->early.len + DEVICE_QUEUE_BUFFER <= EARLY_LIMIT && !rec->early.failed) {
		len = device_queue_next(&rec->queue, &records);
		if (len <= 0)
			break;
		bytes_add(&rec->early, records, len);
		if (rec->early.failed)
			rec->tally.unwritten += recording_samples(records, len);
	}
}

/*
 * Descendants of a target whose parents have ended during the delay cannot be found by their
 * ancestors. So after a delay, synthesize records about all processes. Do so as well if any process
 * may have become a target before the session starts.
 */
static u32 count_roots(const struct recording *rec)
{
	if (rec->delay || rec->events.needs_all || rec->comm.follow)
		return 0;
	return rec->targets.nr;
}

/* Say of which events the samples have parallelism. */
static void add_parallelism(struct recording *rec)
{
	const struct perfdata_event *event = rec->events.all, *end = event + rec->events.nr;

	for (; event < end; event++) {
		if (event->attr.sample_type & PERF_SAMPLE_WEIGHT)
			parallelism_add_mark(&rec->synth.out, event->id, event->attr.sample_type);
	}
}

/*
 * Before the session starts, synthesize records about the kernel and the processes. Call this
 * when @rec has its events and targets.
 */
int recording_look_around(struct recording *rec)
{
	rec->synth.dsos = &rec->dsos;
	rec->synth.event_id = rec->events.all[0].id;
	rec->synth.sample_type = rec->events.all[0].attr.sample_type;
	rec->synth.data = rec->events.all[0].attr.mmap_data;
	add_parallelism(rec);
	return synth_before_start(&rec->synth, rec->targets.pids, count_roots(rec));
}

/*
 * Synthesize what may have changed since recording_look_around(), and write all
 * synthesized records. Then write the records of the session so far. The session must be
 * running.
 */
int recording_synthesize(struct recording *rec)
{
	struct synth *synth = &rec->synth;
	int err;

	synth->between = hold_back;
	synth->arg = rec;
	err = synth_after_start(synth, rec->targets.pids, count_roots(rec));
	if (!err && rec->unfinished.write)
		unfinished_know(&rec->unfinished, synth->out.data, synth->out.len);
	if (!err)
		recording_write(rec, synth->out.data, synth->out.len);
	/* Even on failure, records that were read must be written or counted. */
	recording_take(rec, rec->early.data, rec->early.len);
	if (!err)
		err = bytes_err(&rec->early);
	synth_free(synth);
	bytes_free(&rec->early);
	return err;
}

/*
 * Move available records to the file. Return 1 if there may be more, or -EAGAIN if no
 * more are available now. At the end of the stream, return 0. On failure, return
 * another -errno.
 */
int recording_pump(struct recording *rec)
{
	const u8 *records;
	ssize_t len;
	int i;

	for (i = 0; i < TAKES_PER_TURN; i++) {
		len = device_queue_next(&rec->queue, &records);
		if (len == 0)
			return 0;
		if (len < 0 && len != -EINTR)
			return len;
		if (len > 0)
			recording_take(rec, records, len);
	}
	return 1;
}

/* Stop the session and move the remaining records to the file. */
int recording_drain(struct recording *rec)
{
	struct pollfd pfd = { .fd = rec->device, .events = POLLIN };
	int err = device_stop(rec->device, ~0U);

	rec->stopped = monotonic_ns();
	if (!err)
		err = 1;
	while (err > 0) {
		err = recording_pump(rec);
		if (err != -EAGAIN)
			continue;
		poll(&pfd, 1, -1);
		err = 1;
	}
	device_queue_end(&rec->queue);
	return err;
}
