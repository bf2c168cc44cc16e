/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - take records from the module's queue
 *
 * If the module supports it, the queue is mapped, so that records need not be copied.
 * Otherwise they are read with read(2).
 */
#ifndef TPROF_DEVICE_QUEUE_H
#define TPROF_DEVICE_QUEUE_H

#include <sys/types.h>

#include "live/device.h"

/* Largest number of bytes that device_queue_next() returns. */
#define DEVICE_QUEUE_BUFFER	(1U << 20)

/**
 * struct device_queue - the queue of a session
 * @device:	file descriptor of the session, with O_NONBLOCK
 * @buffer:	buffer for read(2)
 * @map:	the mapped queue, or NULL
 * @map_bytes:	size of @map
 * @span:	the records that device_queue_next() has returned from @map
 */
struct device_queue {
	int	device;
	u8	*buffer;
	const u8 *map;
	size_t	map_bytes;
	struct tprof_lx_span span;
};

int device_queue_begin(struct device_queue *queue, int device);
void device_queue_map(struct device_queue *queue, const struct tprof_lx_info *info,
		      u64 fifo_bytes);
ssize_t device_queue_next(struct device_queue *queue, const u8 **records);
void device_queue_end(struct device_queue *queue);

#endif /* TPROF_DEVICE_QUEUE_H */
