/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the reader: serves read(2), poll(2), mmap(2) and ADVANCE with whole records
 *
 * Context: process. The read lock of the stream admits one reader at a time, so
 * two threads that share a stream never get the same record.
 */
#ifndef TPROF_READER_H
#define TPROF_READER_H

#include <linux/poll.h>
#include <linux/types.h>

struct tprof_lx_span;
struct tprof_stream;
struct vm_area_struct;

bool tprof_reader_is_at_end(struct tprof_stream *stream);
ssize_t tprof_reader_read(struct tprof_stream *stream, char __user *buf,
			  size_t bytes, bool nonblock);
int tprof_reader_advance(struct tprof_stream *stream, struct tprof_lx_span *span);
int tprof_reader_end_mmap(struct tprof_stream *stream);
int tprof_reader_mmap(struct tprof_stream *stream, struct vm_area_struct *vma);
__poll_t tprof_reader_poll(struct tprof_stream *stream, struct file *file,
			   poll_table *table);

#endif /* TPROF_READER_H */
