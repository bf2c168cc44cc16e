/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the path of records from the rings to the reader
 *
 * A session has a lane for each CPU: the ring that this CPU writes and the counts that
 * belong to it. One worker per session visits all lanes and moves the records,
 * unchanged, into the fifo. The worker never drops a record: when the fifo is full, the
 * worker stops, and continues when the reader has freed space. If a ring is full in
 * that time, it refuses records, and its CPU counts them as lost.
 *
 * Context: lanes are written in any context on their CPU; the worker runs in process
 * context, never twice at a time; the reader runs under the read lock.
 */
#ifndef TPROF_STREAM_H
#define TPROF_STREAM_H

#include "stream/stream_types.h"

void tprof_stream_setup(struct tprof_stream *stream, tprof_stream_lost_t write_lost,
			tprof_stream_resume_t resume);
int tprof_stream_alloc(struct tprof_stream *stream);
void tprof_stream_free(struct tprof_stream *stream);
void tprof_stream_set_period(struct tprof_stream *stream, unsigned int period_ms);
bool tprof_stream_is_settled(const struct tprof_stream *stream, u32 index);
void tprof_stream_forget(struct tprof_stream *stream, u32 index);
int tprof_stream_add_lane(struct tprof_stream *stream, int cpu, unsigned long ring_bytes);
struct tprof_lane **tprof_stream_hide_lanes(struct tprof_stream *stream);
void tprof_stream_show_lanes(struct tprof_stream *stream, struct tprof_lane **lanes);
void tprof_stream_set_watermark(struct tprof_stream *stream, unsigned long watermark);

void tprof_stream_start(struct tprof_stream *stream);
void tprof_stream_stop(struct tprof_stream *stream);
void tprof_stream_kick(struct tprof_stream *stream);
int tprof_stream_flush(struct tprof_stream *stream, bool nonblock);

int tprof_stream_init(void);
void tprof_stream_uninit(void);

#endif /* TPROF_STREAM_H */
