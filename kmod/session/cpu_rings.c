// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which CPUs of a session have rings of which size
 *
 * Each online CPU has a ring: any task can fork, execute or map a file there and move to a
 * sampled CPU later, and any task can write a mark. But only CPUs on which the session samples
 * have rings of the full size:
 *
 *   outside the session's set, or no target may run
 *   there when the session starts			SPARE_BYTES
 *   others						the size of CONFIG
 *
 * If a target gets other CPUs later, or ATTACH adds one that has others, the rings there are
 * small. A ring of SPARE_BYTES has room for any record, and requests a flush in time.
 *
 * Without a size in CONFIG, the rings of a session of processes share DEFAULT_RINGS rings of the
 * default size, but none is below SPARE_BYTES. A thread runs on one CPU at a time, so the processes
 * write more than on few CPUs only if that many threads run at once.
 *
 * Context: process, under the session lock.
 */
#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/minmax.h>

#include "session/cpu_rings.h"
#include "stream/stream.h"

/* For a record of any length, up to 64 KiB. */
#define SPARE_BYTES	(128UL << 10)
#define DEFAULT_RINGS	32

/**
 * tprof_cpu_ring_bytes - return the size of a CPU's ring
 * @crew:	events of a session, after tprof_cpu_choose_rings()
 * @cpu:	CPU
 *
 * Return: size in bytes, a power of two.
 */
unsigned long tprof_cpu_ring_bytes(const struct tprof_crew *crew, int cpu)
{
	unsigned long bytes = crew->stream->ring_bytes;

	if (cpumask_test_cpu(cpu, crew->cpus) && cpumask_test_cpu(cpu, crew->hosts))
		return crew->ring_bytes;
	return min(bytes, SPARE_BYTES);
}

static bool is_small(const struct tprof_crew *crew, const struct tprof_lane *lane)
{
	return lane && lane->ring.bytes < tprof_cpu_ring_bytes(crew, lane->cpu);
}

static bool is_any_small(const struct tprof_crew *crew)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (is_small(crew, crew->stream->lanes[cpu]))
			return true;
	}
	return false;
}

/* Enlarge rings that are empty. */
static int enlarge_rings(struct tprof_crew *crew)
{
	struct tprof_stream *stream = crew->stream;
	struct tprof_lane **lanes = tprof_stream_hide_lanes(stream);
	int cpu, err = 0;

	for_each_possible_cpu(cpu) {
		if (!err && is_small(crew, lanes[cpu]))
			err = tprof_lane_enlarge(lanes[cpu], tprof_cpu_ring_bytes(crew, cpu),
						 &stream->locked);
	}
	tprof_stream_show_lanes(stream, lanes);
	return err;
}

/**
 * tprof_cpu_choose_rings - choose the sizes of rings before events start
 * @crew:	events of a session, none running, with @hosts set
 * @is_shared:	the rings share the memory of a few
 *
 * A session that is started again may sample a CPU more than before. If records are unread, its
 * rings stay; else small ones grow. No ring shrinks.
 *
 * Return: 0, -ENOMEM or -ENOBUFS.
 */
int tprof_cpu_choose_rings(struct tprof_crew *crew, bool is_shared)
{
	unsigned long bytes = crew->stream->ring_bytes;
	unsigned int cpu, nr = 0;

	for_each_cpu_and(cpu, crew->hosts, cpu_online_mask)
		nr += cpumask_test_cpu(cpu, crew->cpus);
	if (is_shared && nr > DEFAULT_RINGS)
		bytes = clamp(rounddown_pow_of_two(bytes * DEFAULT_RINGS / nr),
			      min(bytes, SPARE_BYTES), bytes);
	crew->ring_bytes = bytes;
	if (!tprof_stream_is_drained(crew->stream) || !is_any_small(crew))
		return 0;
	return enlarge_rings(crew);
}
