// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx push - send recordings to a server that stores profiles
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/say.h"
#include "push/sending.h"
#include "push/spool.h"

/**
 * struct push - the state of the command
 * @options:	the command line
 * @server:	the server
 * @spool:	the spool, if there is one
 * @nr_sent:	number of requests of the spool that were sent
 * @has_failed:	the server failed at the last request, perhaps because of the request
 * @is_stopped:	the server takes nothing at present, so do not try the next request
 */
struct push {
	struct push_options options;
	struct server server;
	struct spool spool;
	u64	nr_sent;
	bool	has_failed;
	bool	is_stopped;
};

/*
 * Send a request. If the server fails, try the next one once: if the server takes it, the
 * cause is the first request, which must not hold up the others.
 */
static enum sending send_parcel(struct push *push, const struct parcel *parcel, const char *what)
{
	u64 retries = push->has_failed ? 0 : push->options.retries;
	enum sending sending = sending_send(&push->server, parcel, retries, what);

	push->is_stopped = sending == SENDING_LATER ||
			   (sending == SENDING_FAILED && push->has_failed);
	push->has_failed = sending == SENDING_FAILED;
	return sending;
}

/* Is @input still the file that was read? */
static bool is_same(const char *input, const struct source *source)
{
	const struct stat *was = &source->st;
	struct stat now;

	return !stat(input, &now) && now.st_dev == was->st_dev && now.st_ino == was->st_ino &&
	       now.st_size == was->st_size && now.st_mtim.tv_sec == was->st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == was->st_mtim.tv_nsec;
}

/* @input was sent, is in the spool or has no samples. */
static int finish_input(const struct push *push, const char *input, const struct source *source)
{
	if (!push->options.remove)
		return STATUS_OK;
	if (!is_same(input, source))
		return say_error("%s is not the file that was read, so it is kept; push it again",
				 printable(input));
	return unlink(input) ? say_failure(-errno, input) : STATUS_OK;
}

static int no_samples(const struct push *push, const char *input, const struct source *source)
{
	say_note("%s has no samples, so there is nothing to send", printable(input));
	return finish_input(push, input, source);
}

/* Send the request in @file, which has no name. */
static int send_unnamed(struct push *push, const char *input, FILE *file)
{
	struct parcel parcel;
	struct source source;
	int status = parcel_make(&push->options, input, fileno(file), INT64_MAX, &source);
	enum sending sending;

	if (status)
		return STATUS_FAILED;
	if (source.is_empty)
		return no_samples(push, input, &source);
	if (!parcel_read(&parcel, fileno(file)))
		return say_error("cannot read the request for %s again", printable(input));
	sending = send_parcel(push, &parcel, input);
	if (sending != SENDING_DONE)
		return STATUS_FAILED;
	say_note("%s: sent to %s", printable(input), push->options.engine->name);
	return finish_input(push, input, &source);
}

static int send_input(struct push *push, const char *input)
{
	FILE *file = tmpfile();
	int status;

	if (!file)
		return say_error("cannot make a temporary file: %s", strerror(errno));
	status = send_unnamed(push, input, file);
	fclose(file);
	return status;
}

/* Call @take for all recordings, until the server takes nothing. Say how many are left. */
static int each_input(struct push *push, int (*take)(struct push *push, const char *input))
{
	const struct push_options *opts = &push->options;
	int status = STATUS_OK, i;

	for (i = 0; i < opts->nr_files && !push->is_stopped; i++)
		status |= take(push, opts->files[i]);
	if (i < opts->nr_files)
		say_error("%d further recordings were not sent; run push again",
			  opts->nr_files - i);
	return status;
}

/* Keep a request that the server or parcel_read() refused, and name its file. */
static int set_aside(struct push *push, const char *name)
{
	char aside[SPOOL_NAME];
	int err = spool_set_aside(&push->spool, name, aside);

	push->is_stopped = err;
	if (err)
		return say_failure(err, push->spool.path);
	return say_error("kept the refused request as %s/%s", printable(push->spool.path), aside);
}

/* Send the request @name of the spool. */
static int send_spooled(struct push *push, const char *name, int fd)
{
	struct spool *spool = &push->spool;
	enum sending sending;
	struct parcel parcel;
	int err;

	if (!parcel_read(&parcel, fd)) {
		say_error("%s/%s is not a complete request", printable(spool->path), name);
		return set_aside(push, name);
	}
	if (parcel.engine != push->options.engine) {
		push->is_stopped = true;
		return say_error("%s has requests for %s; send them with --to %s",
				 printable(spool->path), parcel.engine->name,
				 parcel.engine->name);
	}
	sending = send_parcel(push, &parcel, name);
	if (sending == SENDING_REFUSED)
		return set_aside(push, name);
	if (sending != SENDING_DONE)
		return STATUS_FAILED;
	err = spool_remove(spool, name, fd);
	push->is_stopped = err;
	push->nr_sent++;
	return err ? say_failure(err, spool->path) : STATUS_OK;
}

