// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - sorting records by time
 *
 * Records are queued in the order in which the module writes them: in each round, the
 * module empties the rings of all CPUs, one after the other. The popped records are
 * compared with the queued ones.
 */
#include <linux/tprof_lx.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/queue.h"
#include "unit.h"

#define CPUS		7
#define ROUNDS		200

static struct chunk_pool pool;
static struct chunk *chunk;

/*
 * Queue a record that is at offset @number of the chunk. If records have equal times, the
 * one with the lower offset must be popped first.
 */
static void push(struct queue *queue, u64 time, u64 number)
{
	struct queued record = { .time = time, .event = number % QUEUE_MAX_EVENTS };

	record.record.data = chunk->data + number;
	record.record.chunk = chunk;
	if (queue_push(queue, &record))
		abort();
}

/**
 * struct check - the records that were popped so far
 * @last:	the last record
 * @nr:		number of records
 * @sorted:	all records were in order
 * @sum:	sum of the records' offsets
 */
struct check {
	struct queued last;
	u64 nr;
	bool sorted;
	u64 sum;
};

static void pop_all(struct queue *queue, struct check *check)
{
	struct queued record;

	while (queue_pop(queue, &record)) {
		if (check->nr && (record.time < check->last.time ||
				  (record.time == check->last.time &&
				   record.record.offset <
				   check->last.record.offset)))
			check->sorted = false;
		check->last = record;
		check->nr++;
		check->sum += record.record.offset;
		if (record.event != record.record.offset % QUEUE_MAX_EVENTS ||
		    record.record.data != chunk->data + record.record.offset)
			check->sorted = false;
		chunk_put(&pool, record.record.chunk);
	}
}

/*
 * A round empties one ring after the other. In each ring, it finds the records that were
 * written since the previous round emptied that ring.
 */
static void test_rounds(void)
{
	u64 from[CPUS], now = 1000, number = 0, most = 0;
	struct check check = { .sorted = true };
	struct queue queue;

	queue_init(&queue, &pool, 1 << 20);
	for (int cpu = 0; cpu < CPUS; cpu++)
		from[cpu] = now;
	for (int round = 0; round < ROUNDS; round++) {
		for (int cpu = 0; cpu < CPUS; cpu++) {
			u64 time = from[cpu];

			now += random() % 50;
			for (; time < now; time += random() % 20)
				push(&queue, time, number++);
			from[cpu] = now;
		}
		now += random() % 200;
		queue_finish_round(&queue);
		if (queue.nr > most)
			most = queue.nr;
		pop_all(&queue, &check);
	}
	unit_ok(check.nr > number / 2, "rounds release records");
	unit_ok(most < number / 20, "only the records of a few rounds wait");
	queue_finish(&queue);
	pop_all(&queue, &check);
	unit_ok(check.sorted,
		"records are released in order, equal times as in the file");
	unit_ok(check.nr == number && check.sum == number * (number - 1) / 2,
		"every record is released once");
	unit_ok(!queue.nr_late, "no record is late");
	queue_free(&queue);
	unit_ok(chunk->users == 1, "all chunks are released");
}

static void test_limit(void)
{
	struct check check = { .sorted = true };
	struct queue queue;
	u64 number;

	queue_init(&queue, &pool, 64);
	for (number = 0; number < 1000; number++) {
		push(&queue, 10 * (number ^ 3), number);
		pop_all(&queue, &check);
	}
	unit_ok(queue.nr <= 64 && check.nr >= 900 && check.sorted,
		"without rounds the older half is released at the limit");
	push(&queue, 1, number++);
	unit_ok(queue.nr_late == 1, "a record that is late is counted");
	queue_finish(&queue);
	pop_all(&queue, &check);
	unit_ok(check.nr == number, "the end releases all records");
	queue_free(&queue);
}

static void test_free(void)
{
	struct queue queue;
	struct queued record;

	queue_init(&queue, &pool, 64);
	for (int i = 0; i < 10; i++)
		push(&queue, 10 - i, i);
	queue_finish(&queue);
	queue_pop(&queue, &record);
	unit_ok(record.time == 1 && record.record.offset == 9,
		"records in reverse order are sorted");
	chunk_put(&pool, record.record.chunk);
	queue_free(&queue);
	unit_ok(chunk->users == 1, "freeing a queue releases its records");
}

/*
 * Queue four samples and a COMM record, of 8 bytes each. The third sample waits for its
 * deferred chain.
 */
static void test_lend(void)
{
	static const struct perf_event_header headers[] = {
		{ PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 },
		{ PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, 8 },
		{ PERF_RECORD_SAMPLE, TPROF_LX_MISC_CHAIN_DEFERRED, 8 },
		{ PERF_RECORD_SAMPLE, 0, 8 },
		{ PERF_RECORD_COMM, 0, 8 },
	};
	struct lent_sample samples[8];
	struct queue queue;
	struct queued record;

	memcpy(chunk->data, headers, sizeof(headers));
	queue_init(&queue, &pool, 64);
	/* Queue the newest record first. */
	for (int i = ARRAY_SIZE(headers) - 1; i >= 0; i--)
		push(&queue, 10 + i, 8 * i);
	unit_ok(!queue_lend(&queue, samples, 8), "a record that is not ready is not lent");
	queue_finish(&queue);
	unit_ok(queue_lend(&queue, samples, 1) == 1, "no more samples are lent than asked for");
	unit_ok(queue_lend(&queue, samples, 8) == 2 && samples[1].time == 11 &&
		samples[1].event == 8 && samples[1].data == chunk->data + 8 &&
		queue_offset(&queue, 1) == 8,
		"samples are lent up to one that is not complete");
	queue_drop(&queue, 2);
	unit_ok(!queue_lend(&queue, samples, 8) && queue.gone == 11,
		"a sample that is not complete is not lent");
	queue_pop(&queue, &record);
	chunk_put(&pool, record.record.chunk);
	unit_ok(record.time == 12 && queue_lend(&queue, samples, 8) == 1,
		"samples are lent up to a record of another type");
	push(&queue, 1, 0);
	unit_ok(queue.nr_late == 1, "a record older than a lent sample is late");
	queue_free(&queue);
	unit_ok(chunk->users == 1, "dropped samples release their chunk");
}

/*
 * The file offset of a decompressed record must be that of the compressed record that
 * contained it.
 */
static void test_origins(void)
{
	struct chunk *packed = chunk_alloc(&pool);

	packed->offset = 1000;
	unit_ok(chunk_offset(packed, 24) == 1024, "a record's offset is that of its chunk and its place");
	if (chunk_add_origin(packed, 8, 500) || chunk_add_origin(packed, 16, 500) ||
	    chunk_add_origin(packed, 64, 700))
		abort();
	unit_ok(packed->nr_origins == 2 && chunk_offset(packed, 8) == 500 &&
		chunk_offset(packed, 56) == 500 && chunk_offset(packed, 64) == 700 &&
		chunk_offset(packed, 4096) == 700,
		"a decompressed record's offset is that of the compressed record");
	chunk_put(&pool, packed);
	packed = chunk_alloc(&pool);
	unit_ok(!packed->nr_origins && chunk_offset(packed, 8) == 8, "a reused chunk has no origins");
	chunk_put(&pool, packed);
}

int main(void)
{
	srandom(1);
	chunk = chunk_alloc(&pool);
	if (!chunk)
		abort();
	test_rounds();
	test_limit();
	test_free();
	test_lend();
	test_origins();
	chunk_put(&pool, chunk);
	unit_ok(!pool.nr_used, "no chunk is in use at the end");
	chunk_pool_free(&pool);
	return unit_exit();
}
