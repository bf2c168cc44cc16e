/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the call stacks of a running session, with samples that fade
 *
 * fading_turn() adds the stacks of the last interval. Unless the caller wants another way, it has
 * multiplied the weights of all older ones by 7/8 before, as perf top does. A stack whose samples
 * have faded away is forgotten, so the memory is that of the last intervals, and it is bounded.
 * Functions are not looked up here: fading_count() makes profiles, with the symbols that are
 * known then.
 */
#ifndef TPROF_FADING_H
#define TPROF_FADING_H

#include "profile/gather.h"

/* Threads with further names have the name FADING_UNNAMED. */
#define FADING_MAX_NAMES	65536
#define FADING_UNNAMED		"[unknown]"

/* Samples of stacks are counted in this unit, so that they can fade. */
#define FADING_UNIT	1024

/* What happens to samples of older intervals. */
enum fading_older {
	OLDER_FADE,		/* they count less in each interval */
	OLDER_DROP,		/* they are removed */
	OLDER_KEEP,		/* they count whole */
};

/**
 * struct fading - stacks that fade; set up with fading_init()
 * @keys:	keys of the profiles
 * @stacks:	the stacks; their samples have the unit 1 / FADING_UNIT
 * @subjects:	subjects of @stacks
 * @names:	names of threads in @subjects, and of threads before: these are keys of rows, and
 *		a screen may still show such a row or zoom into it
 * @max_bytes:	maximum of stacks.bytes
 * @left_out:	number of samples that were left out for lack of room
 */
struct fading {
	const struct profile_keys *keys;
	struct stacks stacks;
	struct subjects subjects;
	struct interned names;
	size_t	max_bytes;
	u64	left_out;
};

void fading_init(struct fading *fading, const struct profile_keys *keys);
int fading_turn(struct fading *fading, const struct stacks *fresh,
		enum fading_older older);
int fading_count(const struct fading *fading, struct gather *gather,
		 struct profile *(*profile_of)(void *arg, const struct profile *tag), void *arg);
void fading_free(struct fading *fading);

#endif /* TPROF_FADING_H */
