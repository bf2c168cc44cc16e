// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - give the module the unwind tables of mapped binaries, in two threads
 *
 * These threads have no capabilities, as they read whole binaries of other users. The opener has
 * opened them.
 */
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ordered_set.h"
#include "base/owner.h"
#include "base/thread.h"
#include "live/device.h"
#include "live/needed.h"
#include "perfdata/buildid.h"
#include "session/table_maker.h"
#include "unwind/object.h"

/* Tables of binaries of more bytes take long: these have a thread of their own. */
#define LARGE		(4 << 20)

/* How long the start of a command may wait for the tables of its files. */
#define START_PATIENCE	(2 * NSEC_PER_SEC)
/* How long the end of a recording may wait for the table that is being made. */
#define END_PATIENCE	NSEC_PER_SEC

static int give(const struct table_maker *maker, const struct unwind_table *table)
{
	struct tprof_lx_table arg = {
		.build_id_size = table->build_id.size,
		.page0 = table->page0,
		.nr_pages = table->nr_pages,
		.nr_rows = table->nr_rows,
		.nr_rules = table->nr_rules,
		.pages = (uintptr_t)table->pages,
		.rows = (uintptr_t)table->rows,
		.rules = (uintptr_t)table->rules,
	};

	memcpy(arg.build_id, table->build_id.data, table->build_id.size);
	return device_table(maker->device, &arg);
}

/*
 * Get the table of @job from the cache, or make it. Return -ESTALE if the file is not the
 * binary that was mapped. A table that cannot be kept is made again the next time. Set @is_kept to
 * whether the cache has the table.
 */
static int get_table(const struct table_worker *worker, const struct table_job *job,
		     struct unwind_table *table, bool *is_kept)
{
	int err = -ENOENT;

	if (worker->has_cache)
		err = table_cache_read(&worker->cache, &job->id, table);
	*is_kept = !err;
	if (!err)
		return 0;
	err = unwind_object(job->fd, &worker->maker->is_unwanted, table);
	if (err)
		return err;
	if (memcmp(&table->build_id, &job->id, sizeof(job->id)))
		return -ESTALE;
	*is_kept = worker->has_cache && !table_cache_write(&worker->cache, table);
	return 0;
}

/*
 * Say to the module that a binary has no table, so that it copies no stacks for it. A binary that
 * is not trusted does not count: another one, with the same build-id, may have a table.
 */
static void give_none(const struct table_maker *maker, const struct build_id *id)
{
	u32 page = 0;
	const struct unwind_table none = { .build_id = *id, .pages = &page };

	if (maker->store && id->size)
		(void)give(maker, &none);
}

/* Say to the store what became of a binary: its table, or NULL. */
static void publish(const struct table_maker *maker, const struct build_id *id,
		    struct unwind_table *table, bool is_kept)
{
	enum table_state state = is_kept ? TABLE_CACHED : TABLE_READY;

	if (maker->store && id->size)
		table_store_put(maker->store, id, table ? state : TABLE_NONE, table);
}

/* Return true if a thread has served the build-id before. */
static bool is_served(struct table_maker *maker, const struct build_id *id)
{
	bool is_new, ret;

	pthread_mutex_lock(&maker->lock);
	ret = ordered_get(&maker->served, id, sizeof(*id), build_id_compare, &is_new) && !is_new;
	pthread_mutex_unlock(&maker->lock);
	return ret;
}

/*
 * Make the table of @job and give it to the module. Return where it counts, or NULL. The table of a
 * build-id is for all processes, and a user that is not trusted could copy the build-id of any
 * program.
 */
