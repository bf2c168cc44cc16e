// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - load the symbols of binaries in a thread
 */
#include <errno.h>
#include <stdlib.h>

#include "base/thread.h"
#include "symbols/object_load.h"
#include "top/own_use.h"
#include "top/resolver.h"

/* How long the end may wait for a file system or a server of debuginfod. */
#define END_PATIENCE	NSEC_PER_SEC

/* Load the symbols of a binary. Return false if the process has too much memory already. */
static bool load(struct resolver *resolver, struct object *object)
{
	if (own_memory() > RESOLVER_MAX_BYTES)
		return false;
	pthread_mutex_lock(&resolver->loading);
	object_load(&resolver->objects.sources, object);
	pthread_mutex_unlock(&resolver->loading);
	return true;
}

/* Serve all jobs until the end. The caller holds @lock. */
static void serve_all(struct resolver *resolver)
{
	struct object *object;
	bool is_loaded;

	while (!resolver->is_ending) {
		if (resolver->first == resolver->last) {
			pthread_cond_wait(&resolver->changed, &resolver->lock);
			continue;
		}
		object = resolver->jobs[resolver->first++ % FEED_MAX_BINARIES];
		pthread_mutex_unlock(&resolver->lock);
		is_loaded = load(resolver, object);
		pthread_mutex_lock(&resolver->lock);
		resolver->refused[resolver->nr_done] = !is_loaded;
		resolver->done[resolver->nr_done++] = object;
	}
}

static void *run(void *arg)
{
	struct resolver *resolver = arg;
	int err = resolver->settle();

	pthread_mutex_lock(&resolver->lock);
	if (!err)
		serve_all(resolver);
	resolver->has_ended = true;
	pthread_cond_broadcast(&resolver->changed);
	pthread_mutex_unlock(&resolver->lock);
	return NULL;
}

/* Start the thread, which first calls @settle to drop capabilities. Return 0 or -errno. */
int resolver_begin(struct resolver **resolver, const struct symbol_options *options,
		   int (*settle)(void))
{
	struct resolver *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	objects_init(&new->objects, options);
	new->settle = settle;
	pthread_mutex_init(&new->loading, NULL);
	pthread_mutex_init(&new->lock, NULL);
	pthread_cond_init(&new->changed, NULL);
	err = thread_start(&new->thread, run, new);
	if (err)
		free(new);
	else
		*resolver = new;
	return err;
}

/* Learn which kernel is sampled, from the first harvest, before its stacks are counted. */
void resolver_know_kernel(struct resolver *resolver, const struct harvest *harvest)
{
	struct kernel_symbols *kernel = &resolver->objects.sources.kernel;

	if (resolver->has_kernel || !harvest->kernel_release)
		return;
	kernel->text = harvest->kernel_text;
	kernel->build_id = harvest->kernel_id;
	kernel->release = harvest->kernel_release;
	resolver->has_kernel = true;
}

/* Let resolver_find() use what the thread has loaded so far. */
void resolver_note_done(struct resolver *resolver)
{
	u32 i;

	pthread_mutex_lock(&resolver->lock);
	for (i = 0; i < resolver->nr_done; i++) {
		resolver->states[resolver->done[i]->number] =
			resolver->refused[i] ? RESOLVER_REFUSED : RESOLVER_READY;
		resolver->nr_refused += resolver->refused[i];
	}
	resolver->nr_asked -= resolver->nr_done;
	resolver->nr_done = 0;
	pthread_mutex_unlock(&resolver->lock);
}

static void ask(struct resolver *resolver, struct object *object)
{
	resolver->states[object->number] = RESOLVER_ASKED;
	resolver->nr_asked++;
	pthread_mutex_lock(&resolver->lock);
	resolver->jobs[resolver->last++ % FEED_MAX_BINARIES] = object;
	pthread_cond_broadcast(&resolver->changed);
	pthread_mutex_unlock(&resolver->lock);
}

/* Return true if the binary has no symbols to load, or the feed's thread has loaded them. */
static bool is_complete(const struct object *object)
{
	return object->kind == OBJECT_MADE || object->kind == OBJECT_NOTHING ||
	       object->kind == OBJECT_JIT_DUMP;
}

/* The function gather_options.find, with a struct resolver as its argument. */
int resolver_find(void *arg, struct spot *spot)
{
	struct resolver *resolver = arg;
	struct object *object = spot->object;
	u8 *state = &resolver->states[object->number];

	if (*state == RESOLVER_UNKNOWN && is_complete(object))
		*state = RESOLVER_READY;
	if (*state == RESOLVER_UNKNOWN)
		ask(resolver, object);
	spot->symbol = *state == RESOLVER_READY ?
			       object_resolve(&resolver->objects, object, spot->addr) :
			       object_nowhere(object, spot->addr);
	return spot->symbol ? 0 : -ENOMEM;
}

/*
 * Let the caller use @resolver->objects, also for code and source lines, until
 * resolver_give_back(). Return false if the thread loads symbols: that may take long.
 */
bool resolver_borrow(struct resolver *resolver)
{
	return !pthread_mutex_trylock(&resolver->loading);
}

void resolver_give_back(struct resolver *resolver)
{
	pthread_mutex_unlock(&resolver->loading);
}

/*
 * End the thread. Return false if it does not end soon: it waits for a file system or a server,
 * and ends with the process. Then the binaries must not be freed.
 */
bool resolver_end(struct resolver **resolver)
{
	struct resolver *old = *resolver;
	bool has_ended;

	*resolver = NULL;
	if (!old)
		return true;
	pthread_mutex_lock(&old->lock);
	old->is_ending = true;
	pthread_cond_broadcast(&old->changed);
	has_ended = thread_wait(&old->changed, &old->lock, &old->has_ended, END_PATIENCE);
	pthread_mutex_unlock(&old->lock);
	if (!has_ended) {
		thread_abandon(old->thread);
		return false;
	}
	pthread_join(old->thread, NULL);
	objects_free(&old->objects);
	free(old);
	return true;
}
