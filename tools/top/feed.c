// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - read the records of a session in a thread, and count the samples by call stack
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "base/thread.h"
#include "live/ending.h"
#include "top/feed.h"

/* Let the opener open the binaries that were mapped since the last call. */
static void show_binaries(struct feed *feed)
{
	const struct objects *objects = &feed->gather.world.objects;
	const struct object *object;
	size_t at = 0;

	if (!feed->source.opener || objects->nr == feed->nr_seen)
		return;
	while ((object = hash_table_next(&objects->table, &at))) {
		if (object->number >= feed->nr_seen && object->kind == OBJECT_FILE)
			opener_add(feed->source.opener, object->pid, object->name,
				   &object->build_id);
	}
	feed->nr_seen = objects->nr;
}

static void give(struct feed *feed, struct harvest *harvest)
{
	*feed->last = harvest;
	feed->last = &harvest->next;
	feed->nr++;
}

static void describe_kernel(struct harvest *harvest, const struct world *world)
{
	const struct kernel_symbols *kernel = &world->objects.sources.kernel;

	harvest->kernel_text = kernel->text;
	harvest->kernel_id = kernel->build_id;
	harvest->kernel_release = kernel->release;
}

/*
 * Make a harvest of all stacks. The subjects go with it, so that their number is that of one
 * interval.
 */
static struct harvest *reap(struct feed *feed)
{
	struct gather *gather = &feed->gather;
	struct harvest *harvest = calloc(1, sizeof(*harvest));
	const struct stack *stack;
	size_t i;

	if (!harvest)
		return NULL;
	for (i = 0; i < gather->nr_profiles && i < ARRAY_SIZE(harvest->profiles); i++)
		harvest->profiles[i] = gather->profiles[i];
	for (i = 0; i < gather->stacks.table.nr; i++) {
		stack = gather->stacks.list[i];
		harvest->samples += stack->samples;
		if (stack_spot(stack->frames).is_kernel)
			harvest->kernel += stack->samples;
	}
	describe_kernel(harvest, &gather->world);
	harvest->stacks = gather->stacks;
	gather->stacks = (struct stacks){ 0 };
	harvest->subjects = gather->hits.subjects;
	subjects_init(&gather->hits.subjects, &gather->keys, false);
	return harvest;
}

/* Hand over all stacks, or leave them out if too many harvests wait. See gather_options.settle. */
static int settle(struct gather *gather, void *arg)
{
	struct feed *feed = arg;
	struct harvest *harvest = reap(feed);
	u64 one = 1;
	bool is_given;
	int err;

	if (!harvest)
		return -ENOMEM;
	pthread_mutex_lock(&feed->lock);
	feed->nr_binaries_left_out = gather->world.objects.nr_left_out;
	is_given = feed->nr < FEED_MAX_HARVESTS;
	err = is_given ? tasks_renew_names(&gather->world.tasks, FEED_MAX_NAMES,
					   &harvest->old_names) : 0;
	if (is_given)
		give(feed, harvest);
	else
		feed->left_out += harvest->samples;
	pthread_mutex_unlock(&feed->lock);
	if (!is_given)
		harvest_free(harvest);
	if (write(feed->ready, &one, sizeof(one)) < 0 && !err)
		err = -errno;
	return err;
}

/* At the end of an interval, hand its stacks over. */
static int tick(struct feed *feed)
{
	u64 now = monotonic_ns();

	if (now < feed->due)
		return 0;
	feed->due += feed->interval;
	/* An interval that nothing was read in for long is longer. */
	if (feed->due <= now)
		feed->due = now + feed->interval;
	return gather_settle_stacks(&feed->gather);
}

/* Wait for records, for the end of the interval, or for feed_end(). Return true for feed_end(). */
static bool wait_for_records(struct feed *feed)
{
	struct pollfd fds[] = {
		{ .fd = feed->source.fd, .events = POLLIN },
		{ .fd = feed->wake, .events = POLLIN },
	};

	if (poll(fds, ARRAY_SIZE(fds), ending_timeout(feed->due)) < 0)
		return errno != EINTR;
	return fds[1].revents;
}

/*
 * The function input.read of the reader. It is called between two records, so it may hand over
 * all stacks.
 */
static ssize_t read_records(struct input *input, void *to, size_t room)
{
	struct feed *feed = (struct feed *)((char *)input - offsetof(struct feed, reader.input));
	ssize_t len;
	int err;

	show_binaries(feed);
	for (;;) {
		if (atomic_load(&feed->is_stopping))
			return 0;
		err = tick(feed);
		if (err)
			return err;
		if (feed->len)
			break;
		len = feed->source.next(feed->source.arg, &feed->records);
		if (len > 0)
			feed->len = len;
		else if (len != -EAGAIN && len != -EINTR)
			return len;
		else if (wait_for_records(feed))
			return 0;
	}
	room = feed->len < room ? feed->len : room;
	memcpy(to, feed->records, room);
	feed->records += room;
	feed->len -= room;
	return room;
}

