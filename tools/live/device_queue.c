// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - take records from the module's queue
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "live/device_queue.h"
#include "perfdata/record_types.h"

/* Prepare @queue for device_queue_next(). Return 0 or -ENOMEM. */
int device_queue_begin(struct device_queue *queue, int device)
{
	*queue = (struct device_queue){ .device = device,
					.buffer = malloc(DEVICE_QUEUE_BUFFER) };
	return queue->buffer ? 0 : -ENOMEM;
}

/*
 * Map the queue, which the session has after its first START. If that fails,
 * device_queue_next() uses read(2).
 */
void device_queue_map(struct device_queue *queue, const struct tprof_lx_info *info,
		      u64 fifo_bytes)
{
	size_t bytes = 2 * fifo_bytes;
	void *map;

	if (!(info->features & TPROF_LX_FEATURE_MAPPING))
		return;
	map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, queue->device, 0);
	if (map == MAP_FAILED)
		return;
	queue->map = map;
	queue->map_bytes = bytes;
}

/*
 * Remove the records that the last call returned, and find the next ones. They stay valid
 * until the next call. Set @records, and return their length, or 0 at the end of the
 * stream; -EAGAIN if no record is available now; another -errno.
 */
ssize_t device_queue_next(struct device_queue *queue, const u8 **records)
{
	ssize_t len;
	int err;

	if (!queue->map) {
		*records = queue->buffer;
		len = read(queue->device, queue->buffer, DEVICE_QUEUE_BUFFER);
		return len < 0 ? -errno : len;
	}
	err = device_advance(queue->device, &queue->span);
	if (err)
		return err;
	*records = queue->map + queue->span.offset;
	/* If the output is slow, the module gets back the space of each part early. */
	if (queue->span.bytes > DEVICE_QUEUE_BUFFER)
		queue->span.bytes = record_whole_bytes(*records, DEVICE_QUEUE_BUFFER);
	if (queue->span.bytes)
		return queue->span.bytes;
	return queue->span.is_end ? 0 : -EAGAIN;
}

/* Unmap the queue. A session whose queue is mapped does not end with close(2). */
void device_queue_end(struct device_queue *queue)
{
	if (queue->map)
		munmap((void *)queue->map, queue->map_bytes);
	free(queue->buffer);
	queue->map = NULL;
	queue->buffer = NULL;
}
