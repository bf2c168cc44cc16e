// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx record - give the module the unwind tables of mapped binaries, in a thread
 *
 * The recorder opens the binaries, because only its thread has the capabilities for that. It
 * must not make the tables: that can take longer than the session's queue has room.
 */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owner.h"
#include "live/device.h"
#include "perfdata/buildid.h"
#include "record/table_maker.h"
#include "unwind/object.h"

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

	if (maker->has_cache && job->id.size)
		err = table_cache_read(&maker->cache, &job->id, table);
	if (!err)
		return 0;
	err = unwind_object(job->fd, table);
	if (err)
		return err;
	if (job->id.size && memcmp(&table->build_id, &job->id, sizeof(job->id)))
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

/* Make the table of @job and give it to the module. Return where it counts. */
static u32 *serve(struct table_maker *maker, const struct table_job *job)
{
	struct unwind_table table = { 0 };
	u32 *counts = &maker->counts.without;

	if (!is_trusted(job->fd))
		return &maker->counts.foreign;
	if (!get_table(maker, job, &table))
		counts = give(maker, &table) ? &maker->counts.refused : &maker->counts.given;
	unwind_table_free(&table);
	return counts;
}

/* Serve all jobs until the end. The caller holds @lock. */
static void serve_all(struct table_maker *maker)
{
	struct table_job job;
	u32 *counts;

	while (!maker->is_ending) {
		if (!maker->nr) {
			pthread_cond_wait(&maker->changed, &maker->lock);
			continue;
		}
		job = maker->jobs[--maker->nr];
		pthread_cond_broadcast(&maker->changed);
		pthread_mutex_unlock(&maker->lock);
		counts = serve(maker, &job);
		close(job.fd);
		pthread_mutex_lock(&maker->lock);
		(*counts)++;
	}
}

static void *run(void *arg)
{
	struct table_maker *maker = arg;
	int err = maker->settle();

	maker->has_cache = !err && !table_cache_open(&maker->cache);
	pthread_mutex_lock(&maker->lock);
	if (!err)
		serve_all(maker);
	maker->has_ended = true;
	pthread_cond_broadcast(&maker->changed);
	pthread_mutex_unlock(&maker->lock);
	if (maker->has_cache)
		table_cache_close(&maker->cache);
	return NULL;
}

/* Put a job in. If there is no room, wait for it, or count the binary as late. */
static void put(struct table_maker *maker, const struct table_job *job, bool waits)
{
	bool has_room;

	pthread_mutex_lock(&maker->lock);
	while (waits && !maker->has_ended && maker->nr == TABLE_JOBS)
		pthread_cond_wait(&maker->changed, &maker->lock);
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
 * Let the thread make the table of the binary @name with build-id @id. With @waits, wait if too
 * many binaries wait already. Does nothing if the thread does not run.
 */
void table_maker_add(struct table_maker *maker, const char *name, const struct build_id *id,
		     bool waits)
{
	struct table_job job = { .id = *id };

	if (!maker->is_running || *name != '/')
		return;
	job.fd = open_regular(name);
	if (job.fd >= 0) {
		put(maker, &job, waits);
		return;
	}
	pthread_mutex_lock(&maker->lock);
	maker->counts.without++;
	pthread_mutex_unlock(&maker->lock);
}

/* All 64-bit processes have the same vdso as this one. */
static void add_vdso(struct table_maker *maker)
{
	const Elf64_Ehdr *vdso = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
	struct table_job job = { .fd = vdso ? memfd_create("vdso", MFD_CLOEXEC) : -1 };
	size_t bytes;

	if (job.fd < 0)
		return;
	bytes = vdso->e_shoff + (size_t)vdso->e_shnum * vdso->e_shentsize;
	if (write(job.fd, vdso, bytes) == (ssize_t)bytes)
		put(maker, &job, false);
	else
		close(job.fd);
}

/* Start the thread with all signals blocked, so that the recorder's thread gets them. */
static int start(struct table_maker *maker)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&maker->thread, NULL, run, maker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

/*
 * Start the thread. Each thread has capabilities of its own, so the thread first calls
 * @settle to drop them. Return 0 or -errno.
 */
int table_maker_begin(struct table_maker *maker, int device, int (*settle)(void))
{
	int err;

	*maker = (struct table_maker){
		.device = device,
		.settle = settle,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	err = start(maker);
	maker->is_running = !err;
	if (!err)
		add_vdso(maker);
	return err;
}

/* End the thread. Binaries that wait get no table. */
void table_maker_end(struct table_maker *maker)
{
	if (!maker->is_running)
		return;
	pthread_mutex_lock(&maker->lock);
	maker->is_ending = true;
	pthread_cond_broadcast(&maker->changed);
	pthread_mutex_unlock(&maker->lock);
	pthread_join(maker->thread, NULL);
	maker->is_running = false;
	maker->counts.late += maker->nr;
	while (maker->nr)
		close(maker->jobs[--maker->nr].fd);
}
