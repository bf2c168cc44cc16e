// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - give the module the unwind tables of mapped binaries, in a thread
 *
 * This thread has no capabilities, as it reads whole binaries of other users. The opener has
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
 * binary that was mapped. A table that cannot be kept is made again the next time.
 */
static int get_table(const struct table_maker *maker, const struct table_job *job,
		     struct unwind_table *table)
{
	int err = -ENOENT;

	if (maker->has_cache)
		err = table_cache_read(&maker->cache, &job->id, table);
	if (!err)
		return 0;
	err = unwind_object(job->fd, &maker->is_unwanted, table);
	if (err)
		return err;
	if (memcmp(&table->build_id, &job->id, sizeof(job->id)))
		return -ESTALE;
	if (maker->has_cache)
		(void)table_cache_write(&maker->cache, table);
	return 0;
}

/*
 * The table of a build-id is for all processes, and a user that is not trusted could copy the
 * build-id of any program.
 */
static bool is_trusted(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && owner_is_trusted(st.st_uid);
}

static int compare_ids(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct build_id));
}

/* Return true if the thread has served the build-id before. */
static bool is_served(struct table_maker *maker, const struct build_id *id)
{
	bool is_new;

	return ordered_get(&maker->served, id, sizeof(*id), compare_ids, &is_new) && !is_new;
}

/* Make the table of @job and give it to the module. Return where it counts, or NULL. */
static u32 *serve(struct table_maker *maker, struct table_job *job)
{
	struct unwind_table table = { 0 };
	u32 *counts = &maker->counts.without;
	int err = job->id.size ? 0 : build_id_of_fd(job->fd, &job->id);

	if (!is_trusted(job->fd))
		return &maker->counts.foreign;
	if (!err && is_served(maker, &job->id))
		return NULL;
	if (!err)
		err = get_table(maker, job, &table);
	if (!err)
		counts = give(maker, &table) ? &maker->counts.refused : &maker->counts.given;
	else if (err == -ETIME)
		counts = &maker->counts.late;
	unwind_table_free(&table);
	return counts;
}

static void serve_one(struct table_maker *maker, struct table_job *job)
{
	u32 *counts = serve(maker, job);

	close(job->fd);
	pthread_mutex_lock(&maker->lock);
	if (counts)
		(*counts)++;
	pthread_mutex_unlock(&maker->lock);
}

/* All 64-bit processes have the same vdso as this one. */
static void serve_vdso(struct table_maker *maker)
{
	const Elf64_Ehdr *vdso = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
	struct table_job job = { .fd = vdso ? memfd_create("vdso", MFD_CLOEXEC) : -1 };
	size_t bytes;

	if (job.fd < 0)
		return;
	bytes = vdso->e_shoff + (size_t)vdso->e_shnum * vdso->e_shentsize;
	if (write(job.fd, vdso, bytes) == (ssize_t)bytes)
		serve_one(maker, &job);
	else
		close(job.fd);
}

static bool is_ending(struct table_maker *maker)
{
	bool ret;

	pthread_mutex_lock(&maker->lock);
	ret = maker->is_ending;
	pthread_mutex_unlock(&maker->lock);
	return ret;
}

/* Make the tables of the files that the command will map at its start. */
static void serve_command(struct table_maker *maker)
{
	struct needed needed = { 0 };
	struct table_job job;
	u32 i;

	if (maker->command)
		needed_find(&needed, maker->command);
	for (i = 0; i < needed.nr && !is_ending(maker); i++) {
		job = (struct table_job){ .fd = open_regular(needed.paths[i]) };
		if (job.fd >= 0)
			serve_one(maker, &job);
	}
	needed_free(&needed);
}

/* Serve all jobs until the end. The caller holds @lock. */
static void serve_all(struct table_maker *maker)
{
	struct table_job job;

	while (!maker->is_ending) {
		if (!maker->nr) {
			pthread_cond_wait(&maker->changed, &maker->lock);
			continue;
		}
		job = maker->jobs[--maker->nr];
		pthread_mutex_unlock(&maker->lock);
		serve_one(maker, &job);
		pthread_mutex_lock(&maker->lock);
	}
}

static void *run(void *arg)
{
	struct table_maker *maker = arg;
	int err = maker->settle();

	maker->has_cache = !err && !table_cache_open(&maker->cache);
	if (!err) {
		serve_vdso(maker);
		serve_command(maker);
	}
	pthread_mutex_lock(&maker->lock);
	maker->has_command = true;
	pthread_cond_broadcast(&maker->changed);
	if (!err)
		serve_all(maker);
	maker->has_ended = true;
	pthread_cond_broadcast(&maker->changed);
	pthread_mutex_unlock(&maker->lock);
	if (maker->has_cache)
		table_cache_close(&maker->cache);
	return NULL;
}

/* Put a job in, or count the binary as late if there is no room. */
static void put(struct table_maker *maker, const struct table_job *job)
{
	bool has_room;

	pthread_mutex_lock(&maker->lock);
	has_room = maker->nr < TABLE_JOBS;
	if (has_room)
		maker->jobs[maker->nr++] = *job;
	else
		maker->counts.late++;
	pthread_cond_broadcast(&maker->changed);
	pthread_mutex_unlock(&maker->lock);
	if (!has_room)
		close(job->fd);
}

/*
 * Let the thread make the table of the open binary @fd with build-id @id, and close it. If @fd is
 * negative, count the binary as one without unwind information.
 */
void table_maker_add(struct table_maker *maker, int fd, const struct build_id *id)
{
	const struct table_job job = { .fd = fd, .id = *id };

	if (maker->is_running && fd >= 0) {
		put(maker, &job);
	} else if (maker->is_running) {
		pthread_mutex_lock(&maker->lock);
		maker->counts.without++;
		pthread_mutex_unlock(&maker->lock);
	} else if (fd >= 0) {
		close(fd);
	}
}

/*
 * Start the thread. Each thread has capabilities of its own, so the thread first calls
 * @settle to drop them. If @command is not NULL, wait until the module has the tables of the
 * files that it maps at its start, but not for long: see START_PATIENCE. Return 0 or -errno.
 */
int table_maker_begin(struct table_maker *maker, int device, const char *command,
		      int (*settle)(void))
{
	int err;

	*maker = (struct table_maker){
		.device = device,
		.command = command,
		.settle = settle,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	err = thread_start(&maker->thread, run, maker);
	maker->is_running = !err;
	if (err || !command)
		return err;
	pthread_mutex_lock(&maker->lock);
	thread_wait(&maker->changed, &maker->lock, &maker->has_command, START_PATIENCE);
	pthread_mutex_unlock(&maker->lock);
	return 0;
}

/*
 * End the thread. Binaries that wait get no table. The one whose table is being made may take
 * END_PATIENCE, so that the cache has the table for the next recording.
 */
void table_maker_end(struct table_maker *maker)
{
	if (!maker->is_running)
		return;
	pthread_mutex_lock(&maker->lock);
	maker->is_ending = true;
	pthread_cond_broadcast(&maker->changed);
	thread_wait(&maker->changed, &maker->lock, &maker->has_ended, END_PATIENCE);
	pthread_mutex_unlock(&maker->lock);
	atomic_store(&maker->is_unwanted, true);
	pthread_join(maker->thread, NULL);
	maker->is_running = false;
	maker->counts.late += maker->nr;
	while (maker->nr)
		close(maker->jobs[--maker->nr].fd);
	ordered_free(&maker->served);
}