static void *run(void *arg)
{
	struct feed *feed = arg;
	int err = gather_all(&feed->gather, &feed->reader);
	u64 one = 1;

	pthread_mutex_lock(&feed->lock);
	feed->has_ended = true;
	feed->err = err;
	pthread_mutex_unlock(&feed->lock);
	if (write(feed->ready, &one, sizeof(one)) < 0)
		return NULL;
	return NULL;
}

static int add_events(struct feed *feed)
{
	const struct feed_source *source = &feed->source;
	struct reader *reader = &feed->reader;
	int err = 0;
	u32 i;

	for (i = 0; i < source->nr_events && !err; i++) {
		err = reader_add_event(reader, &source->events[i].attr,
				       sizeof(source->events[i].attr));
		if (!err)
			err = reader_add_id(reader, source->events[i].id, i);
		if (!err)
			snprintf(reader->events[i].name, sizeof(reader->events[i].name), "%s",
				 source->events[i].name);
	}
	return err;
}

static int prepare(struct feed *feed, const struct profile_keys *keys)
{
	const struct symbol_options no_symbols = { 0 };
	int err;

	feed->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	feed->ready = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (feed->wake < 0 || feed->ready < 0)
		return -errno;
	features_add_host(&feed->reader.features);
	err = features_err(&feed->reader.features);
	if (!err)
		err = add_events(feed);
	/* With trees, all samples are counted by call stack. */
	feed->options = (struct gather_options){ .keys = *keys, .trees = true, .settle = settle,
						 .arg = feed };
	if (!err)
		err = gather_init(&feed->gather, &feed->options, &no_symbols, &feed->reader);
	feed->gather.world.tasks.forgets = true;
	feed->gather.world.objects.max = FEED_MAX_BINARIES;
	return err;
}

/*
 * Start the thread. What @source refers to must outlive the feed. Return 0 or -errno; call
 * feed_end() in any case.
 */
int feed_begin(struct feed *feed, const struct feed_source *source,
	       const struct profile_keys *keys, u64 interval)
{
	int err;

	*feed = (struct feed){ .source = *source, .interval = interval, .records = source->first,
			       .len = source->first_len, .due = monotonic_ns() + interval,
			       .wake = -1, .ready = -1, .lock = PTHREAD_MUTEX_INITIALIZER,
			       .last = &feed->first };
	reader_begin(&feed->reader, -1);
	feed->reader.input.read = read_records;
	err = prepare(feed, keys);
	if (!err)
		err = thread_start(&feed->thread, run, feed);
	feed->is_running = !err;
	return err;
}

/* Remove the oldest harvest, and return it. */
static struct harvest *take_oldest(struct feed *feed)
{
	struct harvest *harvest = feed->first;

	feed->first = harvest->next;
	feed->nr--;
	if (!feed->first)
		feed->last = &feed->first;
	return harvest;
}

/* Return the oldest harvest, or NULL. The caller frees it, oldest first, by harvest_free(). */
struct harvest *feed_take(struct feed *feed)
{
	struct harvest *harvest = NULL;

	pthread_mutex_lock(&feed->lock);
	if (feed->first)
		harvest = take_oldest(feed);
	pthread_mutex_unlock(&feed->lock);
	return harvest;
}

/*
 * If there is no room for another harvest, leave out the samples of the oldest one. The user
 * wants them to be, because the tables are paused.
 */
void feed_make_room(struct feed *feed)
{
	struct harvest *harvest = NULL;

	pthread_mutex_lock(&feed->lock);
	if (feed->nr == FEED_MAX_HARVESTS) {
		harvest = take_oldest(feed);
		feed->passed_over += harvest->samples;
	}
	pthread_mutex_unlock(&feed->lock);
	if (harvest)
		harvest_free(harvest);
}

void harvest_free(struct harvest *harvest)
{
	stacks_free(&harvest->stacks);
	subjects_free(&harvest->subjects);
	interned_free(&harvest->old_names);
	free(harvest);
}

/* Return true if the thread reads no more records. Set @err to the reason, 0 for the end. */
bool feed_has_ended(struct feed *feed, int *err)
{
	bool has_ended;

	pthread_mutex_lock(&feed->lock);
	has_ended = feed->has_ended && !feed->nr;
	*err = feed->err;
	pthread_mutex_unlock(&feed->lock);
	return has_ended;
}

/* End the thread. */
void feed_stop(struct feed *feed)
{
	u64 one = 1;

	atomic_store(&feed->is_stopping, true);
	if (feed->is_running && write(feed->wake, &one, sizeof(one)) == sizeof(one))
		pthread_join(feed->thread, NULL);
	feed->is_running = false;
}

/* End the thread if it runs, and free all. */
void feed_end(struct feed *feed)
{
	struct harvest *harvest;

	feed_stop(feed);
	while ((harvest = feed_take(feed)))
		harvest_free(harvest);
	gather_free(&feed->gather);
	reader_close(&feed->reader);
	if (feed->wake >= 0)
		close(feed->wake);
	if (feed->ready >= 0)
		close(feed->ready);
}
