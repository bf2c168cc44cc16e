// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - write the records of a recording, and count them
 *
 * The bytes of a record are written unchanged, or compressed with -z. Only record headers,
 * times of samples, and names and build-ids of mappings are parsed.
 */
#include <stddef.h>
#include <string.h>

#include "record/recording.h"

#define MMAP2_ID_OFFSET (sizeof(struct perf_event_header) + 4 * sizeof(u64))
#define MMAP2_NAME_OFFSET (MMAP2_ID_OFFSET + 4 * sizeof(u64))

/* Return the offset of a sample's time. It follows the identifier, address and thread ids. */
static size_t time_offset(const struct recording *rec)
{
	bool has_id = rec->events.all[0].attr.sample_type & PERF_SAMPLE_IDENTIFIER;

	return sizeof(struct perf_event_header) + (2 + has_id) * sizeof(u64);
}

/*
 * Count the samples at the start of @records, and note their first and last times. Most
 * samples of a read(2) have the same header, so stop at the first record with another
 * header. Return the length of the counted samples, or 0 if the first record has no time.
 */
static size_t note_samples(struct tally *tally, const u8 *records, size_t len, size_t offset)
{
	u64 first = tally->first, last = tally->last;
	u64 header, same, time;
	const u8 *pos = records, *end;
	u16 size;

	memcpy(&same, records, sizeof(same));
	memcpy(&size, records + offsetof(struct perf_event_header, size), sizeof(size));
	if (size < offset + sizeof(time) || size > len)
		return 0;
	end = records + len - size;
	do {
		memcpy(&time, pos + offset, sizeof(time));
		first = time < first ? time : first;
		last = time > last ? time : last;
		pos += size;
		if (pos > end)
			break;
		memcpy(&header, pos, sizeof(header));
	} while (header == same);
	tally->first = first;
	tally->last = last;
	tally->samples += (pos - records) / size;
	return pos - records;
}

static void note_mmap2(struct recording *rec, const struct perf_event_header *header,
		       const u8 *record)
{
	u16 mode = header->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	const char *name = (const char *)record + MMAP2_NAME_OFFSET;
	const u8 *data = record + MMAP2_ID_OFFSET;
	struct build_id id = { 0 };
	s32 pid;

	if (header->size <= MMAP2_NAME_OFFSET ||
	    !memchr(name, '\0', header->size - MMAP2_NAME_OFFSET))
		return;
	if (!data[0] || data[0] > BUILD_ID_MAX)
		return;
	id.size = data[0];
	memcpy(id.data, data + 4, id.size);
	dso_set_add(&rec->dsos, mode, name, &id);
	memcpy(&pid, record + sizeof(*header), sizeof(pid));
	if (mode == PERF_RECORD_MISC_USER && dso_set_add(&rec->seen, mode, name, &id))
		opener_add(rec->opener, pid, name, &id);
}

/*
 * Count the samples in @records, which were written, note build-ids, and let the opener open
 * binaries that were not seen before.
 */
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
			note_mmap2(rec, &header, pos);
		if (!done) {
			/* Also count a sample that is too short to contain a time. */
			rec->tally.samples += header.type == PERF_RECORD_SAMPLE;
			done = header.size;
		}
	}
}

/* Count the samples in @records. */
u64 recording_samples(const void *records, size_t len)
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

/*
 * Write @out, which is @records or their compressed form, and count the samples in
 * @records. Keep the first error in @rec->output_err.
 */
static void write_out(struct recording *rec, const void *out, size_t out_len,
		      const void *records, size_t len)
{
	size_t written = 0;

	rec->writer.tail = features_size(&rec->features) + rec->dsos.bytes + 4096 +
			   512ULL * rec->events.nr * rec->info.info.nr_cpus;
	if (!rec->output_err)
		rec->output_err = writer_append(&rec->writer, out, out_len, &written);
	/* A compressed record is written whole or not at all. */
	if (out != records)
		written = written ? len : 0;
	recording_note(rec, records, written);
	rec->tally.unwritten += recording_samples((const u8 *)records + written, len - written);
}

/*
 * Write the parcels that are ready. With @wait, wait for the first parcel. Return true if
 * a parcel was written.
 */
static bool write_parcels(struct recording *rec, bool wait)
{
	const struct parcel *parcel = packer_peek(&rec->packer, wait);
	bool any = parcel;
	const void *out;
	size_t len;

	for (; parcel; parcel = packer_peek(&rec->packer, false)) {
		out = parcel_output(parcel, &len);
		write_out(rec, out, len, parcel->records, parcel->len);
		packer_pop(&rec->packer);
	}
	return any;
}

/*
 * Write @records. With -z, give @records to the packer, and write the parcels that
 * it has finished.
 */
void recording_write(struct recording *rec, const void *records, size_t len)
{
	const u8 *pos = records;
	size_t put;

	if (!rec->packer.parcels)
		return write_out(rec, records, len, records, len);
	for (; len; pos += put, len -= put) {
		put = packer_put(&rec->packer, pos, len);
		write_parcels(rec, !put);
	}
}

static void write_finished(void *arg, const void *records, size_t len)
{
	recording_write(arg, records, len);
}

/* Let the opener open a binary whose mapping waits to be written. */
static void see_mmap2(void *arg, const void *record)
{
	struct perf_event_header header;

	memcpy(&header, record, sizeof(header));
	if (header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		note_mmap2(arg, &header, record);
}

/* From now on, let records with copies of stacks wait for their tables. Return 0 or -ENOMEM. */
int recording_begin_unfinished(struct recording *rec)
{
	rec->unfinished = (struct unfinished){
		.write = write_finished,
		.see = see_mmap2,
		.arg = rec,
		.events = rec->events.all,
		.nr_events = rec->events.nr,
		.opener = &rec->opener,
		.maker = &rec->tables,
	};
	return unfinished_begin(&rec->unfinished);
}

/* Take records of the session: write them, or let them wait for tables. */
void recording_take(struct recording *rec, const void *records, size_t len)
{
	if (rec->unfinished.write)
		unfinished_take(&rec->unfinished, records, len);
	else
		recording_write(rec, records, len);
}

/*
 * Write the parcels that the packer has finished. If @end is set, wait for all other
 * parcels, end the stream, and end the packer.
 */
void recording_write_packed(struct recording *rec, bool end)
{
	if (!rec->packer.parcels)
		return;
	while (end && !packer_put_last(&rec->packer))
		write_parcels(rec, true);
	while (write_parcels(rec, end) && end)
		;
	if (end)
		packer_end(&rec->packer);
}
