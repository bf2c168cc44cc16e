// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - side-band: records that are not samples
 *
 * Context: any but NMI. No locks, no allocation, nothing that sleeps.
 */
#include <linux/align.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "base/totals.h"
#include "sample/sample_layout.h"
#include "sample/sideband.h"

/* Pad the text with zeroes, because the ring still holds old records. */
static void *put_text(void *at, const char *text, u32 bytes)
{
	strscpy_pad(at, text, bytes);
	return at + bytes;
}

/*
 * Count a record as written or lost. If the CPU came online after START, it may
 * have no lane (ring and counts), because the lane could not be allocated. Then
 * the record is lost, and @side_laneless counts the loss.
 */
static void count_record(struct tprof_stream *stream, struct tprof_lane *lane,
			 bool is_written)
{
	if (!is_written)
		tprof_totals_add(TPROF_TOTAL_SIDE_LOST, 1);
	if (unlikely(!lane))
		atomic64_inc(&stream->side_laneless);
	else
		local64_inc(is_written ? &lane->side.pushed : &lane->side.lost);
}

/* PERF_SAMPLE_IDENTIFIER is the last field of a trailer. */
static void put_id(const struct tprof_sampler *sampler, void *trailer, u64 id)
{
	u64 *end = trailer + tprof_sample_id_bytes(sampler);

	if (sampler->sample_id_all && sampler->sample_type & PERF_SAMPLE_IDENTIFIER)
		end[-1] = id;
}

/* The copy of a stack may not fill the ring up to its watermark: samples come first. */
static void *begin_record(const struct tprof_sideband *record, struct tprof_lane *lane, u32 bytes)
{
	void *at;

	if (record->more_bytes)
		return tprof_lane_calm_begin(lane, bytes, &at) ? at : NULL;
	return tprof_lane_begin(lane, bytes, record->is_extra ? TPROF_RING_SAMPLES :
								TPROF_RING_SIDE);
}

static bool write_record(const struct tprof_sampler *sampler,
			 const struct tprof_sideband *record,
			 struct tprof_lane *lane)
{
	u32 text_bytes = record->text ?
			 ALIGN(strlen(record->text) + 1, sizeof(u64)) : 0;
	u32 bytes = record->bytes + text_bytes + record->more_bytes +
		    tprof_sample_id_bytes(sampler);
	void *at = begin_record(record, lane, bytes);
	u64 time;

	if (!at)
		return false;
	/* Read the time while the ring is busy: see tprof_ring_is_busy(). */
	time = sampler->clock();
	if (record->time)
		*record->time = time;
	record->header->size = bytes;

	memcpy(at, record->header, record->bytes);
	at += record->bytes;
	if (record->text)
		at = put_text(at, record->text, text_bytes);
	memcpy(at, record->more, record->more_bytes);
	at += record->more_bytes;
	tprof_sample_write_id(sampler, at, time, record->task, lane->cpu);
	if (record->id)
		put_id(sampler, at, record->id);
	tprof_lane_end(lane);
	return true;
}

/**
 * tprof_sideband_write - write a record into the ring of this CPU
 * @sampler:	event that gives the record its id, clock and trailer
 * @record:	record to write; its size and time are set here
 *
 * Context: any but NMI.
 * Return: true if the record was written; false if the ring was full or the CPU has no
 * lane. The loss is counted unless @record->is_extra or @record->is_retried.
 */
bool tprof_sideband_write(const struct tprof_sampler *sampler,
			  const struct tprof_sideband *record)
{
	struct tprof_lane *lane;
	bool is_written;

	preempt_disable();
	lane = tprof_stream_lane(sampler->stream);
	is_written = lane && write_record(sampler, record, lane);
	if (is_written || !(record->is_extra || record->is_retried))
		count_record(sampler->stream, lane, is_written);
	if (is_written && record->is_urgent)
		tprof_lane_request_urgent_flush(lane);
	preempt_enable();
	return is_written;
}

/**
 * tprof_sideband_lose - count the loss of a record that could not be built or written
 * @sampler:	event that the record would belong to
 *
 * Context: any but NMI.
 */
void tprof_sideband_lose(const struct tprof_sampler *sampler)
{
	preempt_disable();
	count_record(sampler->stream, tprof_stream_lane(sampler->stream), false);
	preempt_enable();
}
