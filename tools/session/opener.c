// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - open the binaries that are mapped, in a thread
 *
 * A process may have a mount namespace of its own, and its binaries may be gone when the recording
 * ends. So each binary is opened when it is first seen in a mapping, at its path or, if another
 * file is there, at the same path below /proc/PID/root. The build-id shows whether it is the one
 * that was mapped.
 *
 * This thread alone keeps the capabilities to open files of other users, and reads of them only
 * the build-id. An open file system of a user may not answer for long; so the recorder does not
 * wait for this thread.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"
#include "perfdata/buildid.h"
#include "session/opener.h"

/* How long the end of a recording may wait for this thread. */
#define END_PATIENCE	NSEC_PER_SEC

/* Return a descriptor of @path if it is the binary @id, else -errno. */
static int open_build(const char *path, const struct build_id *id)
{
	struct build_id real = { 0 };
	int fd = open_regular(path);

	if (fd < 0)
		return fd;
	if (!build_id_of_fd(fd, &real) && build_ids_agree(&real, id))
		return fd;
	close(fd);
	return -ESTALE;
}

/* Keep a binary that has another path here. */
static void keep(struct opener *opener, const struct build_id *id, int fd)
{
	int copy = dup(fd);

	if (copy >= 0 && !kept_files_add(&opener->kept, id, copy))
		close(copy);
}

static void serve(struct opener *opener, const struct opener_job *job)
{
	int fd = open_build(job->name, &job->id);
	char *path;

	if (fd < 0 && job->pid > 0 && asprintf(&path, "/proc/%d/root%s", job->pid, job->name) > 0) {
		fd = open_build(path, &job->id);
		free(path);
		if (fd >= 0)
			keep(opener, &job->id, fd);
	}
	pthread_mutex_lock(&opener->lock);
	if (opener->tables)
		table_maker_add(opener->tables, fd, &job->id);
	else if (fd >= 0)
		close(fd);
	pthread_mutex_unlock(&opener->lock);
}

/* Serve all jobs, also those that wait at the end. The caller holds @lock. */
static void serve_all(struct opener *opener)
{
	struct opener_job *job;

	while (opener->nr || !opener->is_ending) {
		job = opener->first;
		if (!job) {
			pthread_cond_wait(&opener->changed, &opener->lock);
			continue;
		}
		opener->first = job->next;
		if (!opener->first)
			opener->last = &opener->first;
		opener->nr--;
		opener->is_busy = true;
		pthread_mutex_unlock(&opener->lock);
		serve(opener, job);
		free(job);
		pthread_mutex_lock(&opener->lock);
		opener->is_busy = false;
	}
}

static void *run(void *arg)
{
	struct opener *opener = arg;
	int err = opener->settle();

	pthread_mutex_lock(&opener->lock);
	if (!err)
		serve_all(opener);
	opener->has_ended = true;
	pthread_cond_broadcast(&opener->changed);
	pthread_mutex_unlock(&opener->lock);
	return NULL;
}

/*
 * Start the thread, which first calls @settle to drop capabilities. @tables gets each binary.
 * Return 0 or -errno.
 */
int opener_begin(struct opener **opener, struct table_maker *tables, int (*settle)(void))
{
	struct opener *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	new->settle = settle;
	new->tables = tables;
	new->last = &new->first;
	pthread_mutex_init(&new->lock, NULL);
	pthread_cond_init(&new->changed, NULL);
	err = thread_start(&new->thread, run, new);
	if (err)
		free(new);
	else
		*opener = new;
	return err;
}

/* Let the thread open the binary @name with build-id @id, which process @pid has mapped. */
void opener_add(struct opener *opener, s32 pid, const char *name, const struct build_id *id)
{
	struct opener_job *job;
	size_t len = strlen(name) + 1;

	if (!opener || *name != '/')
		return;
	job = malloc(sizeof(*job) + len);
	if (job) {
		*job = (struct opener_job){ .pid = pid, .id = *id };
		memcpy(job->name, name, len);
	}
	pthread_mutex_lock(&opener->lock);
	if (job && opener->nr < OPENER_JOBS && !opener->has_ended) {
		*opener->last = job;
		opener->last = &job->next;
		opener->nr++;
		job = NULL;
	} else {
		opener->nr_unopened++;
	}
	pthread_cond_broadcast(&opener->changed);
	pthread_mutex_unlock(&opener->lock);
	free(job);
}

/* Return true if the thread has opened all binaries that it was given. */
bool opener_is_idle(struct opener *opener)
{
	bool is_idle;

	if (!opener)
		return true;
	pthread_mutex_lock(&opener->lock);
	is_idle = (!opener->nr && !opener->is_busy) || opener->has_ended;
	pthread_mutex_unlock(&opener->lock);
	return is_idle;
}

static void opener_free(struct opener *opener)
{
	struct opener_job *job;

	while ((job = opener->first)) {
		opener->first = job->next;
		free(job);
	}
	kept_files_free(&opener->kept);
	free(opener);
}

/*
 * End the thread, and move the binaries that it keeps to @kept. A thread that does not end soon
 * is left alone: it waits for a file system, and ends with the process. Return the number of
 * binaries that it had no room or no time to open.
 */
u32 opener_end(struct opener **opener, struct kept_files *kept)
{
	struct opener *old = *opener;
	bool has_ended;
	u32 nr_unopened;

	*opener = NULL;
	if (!old)
		return 0;
	pthread_mutex_lock(&old->lock);
	old->is_ending = true;
	pthread_cond_broadcast(&old->changed);
	has_ended = thread_wait(&old->changed, &old->lock, &old->has_ended, END_PATIENCE);
	old->tables = NULL;
	/* The binary that it waits for is not opened either. */
	nr_unopened = old->nr_unopened + old->nr + !has_ended;
	pthread_mutex_unlock(&old->lock);
	if (!has_ended) {
		thread_abandon(old->thread);
		return nr_unopened;
	}
	pthread_join(old->thread, NULL);
	*kept = old->kept;
	old->kept = (struct kept_files){ 0 };
	opener_free(old);
	return nr_unopened;
}
