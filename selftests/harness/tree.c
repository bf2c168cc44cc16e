// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a known call tree
 */
#include "harness/common.h"
#include "harness/tree.h"

/* Without __builtin_frame_address(), the compiler sets up no frame in this leaf. */
OWN_SECTION(leaf) static __u64 leaf(__u64 value, unsigned int steps)
{
	asm volatile("" : : "r"(__builtin_frame_address(0)));
	while (steps--)
		value = value * 6364136223846793005ULL + 1;
	return value;
}

/* Add 1 after the call, so that the compiler cannot make it a tail call. */
OWN_SECTION(middle) static __u64 middle(__u64 value)
{
	return leaf(value, 100000) + 1;
}

OWN_SECTION(top) static __u64 top(__u64 value)
{
	return middle(value) + 1;
}

OWN_SECTION(deep) static __u64 deep(__u64 value, unsigned int depth)
{
	return depth ? deep(value, depth - 1) + 1 : top(value) + 1;
}

/* Store the result, so that the compiler cannot remove the work. */
static volatile __u64 work_result;

/*
 * Spend @ms milliseconds in leaf(). If @depth is not 0, top() is below @depth + 1
 * nested calls of deep().
 */
OWN_SECTION(root) void call_tree(unsigned int depth, unsigned int ms)
{
	__u64 end = now_ns() + ms * NSEC_PER_MSEC;

	do {
		work_result = depth ? deep(work_result, depth) :
				      top(work_result);
	} while (now_ns() < end);
}
