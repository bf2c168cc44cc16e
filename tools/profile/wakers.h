/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - join waits with the wakeups that ended them
 *
 * A sample of a wakeup is of the task that wakes a thread, and has the id of that thread. It
 * belongs to the next sample of the thread's time off CPU.
 */
#ifndef TPROF_WAKERS_H
#define TPROF_WAKERS_H

#include "world/chain.h"

/**
 * struct waker - what woke a thread
 * @tid:	the thread
 * @is_new:	wakers_take() has not returned it yet
 * @name:	name of the task that woke it
 * @spot:	where the task was
 * @frames:	its call chain
 * @nr:		number of @frames
 * @room:	capacity of @frames
 */
struct waker {
	u32	tid;
	bool	is_new;
	const char *name;
	struct spot spot;
	struct spot *frames;
	size_t	nr;
	size_t	room;
};

/**
 * struct wakers - the last wakeup of each thread; empty if all members are zero
 * @table:	the wakeups, by thread
 * @marks:	a struct symbol for each name of a waker
 * @nr_noted:	number of samples of wakeups
 */
struct wakers {
	struct hash_table table;
	struct hash_table marks;
	u64	nr_noted;
};

int wakers_note(struct wakers *wakers, u32 tid, const char *name, const struct spot *spot,
		const struct chain *chain);
const struct waker *wakers_take(struct wakers *wakers, u32 tid);
int wakers_put_first(struct wakers *wakers, const struct waker *waker, struct chain *chain);
void wakers_free(struct wakers *wakers);

#endif /* TPROF_WAKERS_H */
