/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - where the chance of a fuzzer comes from
 *
 * Of each thread its own: the same seed throws the same again, and each throw has a
 * seed of its own, so that what answers made of one changes none that comes after it.
 */
#ifndef TPROF_FUZZ_DICE_H
#define TPROF_FUZZ_DICE_H

#include <stddef.h>

#include <linux/types.h>

/*
 * What an answer may fill, wherever in the dice a spoilt pointer leads: the most
 * entries that there are, each as large as may be.
 */
#define DICE_LIST_BYTES	(128 * 4096)

/**
 * struct dice - chance, and what is thrown
 * @first_seed:	of the thread
 * @seed:	of rand_r()
 * @edge:	end of a page below 4 GiB, behind which nothing can be read
 * @arg:	argument of an ioctl
 * @attr:	what EVENT may point to
 * @list:	what else may be pointed to
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
