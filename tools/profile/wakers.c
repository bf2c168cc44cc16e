// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - join waits with the wakeups that ended them
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/wakers.h"

/**
 * struct mark - the node of a call tree above the chain of a waker
 * @symbol:	its name is @text
 * @text:	"[woken by NAME]"
 */
struct mark {
	struct symbol symbol;
	char	text[64];
};

/*
 * Note that a task has woken thread @tid. Return 0 or -ENOMEM.
 *
 * @name: name of the task
 * @spot: where the task was
 * @chain: call chain of the task, with its functions; may be empty
 */
int wakers_note(struct wakers *wakers, u32 tid, const char *name, const struct spot *spot,
		const struct chain *chain)
{
	struct waker *waker = hash_table_get(&wakers->table, tid, sizeof(*waker));
	struct spot *frames;

	if (!waker)
		return -ENOMEM;
	waker->tid = tid;
	waker->is_new = false;
	if ((size_t)chain->nr > waker->room) {
		frames = reallocarray(waker->frames, chain->nr, sizeof(*frames));
		if (!frames)
			return -ENOMEM;
		waker->frames = frames;
		waker->room = chain->nr;
	}
	if (chain->nr)
		memcpy(waker->frames, chain->frames, chain->nr * sizeof(*chain->frames));
	waker->nr = chain->nr;
	waker->spot = *spot;
	waker->name = name;
	waker->is_new = true;
	wakers->nr_noted++;
	return 0;
}

/*
 * Return what has woken thread @tid since the last call, or NULL if nothing has. The result is
 * valid until the next call of wakers_note().
 */
const struct waker *wakers_take(struct wakers *wakers, u32 tid)
{
	struct waker *waker = hash_table_find(&wakers->table, hash_number(tid), NULL, NULL);

	if (!waker || !waker->is_new)
		return NULL;
	waker->is_new = false;
	return waker;
}

/* Return the node of a call tree that names the waker. Return NULL if out of memory. */
static struct symbol *get_mark(struct wakers *wakers, const char *name)
{
	struct mark *mark = hash_table_get(&wakers->marks, (uintptr_t)name, sizeof(*mark));

	if (!mark)
		return NULL;
	if (!mark->symbol.name) {
		snprintf(mark->text, sizeof(mark->text), "[woken by %s]", name);
		mark->symbol.name = mark->text;
		mark->symbol.plain = true;
	}
	return &mark->symbol;
}

/*
 * Put a mark and the call chain of @waker before the frames of @chain, outermost function first:
 * in a tree that begins with callers, the callers of the waker are below its callees. Return
 * the number of frames that were put there, or -ENOMEM.
 */
int wakers_put_first(struct wakers *wakers, const struct waker *waker, struct chain *chain)
{
	const struct spot *frames = waker->nr ? waker->frames : &waker->spot;
	size_t nr = waker->nr ? waker->nr : 1, room = FRAMES_MAX - chain->nr, i;
	struct symbol *mark = get_mark(wakers, waker->name);
	struct spot *at = chain->frames;

	if (!mark)
		return -ENOMEM;
	if (!room)
		return 0;
	nr = nr < room - 1 ? nr : room - 1;
	memmove(at + nr + 1, at, chain->nr * sizeof(*at));
	for (i = 0; i < nr; i++)
		at[i] = frames[nr - 1 - i];
	at[nr] = waker->spot;
	at[nr].symbol = mark;
	chain->nr += nr + 1;
	return nr + 1;
}

static void free_waker(void *entry)
{
	struct waker *waker = entry;

	free(waker->frames);
	free(waker);
}

void wakers_free(struct wakers *wakers)
{
	hash_table_free(&wakers->table, free_waker);
	hash_table_free(&wakers->marks, free);
}
