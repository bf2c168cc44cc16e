// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a running recording: move records from the device to the file
 *
 * The bytes from read(2) are written unchanged. Only record headers, times of samples,
 * and names and build-ids of mappings are parsed.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "record/recording.h"

/* Maximum number of reads of the device before signals and time are checked again. */
#define READS_PER_TURN		16
/* Maximum size of rec->early in bytes. Further records stay in the kernel. */
#define EARLY_LIMIT		(256U << 20)

/* Offset of the time in a sample with the sample_type that event_attr() sets. */
#define SAMPLE_TIME_OFFSET	(sizeof(struct perf_event_header) + 3 * sizeof(u64))
#define MMAP2_ID_OFFSET		(sizeof(struct perf_event_header) + 4 * sizeof(u64))
#define MMAP2_NAME_OFFSET	(MMAP2_ID_OFFSET + 4 * sizeof(u64))

static void note_sample(struct tally *tally, const u8 *record, u16 size)
{
	u64 time;

	if (size < SAMPLE_TIME_OFFSET + sizeof(time))
		return;
	memcpy(&time, record + SAMPLE_TIME_OFFSET, sizeof(time));
	if (time < tally->first)
		tally->first = time;
	if (time > tally->last)
		tally->last = time;
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

/* Count the samples in @records and note build-ids, after @records were written. */
void recording_note(struct recording *rec, const void *records, size_t len)
{
	struct perf_event_header header;
	const u8 *pos = records;

	for (; len >= sizeof(header); pos += header.size, len -= header.size) {
		memcpy(&header, pos, sizeof(header));
		if (header.size < sizeof(header) || header.size > len)
			return;
		if (header.type == PERF_RECORD_SAMPLE) {
			rec->tally.samples++;
			note_sample(&rec->tally, pos, header.size);
		} else if (header.type == PERF_RECORD_MMAP2 &&
			   header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
			note_mmap2(&rec->dsos, &header, pos);
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

/* Write @records and count their samples. Keep the first error in @rec->output_err. */
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

/* Empty the device's buffers into rec->early while synth_processes() reads /proc. */
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
 * could not be read later. Call this when @rec has its events and targets.
 */
int recording_look_around(struct recording *rec)
{
	int err;

	rec->synth.dsos = &rec->dsos;
	rec->synth.event_id = rec->events[0].id;
	rec->synth.data = rec->events[0].attr.mmap_data;
	err = synth_kernel(&rec->synth);
	if (!err)
		err = look_for(rec, SYNTH_ALL);
	return err ? err : look_for(rec, SYNTH_NEW);
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