static u32 *serve(struct table_worker *worker, struct table_job *job)
{
	struct table_counts *all = &worker->maker->counts;
	struct unwind_table table = { 0 };
	u32 *counts = &all->without;
	bool is_kept = false;
	int err = job->id.size ? 0 : build_id_of_fd(job->fd, &job->id);

	if (!owner_of_file_is_trusted(job->fd)) {
		publish(worker->maker, &job->id, NULL, false);
		return &all->foreign;
	}
	if (!err && is_served(worker->maker, &job->id))
		return NULL;
	if (!err)
		err = get_table(worker, job, &table, &is_kept);
	if (!err)
		counts = give(worker->maker, &table) ? &all->refused : &all->given;
	else if (err == -ETIME)
		counts = &all->late;
	if (counts != &all->given)
		give_none(worker->maker, &job->id);
	publish(worker->maker, &job->id, err ? NULL : &table, is_kept);
	unwind_table_free(&table);
	return counts;
}

/* An early job is done, or all were put in. The caller holds @lock. */
static void end_early(struct table_maker *maker)
{
	if (--maker->nr_early)
		return;
	maker->has_command = true;
	pthread_cond_broadcast(&maker->changed);
}

static void serve_one(struct table_worker *worker, struct table_job *job)
{
	struct table_maker *maker = worker->maker;
	u32 *counts = serve(worker, job);

	close(job->fd);
	pthread_mutex_lock(&maker->lock);
	if (counts)
		(*counts)++;
	if (job->is_early)
		end_early(maker);
	pthread_mutex_unlock(&maker->lock);
}

/* All 64-bit processes have the same vdso as this one. */
static void serve_vdso(struct table_worker *worker)
{
	const Elf64_Ehdr *vdso = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
	struct table_job job = { .fd = vdso ? memfd_create("vdso", MFD_CLOEXEC) : -1 };
	size_t bytes;

	if (job.fd < 0)
		return;
	bytes = vdso->e_shoff + (size_t)vdso->e_shnum * vdso->e_shentsize;
	if (write(job.fd, vdso, bytes) == (ssize_t)bytes)
		serve_one(worker, &job);
	else
		close(job.fd);
}

/* Put a job in, or count the binary as late if there is no room. */
static void put(struct table_maker *maker, struct table_job *job)
{
	struct stat st;
	bool has_room;

	job->size = fstat(job->fd, &st) ? 0 : st.st_size;
	pthread_mutex_lock(&maker->lock);
	has_room = table_queue_put(&maker->queue, job);
	if (has_room)
		maker->nr_early += job->is_early;
	else
		maker->counts.late++;
	pthread_cond_broadcast(&maker->changed);
	pthread_mutex_unlock(&maker->lock);
	if (!has_room) {
		publish(maker, &job->id, NULL, false);
		close(job->fd);
	}
}

/* Put the files in that the command will map at its start. */
static void put_command(struct table_maker *maker)
{
	struct needed needed = { 0 };
	struct table_job job;
	u32 i;

	if (maker->command)
		needed_find(&needed, maker->command);
	for (i = 0; i < needed.nr; i++) {
		job = (struct table_job){ .fd = open_regular(needed.paths[i]), .is_early = true };
		if (job.fd >= 0)
			put(maker, &job);
	}
	needed_free(&needed);
}

/* Serve all jobs until the end. The caller holds @lock. */
static void serve_all(struct table_worker *worker)
{
	struct table_maker *maker = worker->maker;
	struct table_job job;

	while (!maker->is_ending) {
		if (!table_queue_take(&maker->queue, worker->largest, &job)) {
			pthread_cond_wait(&maker->changed, &maker->lock);
			continue;
		}
		maker->nr_busy++;
		pthread_mutex_unlock(&maker->lock);
		serve_one(worker, &job);
		pthread_mutex_lock(&maker->lock);
		maker->nr_busy--;
		pthread_cond_broadcast(&maker->changed);
	}
}

