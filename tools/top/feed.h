/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx top - read the records of a session in a thread, and count the samples by call stack
 *
 * The thread looks up binaries but not functions, so it never waits for symbols. At the end of
 * each interval it hands its stacks over, as a struct harvest.
 */
#ifndef TPROF_FEED_H
#define TPROF_FEED_H

#include <pthread.h>
#include <stdatomic.h>

#include "profile/gather.h"
#include "session/opener.h"

/* Maximum number of binaries, of names of threads, and of harvests that wait. */
#define FEED_MAX_BINARIES	16384
#define FEED_MAX_NAMES		65536
#define FEED_MAX_HARVESTS	8

/**
 * struct harvest - the samples of an interval
 * @next:	the next harvest, or NULL
 * @stacks:	the samples, by call stack
 * @subjects:	subjects of @stacks
 * @old_names:	names of threads that only @stacks and earlier harvests refer to
 * @profiles:	profiles that @stacks refer to, by index of the event; NULL for an event that has
 *		had no sample
 * @kernel_text: address of the kernel's _text, 0 if unknown
 * @kernel_id:	build-id of the kernel
 * @kernel_release: release of the kernel, or NULL
 * @samples:	number of samples
 * @kernel:	number of those in the kernel
 */
struct harvest {
	struct harvest *next;
	struct stacks stacks;
	struct subjects subjects;
	struct interned old_names;
	const struct profile *profiles[TPROF_LX_MAX_EVENTS];
	u64	kernel_text;
	struct build_id kernel_id;
	const char *kernel_release;
	u64	samples;
	u64	kernel;
};

/**
 * struct feed_source - where a feed gets records
 * @next:	finds the next records, as device_queue_next() does
 * @arg:	argument of @next
 * @fd:		readable if there are records
 * @first:	records that come before those of @next
 * @first_len:	bytes in @first
 * @events:	the events
 * @nr_events:	number of @events
 * @opener:	gets each binary when it is first mapped, or NULL
 */
struct feed_source {
	ssize_t	(*next)(void *arg, const u8 **records);
	void	*arg;
	int	fd;
	const void *first;
	size_t	first_len;
	const struct perfdata_event *events;
	u32	nr_events;
	struct opener *opener;
};

/**
 * struct feed - the thread
 * @source:	where the records come from
 * @interval:	length of an interval in ns
 * @options:	options of @gather
 * @reader:	reads the records
 * @gather:	the world, and the samples of the current interval
 * @records:	records that @reader has not got yet
 * @len:	bytes in @records
 * @due:	end of the current interval, by CLOCK_MONOTONIC
 * @nr_seen:	number of binaries that @source.opener has got
 * @thread:	the thread
 * @is_running:	the thread was started
 * @is_stopping: the thread must end
 * @wake:	eventfd that makes the thread look at @is_stopping
 * @ready:	eventfd that is readable when there is a harvest or the thread has ended
 * @lock:	protects all that follows
 * @first:	the oldest harvest, or NULL
 * @last:	where the next harvest belongs
 * @nr:		number of harvests that wait
 * @left_out:	samples left out because FEED_MAX_HARVESTS waited
 * @passed_over: samples left out because the tables were paused
 * @nr_binaries_left_out: mappings of binaries beyond FEED_MAX_BINARIES
 * @has_ended:	the thread reads no more records
 * @err:	why it has ended, 0 at the end of the session
 */
struct feed {
	struct feed_source source;
	u64	interval;
	struct gather_options options;
	struct reader reader;
	struct gather gather;
	const u8 *records;
	size_t	len;
	u64	due;
	u32	nr_seen;
	pthread_t thread;
	bool	is_running;
	atomic_bool is_stopping;
	int	wake;
	int	ready;
	pthread_mutex_t lock;
	struct harvest *first;
	struct harvest **last;
	u32	nr;
	u64	left_out;
	u64	passed_over;
	u64	nr_binaries_left_out;
	bool	has_ended;
	int	err;
};

int feed_begin(struct feed *feed, const struct feed_source *source,
	       const struct profile_keys *keys, u64 interval);
struct harvest *feed_take(struct feed *feed);
void feed_make_room(struct feed *feed);
void harvest_free(struct harvest *harvest);
bool feed_has_ended(struct feed *feed, int *err);
void feed_stop(struct feed *feed);
void feed_end(struct feed *feed);

#endif /* TPROF_FEED_H */