static int open_and_send(struct push *push, const char *name)
{
	int fd = openat(push->spool.dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	int status;

	if (fd < 0)
		return say_failure(-errno, name);
	status = send_spooled(push, name, fd);
	close(fd);
	return status;
}

/* Send all requests of the spool, until the server takes none. */
static int drain(struct push *push)
{
	int nr, i, status = STATUS_OK;
	struct dirent **list;

	if (push->is_stopped)
		return STATUS_OK;
	nr = spool_list(&push->spool, &list);
	if (nr < 0)
		return say_failure(nr, push->spool.path);
	for (i = 0; i < nr; i++) {
		if (!push->is_stopped)
			status |= open_and_send(push, list[i]->d_name);
		free(list[i]);
	}
	free(list);
	return status;
}

/* Add a request to the spool. Return an exit status, or PARCEL_TOO_LARGE. */
static int spool_request(struct push *push, const char *input, int fd)
{
	struct spool *spool = &push->spool;
	struct source source;
	int status, err;

	status = parcel_make(&push->options, input, fd,
			     spool->used < spool->max ? spool->max - spool->used : 0, &source);
	if (!status && source.is_empty) {
		spool_cancel(spool);
		return no_samples(push, input, &source);
	}
	err = status ? 0 : spool_add(spool, fd);
	if (status || err)
		spool_cancel(spool);
	if (err == -EOVERFLOW)
		return say_error("%s has a request with the highest number; rename it to a lower one",
				 printable(spool->path));
	if (err)
		return say_failure(err, spool->path);
	return status ? status : finish_input(push, input, &source);
}

static int spool_input(struct push *push, const char *input)
{
	int fd = spool_begin(&push->spool), status;

	if (fd < 0)
		return say_failure(fd, push->spool.path);
	status = spool_request(push, input, fd);
	close(fd);
	return status;
}

/* Put a recording into the spool. If there is no room, send older requests first. */
static int spool_or_drain(struct push *push, const char *input)
{
	int status = spool_input(push, input), drained = STATUS_OK;

	if (status == PARCEL_TOO_LARGE && push->spool.nr) {
		drained = drain(push);
		status = spool_input(push, input);
	}
	if (status == PARCEL_TOO_LARGE && drained)
		push->is_stopped = true;
	if (status == PARCEL_TOO_LARGE)
		status = say_error("%s has no room for %s, which was not sent; %s --spool-size",
				   printable(push->spool.path), printable(input),
				   push->spool.nr_refused ? "remove refused requests or raise" :
							    "raise");
	return status | drained;
}

/* Say what remains, so that a spool that fills is noticed. Return an exit status. */
static int say_rest(const struct spool *spool)
{
	bool is_one = spool->nr_refused == 1;

	if (spool->nr)
		say_error("%llu request%s in %s (%llu of %llu KiB); run push again", spool->nr,
			  spool->nr == 1 ? " waits" : "s wait", printable(spool->path),
			  spool->used >> 10, spool->max >> 10);
	if (spool->nr_refused)
		say_error("%s has %llu refused request%s; look at %s and remove %s",
			  printable(spool->path), spool->nr_refused, is_one ? "" : "s",
			  is_one ? "it" : "them", is_one ? "it" : "them");
	return spool->nr || spool->nr_refused ? STATUS_FAILED : STATUS_OK;
}

static int push_by_spool(struct push *push)
{
	const struct push_options *opts = &push->options;
	int err = spool_open(&push->spool, opts->spool, opts->spool_size);
	int status;

	if (err == -EPERM)
		return say_error("%s is of another user, or others can write to it; give a directory of your own",
				 printable(opts->spool));
	if (err == -EBUSY)
		return say_error("another push uses %s; wait for its end", printable(opts->spool));
	if (err)
		return say_failure(err, opts->spool);
	status = each_input(push, spool_or_drain) | drain(push);
	if (push->nr_sent)
		say_note("%llu request%s sent to %s", push->nr_sent, push->nr_sent == 1 ? "" : "s",
			 opts->engine->name);
	status |= say_rest(&push->spool);
	spool_close(&push->spool);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	static struct push push;
	int status;

	push = (struct push){ 0 };
	status = push_options_read(&push.options, self, argc, argv);
	if (status)
		return status;
	status = server_init(&push.server, &push.options);
	if (!status)
		status = push.options.spool ? push_by_spool(&push) :
					      each_input(&push, send_input);
	server_free(&push.server);
	return status;
}

const struct command push_command = {
	.name = "push",
	.summary = "send recordings to a server that stores profiles",
	.operands = "URL [FILE ...]",
	.text = "Sends recordings to Pyroscope, Parca, ClickHouse or a receiver of OpenTelemetry.\n"
		"FILE is a recording (tprof.data). This needs no privileges. With --spool and\n"
		"without FILE, only the spool is sent.\n",
	.options = push_rows,
	.run = run,
};
