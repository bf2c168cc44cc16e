/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - random numbers for a fuzzer
 *
 * Each thread has its own struct dice. The same seed repeats the same calls. Each call
 * has its own seed, so the result of a call does not affect the calls after it.
 */
#ifndef TPROF_FUZZ_DICE_H
#define TPROF_FUZZ_DICE_H

#include <stddef.h>

#include <linux/types.h>

/*
 * Size of @list: maximum number of entries of an ioctl's list * maximum size of an entry.
 * With this size, an ioctl never writes beyond the end of @list, whatever numbers
 * dice_spoil() wrote to its argument.
 */
#define DICE_LIST_BYTES	(128 * 4096)

/**
 * struct dice - random numbers of a thread, and buffers for its calls
 * @first_seed:	seed of the thread
 * @seed:	state of rand_r()
 * @edge:	end of a page below 4 GiB; the page after it is not accessible
 * @arg:	argument of an ioctl
 * @attr:	attr that the argument of EVENT points to
 * @list:	memory that other arguments point to
 */
struct dice {
	unsigned int	first_seed;
	unsigned int	seed;
	char		*edge;
	char		arg[512];
	char		attr[512];
	char		list[DICE_LIST_BYTES];
};

int dice_init(struct dice *dice, unsigned int seed);
void dice_begin(struct dice *dice, unsigned long nth);
unsigned int dice_roll(struct dice *dice, unsigned int sides);
size_t dice_pick(struct dice *dice, const unsigned int *weight, size_t stride, size_t nr);
__u64 dice_value(struct dice *dice);
void dice_spoil(struct dice *dice, char *to, size_t bytes);

#endif /* TPROF_FUZZ_DICE_H */
