// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a running recording: move records from the device to the file
 *
 * The bytes from read(2) are written unchanged. Only record headers, times of samples,
 * and names and build-ids of mappings are parsed.
 */
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "record/recording.h"

/* Maximum number of reads of the device before signals and time are checked again. */
#define READS_PER_TURN		16
/* Maximum size of rec->early in bytes. Further records stay in the kernel. */
#define EARLY_LIMIT		(256U << 20)

#define MMAP2_ID_OFFSET		(sizeof(struct perf_event_header) + 4 * sizeof(u64))
#define MMAP2_NAME_OFFSET	(MMAP2_ID_OFFSET + 4 * sizeof(u64))

/* Where the time of a sample is: behind address and thread, and identifier if any. */
static size_t time_offset(const struct recording *rec)
{
	bool has_id = rec->events[0].attr.sample_type & PERF_SAMPLE_IDENTIFIER;

	return sizeof(struct perf_event_header) + (2 + has_id) * sizeof(u64);
}

/*
 * Count samples, up to the first record of another length or kind: mostly all that
 * one read(2) returned are alike, and there are many. Return their bytes.
 */
static size_t note_samples(struct tally *tally, const u8 *records, size_t len, size_t offset)
{
	u64 first = tally->first, last = tally->last, nr = 0;
	u64 header, like, time;
	const u8 *pos = records, *end;
	u16 size;

	memcpy(&like, pos, sizeof(like));
	memcpy(&size, pos + offsetof(struct perf_event_header, size), sizeof(size));
	if (size < offset + sizeof(time) || size > len)
		return 0;
	end = records + len - size;
	do {
		memcpy(&time, pos + offset, sizeof(time));
		first = time < first ? time : first;
		last = time > last ? time : last;
		nr++;
		pos += size;
		if (pos > end)
			break;
		memcpy(&header, pos, sizeof(header));
	} while (header == like);
	tally->first = first;
	tally->last = last;
	tally->samples += nr;
	return pos - records;
}

static void note_mmap2(struct dso_set *dsos, const struct perf_event_header *header,
		       const u8 *record)
{
	const char *name = (const char *)record + MMAP2_NAME_OFFSET;
	const u8 *data = record + MMAP2_ID_OFFSET;
	struct build_id id = { 0 };

	if (header->size <= MMAP2_NAME_OFFSET ||
	    !memchr(name, '\0', header->size - MMAP2_NAME_OFFSET))
		return;
	if (!data[0] || data[0] > BUILD_ID_MAX)
		return;
	id.size = data[0];
	memcpy(id.data, data + 4, id.size);
	dso_set_add(dsos, header->misc & PERF_RECORD_MISC_CPUMODE_MASK, name, &id);
}

