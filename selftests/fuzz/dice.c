// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - random numbers for a fuzzer
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/dice.h"

#define PAGE	4096

static char *edge_make(void)
{
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE))
		return NULL;
	return pages + PAGE;
}

/* Seed @dice, for the first time or again. Return 0, or -1 with errno set. */
int dice_init(struct dice *dice, unsigned int seed)
{
	char *edge = dice->edge ?: edge_make();

	memset(dice, 0, sizeof(*dice));
	dice->edge = edge;
	dice->first_seed = seed;
	return edge ? 0 : -1;
}

/*
 * Seed @dice for call @nth. rand_r() returns similar numbers for adjacent seeds, so
 * mix all bits.
 */
void dice_begin(struct dice *dice, unsigned long nth)
{
	unsigned int seed = dice->first_seed + nth;

	seed = (seed ^ seed >> 16) * 0x85ebca6b;
	seed = (seed ^ seed >> 13) * 0xc2b2ae35;
	dice->seed = seed ^ seed >> 16;
}

unsigned int dice_roll(struct dice *dice, unsigned int sides)
{
	return rand_r(&dice->seed) % sides;
}

/*
 * Choose one of @nr entries of a table at random, by weight. @weight points to the
 * weight of the first entry; entries are @stride bytes apart.
 */
size_t dice_pick(struct dice *dice, const unsigned int *weight, size_t stride, size_t nr)
{
	const char *first = (const char *)weight;
	unsigned int all = 0, at;
	size_t i;

	for (i = 0; i < nr; i++)
		all += *(const unsigned int *)(first + i * stride);
	at = dice_roll(dice, all);
	for (i = 0; at >= *(const unsigned int *)(first + i * stride); i++)
		at -= *(const unsigned int *)(first + i * stride);
	return i;
}

/* Return a number that is an edge case, a valid pointer, or random. */
__u64 dice_value(struct dice *dice)
{
	switch (dice_roll(dice, 8)) {
	case 0:
		return 0;
	case 1:
		return dice_roll(dice, 64);
	case 2:
		return 1ULL << dice_roll(dice, 64);
	case 3:
		return (1ULL << dice_roll(dice, 64)) - 1;
	case 4:
		return (unsigned long)dice->list;
	case 5:
		return (unsigned long)dice->attr;
	case 6:
		return getpid();
	default:
		return (__u64)rand_r(&dice->seed) << dice_roll(dice, 33);
	}
}

/* Overwrite up to three words of the @bytes bytes at @to with random values. */
void dice_spoil(struct dice *dice, char *to, size_t bytes)
{
	for (unsigned int n = dice_roll(dice, 4); n; n--) {
		__u64 value = dice_value(dice);
		size_t at = dice_roll(dice, bytes / 4) * 4;

		memcpy(to + at, &value, at + 8 <= bytes ? 8 : 4);
	}
}
