// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the output file, which replaces an older one only if it is complete
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/types.h"
#include "cli/say.h"
#include "cli/output.h"
#include "cli/streams.h"

/* The kernel follows as many links. */
#define MAX_LINKS	40

/* A file that is not complete yet, which a signal must not leave behind. */
static char *volatile unfinished;

/* SA_RESETHAND: the second signal ends the process. */
static void remove_unfinished(int signal)
{
	if (unfinished)
		unlink(unfinished);
	raise(signal);
}

static void catch_signals(void)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGTERM };
	struct sigaction action = { .sa_handler = remove_unfinished, .sa_flags = SA_RESETHAND };
	struct sigaction old;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

/* Return the name of a temporary file beside @target, or NULL if out of memory. */
static char *temporary_beside(const char *target)
{
	const char *slash = strrchr(target, '/');
	char *name;

	if (asprintf(&name, "%.*s.tprof-lx-XXXXXX",
		     slash ? (int)(slash + 1 - target) : 0, target) < 0)
		return NULL;
	return name;
}

/*
 * Open a file that gets the name @output->target at the end. Only this user can read it, as
 * with a recording, unless it replaces a file: then it gets the mode of that file.
 */
static int open_new(struct output *output, const struct stat *old)
{
	int fd, err = 0;

	output->temporary = temporary_beside(output->target);
	if (!output->temporary)
		return say_failure(-ENOMEM, output->path);
	fd = mkostemp(output->temporary, O_CLOEXEC);
	if (fd < 0 || (old && fchmod(fd, old->st_mode & 0777)))
		err = -errno;
	if (fd >= 0) {
		unfinished = output->temporary;
		catch_signals();
	}
	if (err)
		say_error("%s: cannot make a file beside it: %s", printable(output->path),
			  strerror(-err));
	return err ? -1 : fd;
}

/* A pipe or a device is written in place: a rename would replace it by a file. */
static int open_in_place(const struct output *output)
{
	int fd = open(output->path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		say_failure(-errno, output->path);
	return fd;
}

/* Return true if @input and @st are the same file. */
static bool is_input(int input, const struct stat *st)
{
	struct stat recording;

	return !fstat(input, &recording) && recording.st_dev == st->st_dev &&
	       recording.st_ino == st->st_ino;
}

/* Return true if @path is the file @input. */
bool output_is(const char *path, int input)
{
	struct stat st;

	return !stat(path, &st) && is_input(input, &st);
}

/* Return the path that the symbolic link @path has, or NULL if it is none. */
static char *linked_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	char link[PATH_MAX], *name;
	ssize_t len = readlink(path, link, sizeof(link));

	if (len < 0 || len == sizeof(link))
		return NULL;
	if (*link == '/' || !slash)
		return strndup(link, len);
	return asprintf(&name, "%.*s%.*s", (int)(slash + 1 - path), path, (int)len, link) < 0 ?
	       NULL : name;
}

/*
 * Return the name of the file that open(2) would create for @path, which does not exist: a
 * symbolic link to no file remains, as with `record -o`.
 */
static char *new_target(const char *path)
{
	char *name = strdup(path), *next;
	int i;

	for (i = 0; name && i < MAX_LINKS && (next = linked_path(name)); i++) {
		free(name);
		name = next;
	}
	return name;
}

/* Open the output. Print a message and return -1 if that fails. */
static int open_file(struct output *output, int input)
{
	bool has_old;
	struct stat st;

	has_old = !stat(output->path, &st);
	/* The kernel may forbid to follow a link, such as another user's in /tmp. */
	if (!has_old && errno != ENOENT) {
		say_failure(-errno, output->path);
		return -1;
	}
	if (has_old && !S_ISREG(st.st_mode))
		return open_in_place(output);
	if (has_old && is_input(input, &st)) {
		say_error("%s is the recording itself; give another name with -o",
			  printable(output->path));
		return -1;
	}
	output->target = has_old ? realpath(output->path, NULL) : new_target(output->path);
	if (output->target)
		return open_new(output, has_old ? &st : NULL);
	say_failure(-errno, output->path);
	return -1;
}

static void forget_names(struct output *output)
{
	unfinished = NULL;
	free(output->temporary);
	free(output->target);
}

/*
 * Open @path, or stdout if it is NULL or "-". It must not be the file @input. Return
 * STATUS_OK or STATUS_FAILED.
 */
int output_open(struct output *output, const char *path, int input)
{
	int fd;

	*output = (struct output){ .file = stdout };
	if (!path || !strcmp(path, "-"))
		return STATUS_OK;
	if (!*path)
		return say_error("-o has an empty name; give the name of a file");
	output->path = path;
	fd = open_file(output, input);
	output->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (output->file)
		return STATUS_OK;
	if (fd >= 0) {
		say_failure(-ENOMEM, path);
		close(fd);
	}
	if (unfinished)
		unlink(unfinished);
	forget_names(output);
	return STATUS_FAILED;
}

/*
 * Complete the output if @status is STATUS_OK, else leave an older file as it was. Return
 * @status, or STATUS_FAILED if this fails.
 */
int output_close(struct output *output, int status)
{
	int err;

	/* finish_output() checks stdout. */
	if (!output->path)
		return status;
	err = stream_error(output->file);
	if (fclose(output->file) && !err)
		err = -errno;
	if (err)
		status = say_error("cannot write %s: %s", printable(output->path),
				   strerror(-err));
	else if (!status && output->temporary && rename(output->temporary, output->target))
		status = say_failure(-errno, output->path);
	if (status && output->temporary)
		unlink(output->temporary);
	forget_names(output);
	return status;
}