static void *run(void *arg)
{
	struct table_worker *worker = arg;
	struct table_maker *maker = worker->maker;
	bool is_first = worker == maker->workers;
	int err = maker->settle();

	worker->has_cache = !err && !table_cache_open(&worker->cache);
	if (!err && is_first) {
		serve_vdso(worker);
		put_command(maker);
	}
	pthread_mutex_lock(&maker->lock);
	if (is_first)
		end_early(maker);
	if (!err)
		serve_all(worker);
	maker->has_ended = ++maker->nr_ended == maker->nr_workers;
	pthread_cond_broadcast(&maker->changed);
	pthread_mutex_unlock(&maker->lock);
	if (worker->has_cache)
		table_cache_close(&worker->cache);
	return NULL;
}

/*
 * Let a thread make the table of the open binary @fd with build-id @id, and close it. If @fd is
 * negative, count the binary as one without unwind information.
 */
void table_maker_add(struct table_maker *maker, int fd, const struct build_id *id)
{
	struct table_job job = { .fd = fd, .id = *id };

	if (maker->nr_workers && fd >= 0) {
		put(maker, &job);
	} else if (maker->nr_workers) {
		publish(maker, id, NULL, false);
		pthread_mutex_lock(&maker->lock);
		maker->counts.without++;
		pthread_mutex_unlock(&maker->lock);
	} else if (fd >= 0) {
		close(fd);
	}
}

static int start_workers(struct table_maker *maker)
{
	struct table_worker *worker;
	int err = 0;
	u32 i;

	for (i = 0; i < TABLE_WORKERS && !err; i++) {
		worker = &maker->workers[i];
		*worker = (struct table_worker){ .maker = maker, .largest = i ? ~0ULL : LARGE };
		err = thread_start(&worker->thread, run, worker);
		maker->nr_workers += !err;
	}
	return err;
}

/*
 * Start the threads. Each thread has capabilities of its own, so each first calls @settle to drop
 * them. If @command is not NULL, wait until the module has the tables of the files that it maps
 * at its start, but not for long: see START_PATIENCE. @store may be NULL. Return 0 or -errno.
 */
int table_maker_begin(struct table_maker *maker, int device, const char *command,
		      struct table_store *store, int (*settle)(void))
{
	int err;

	*maker = (struct table_maker){
		.device = device,
		.command = command,
		.settle = settle,
		.store = store,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
		.nr_early = 1,	/* until all are put in */
	};
	pthread_mutex_lock(&maker->lock);
	err = start_workers(maker);
	if (!err && command)
		thread_wait(&maker->changed, &maker->lock, &maker->has_command, START_PATIENCE);
	pthread_mutex_unlock(&maker->lock);
	if (err)
		table_maker_end(maker);
	return err;
}

/* Return true if the threads have done all binaries that they were given. */
bool table_maker_is_idle(struct table_maker *maker)
{
	bool is_idle;

	if (!maker->nr_workers)
		return true;
	pthread_mutex_lock(&maker->lock);
	is_idle = !(maker->nr_early || maker->queue.nr || maker->nr_busy) || maker->has_ended;
	pthread_mutex_unlock(&maker->lock);
	return is_idle;
}

/*
 * End the threads. Binaries that wait get no table. Those whose tables are being made may take
 * END_PATIENCE, so that the cache has the tables for the next recording.
 */
void table_maker_end(struct table_maker *maker)
{
	struct table_job job;
	u32 i;

	if (!maker->nr_workers)
		return;
	pthread_mutex_lock(&maker->lock);
	maker->is_ending = true;
	pthread_cond_broadcast(&maker->changed);
	thread_wait(&maker->changed, &maker->lock, &maker->has_ended, END_PATIENCE);
	pthread_mutex_unlock(&maker->lock);
	atomic_store(&maker->is_unwanted, true);
	for (i = 0; i < maker->nr_workers; i++)
		pthread_join(maker->workers[i].thread, NULL);
	maker->nr_workers = 0;
	while (table_queue_take(&maker->queue, ~0ULL, &job)) {
		maker->counts.late++;
		close(job.fd);
	}
	ordered_free(&maker->served);
}