/* Count the samples in @records, which were written, and note build-ids of mappings. */
void recording_note(struct recording *rec, const void *records, size_t len)
{
	size_t done, offset = time_offset(rec);
	struct perf_event_header header;
	const u8 *pos = records;

	for (; len >= sizeof(header); pos += done, len -= done) {
		memcpy(&header, pos, sizeof(header));
		if (header.size < sizeof(header) || header.size > len)
			return;
		done = 0;
		if (header.type == PERF_RECORD_SAMPLE)
			done = note_samples(&rec->tally, pos, len, offset);
		else if (header.type == PERF_RECORD_MMAP2 &&
			 header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
			note_mmap2(&rec->dsos, &header, pos);
		if (!done) {
			/* A sample without a time is counted all the same. */
			rec->tally.samples += header.type == PERF_RECORD_SAMPLE;
			done = header.size;
		}
	}
}

static u64 count_samples(const void *records, size_t len)
{
	struct perf_event_header header;
	const u8 *pos = records;
	u64 nr = 0;

	for (; len >= sizeof(header); pos += header.size, len -= header.size) {
		memcpy(&header, pos, sizeof(header));
		if (header.size < sizeof(header) || header.size > len)
			break;
		nr += header.type == PERF_RECORD_SAMPLE;
	}
	return nr;
}

/* Write whole records and count samples. Keep the first error in @rec->output_err. */
static void recording_write(struct recording *rec, const void *records, size_t len)
{
	size_t written = 0;

	rec->writer.tail = features_size(&rec->features) + rec->dsos.bytes + 4096 +
			   512ULL * rec->nr_events * rec->info.info.nr_cpus;
	if (!rec->output_err)
		rec->output_err = writer_append(&rec->writer, records, len, &written);
	recording_note(rec, records, written);
	rec->tally.unwritten += count_samples((const u8 *)records + written, len - written);
}

/* Read records from the device into rec->early. Called by synth_processes(). */
static void hold_back(void *arg)
{
	struct recording *rec = arg;
	ssize_t len;

	while (rec->early.len < EARLY_LIMIT && !rec->early.failed) {
		len = read(rec->device, rec->buffer, RECORDING_BUFFER);
		if (len <= 0)
			break;
		bytes_add(&rec->early, rec->buffer, len);
		if (rec->early.failed)
			rec->tally.unwritten += count_samples(rec->buffer, len);
	}
}

static int look_for(struct recording *rec, enum synth_which which)
{
	return synth_processes(&rec->synth, rec->targets.pids, rec->targets.nr, which);
}

/*
 * Synthesize records about the kernel and the processes before the session starts:
 * reading the kernel's symbols takes long, and a process that ends right after the start
 * could not be read later. @rec has its events and targets already.
 */
int recording_look_around(struct recording *rec)
{
	int err;

	rec->synth.dsos = &rec->dsos;
	rec->synth.event_id = rec->events[0].id;
	rec->synth.sample_type = rec->events[0].attr.sample_type;
	rec->synth.data = rec->events[0].attr.mmap_data;
	err = synth_kernel(&rec->synth);
	if (!err)
		err = look_for(rec, SYNTH_ALL);
	return err ? err : look_for(rec, SYNTH_NEW);
}

/*
 * Write the records about the state before the recording, then the records of the
 * session so far. The session must be running.
 */
int recording_synthesize(struct recording *rec)
{
	struct synth *synth = &rec->synth;
	int err;

	synth->between = hold_back;
	synth->arg = rec;
	err = look_for(rec, SYNTH_NEW);
	if (!err)
		err = synth_modules(synth);
	if (!err)
		err = look_for(rec, SYNTH_ALL);
	if (!err)
		recording_write(rec, synth->out.data, synth->out.len);
	/* Even on failure, records that were read must be written or counted. */
	recording_write(rec, rec->early.data, rec->early.len);
	if (!err)
		err = bytes_err(&rec->early);
	synth_free(synth);
	bytes_free(&rec->early);
	return err;
}

/*
 * Move available records to the file. Return 1 if there may be more, 0 at the end of the
 * stream, -EAGAIN if no more are available, or another -errno.
 */
int recording_pump(struct recording *rec)
{
	ssize_t len;
	int i;

	for (i = 0; i < READS_PER_TURN; i++) {
		len = read(rec->device, rec->buffer, RECORDING_BUFFER);
		if (len == 0)
			return 0;
		if (len < 0 && errno != EINTR)
			return -errno;
		if (len > 0)
			recording_write(rec, rec->buffer, len);
	}
	return 1;
}

/* Stop the session and move the remaining records to the file. */
int recording_drain(struct recording *rec)
{
	struct pollfd pfd = { .fd = rec->device, .events = POLLIN };
	int err = device_stop(rec->device, ~0U);

	rec->stopped = monotonic_ns();
	if (err)
		return err;
	for (;;) {
		err = recording_pump(rec);
		if (err == -EAGAIN)
			poll(&pfd, 1, -1);
		else if (err <= 0)
			return err;
	}
}
