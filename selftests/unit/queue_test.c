// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - sorting records by time
 *
 * Rings are filled at random, and emptied in rounds as in the module. The records that
 * come out of the queue are compared with the records that went in.
 */
#include <stdlib.h>
#include <string.h>

#include "perfdata/queue.h"
#include "unit.h"

#define CPUS		7
#define ROUNDS		200

static struct chunk_pool pool;
static struct chunk chunk = { .users = 1 };

/* Records of equal times must stay in the order of their offsets in the file. */
static void push(struct queue *queue, u64 time, u64 number)
{
	struct queued record = { .time = time };

	record.record.offset = number;
	record.record.chunk = &chunk;
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
		chunk_put(&pool, record.record.chunk);
	}
}

/*
 * A round empties one ring after the other. A ring then has the records written between
 * the moments when the previous round and this round reached it.
 */
static void test_rounds(void)
{
	u64 from[CPUS], now = 1000, number = 0, most = 0;
	struct check check = { .sorted = true };
	struct queue queue;

	queue_init(&queue, 1 << 20);
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
	queue_free(&queue, &pool);
	unit_ok(chunk.users == 1, "all chunks are released");
}

static void test_limit(void)
{
	struct check check = { .sorted = true };
	struct queue queue;
	u64 number;

	queue_init(&queue, 64);
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
	queue_free(&queue, &pool);
}

static void test_free(void)
{
	struct queue queue;
	struct queued record;

	queue_init(&queue, 64);
	for (int i = 0; i < 10; i++)
		push(&queue, 10 - i, i);
	queue_finish(&queue);
	queue_pop(&queue, &record);
	unit_ok(record.time == 1 && record.record.offset == 9,
		"records in reverse order are sorted");
	chunk_put(&pool, record.record.chunk);
	queue_free(&queue, &pool);
	unit_ok(chunk.users == 1, "freeing a queue releases its records");
}

int main(void)
{
	srandom(1);
	test_rounds();
	test_limit();
	test_free();
	return unit_exit();
}
