// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - binaries that wait for their unwind tables
 */
#include "session/table_queue.h"
#include "unit.h"

static struct table_queue queue;

static bool put(int fd, u64 size)
{
	return table_queue_put(&queue, &(struct table_job){ .fd = fd, .size = size });
}

/* Take a binary out, and return its descriptor, or 0 if there is none. */
static int take(u64 largest)
{
	struct table_job job;

	return table_queue_take(&queue, largest, &job) ? job.fd : 0;
}

static void test_order(void)
{
	put(1, 30);
	put(2, 10);
	put(3, 20);
	unit_ok(take(100) == 2 && take(100) == 3 && take(100) == 1 && !take(100),
		"the_smallest_binary_is_next");
}

static void test_largest(void)
{
	put(1, 30);
	put(2, 40);
	unit_ok(!take(29) && queue.nr == 2, "a_binary_that_is_too_large_stays");
	put(3, 20);
	unit_ok(take(29) == 3 && !take(29) && take(30) == 1 && !take(30) && take(40) == 2,
		"a_large_binary_does_not_keep_a_small_one_waiting");
}

static void test_full(void)
{
	u64 size = 0;

	while (put(1, ++size))
		;
	unit_ok(queue.nr == TABLE_JOBS && size == TABLE_JOBS + 1, "a_full_queue_takes_no_more");
	unit_ok(take(~0ULL) && put(1, 1), "a_full_queue_has_room_after_a_binary_was_taken");
}

int main(void)
{
	test_order();
	test_largest();
	test_full();
	return unit_exit();
}
