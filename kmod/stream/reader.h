/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the reader: serves read(2) and poll(2) with whole records
 *
 * Context: process. The read lock of the stream admits one reader at a time, so
 * two threads that share a stream never get the same record.
 */
#ifndef TPROF_READER_H
#define TPROF_READER_H

#include <linux/poll.h>
#include <linux/types.h>

struct tprof_stream;

bool tprof_reader_is_at_end(struct tprof_stream *stream);
ssize_t tprof_reader_read(struct tprof_stream *stream, char __user *buf,
			  size_t bytes, bool nonblock);
__poll_t tprof_reader_poll(struct tprof_stream *stream, struct file *file,
			   poll_table *table);

#endif /* TPROF_READER_H */
