// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - the output file, which replaces an older one only if it is complete
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/say.h"
#include "export/output.h"

/*
 * Open a file that gets the name @output->path at the end. Only this user can read it, as
 * with a recording, unless it replaces a file: then it gets the mode of that file.
 */
static int open_new(struct output *output, const struct stat *old)
{
	int fd;

	if (asprintf(&output->temporary, "%s.XXXXXX", output->path) < 0) {
		output->temporary = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(output->temporary, O_CLOEXEC);
	if (fd < 0) {
		fd = -errno;
		free(output->temporary);
		output->temporary = NULL;
		return fd;
	}
	if (old)
		fchmod(fd, old->st_mode & 0777);
	return fd;
}

/*
 * A symbolic link, a pipe or a device is written in place: a rename would replace it by a
 * file.
 */
static int open_file(struct output *output)
{
	struct stat st;
	int fd;

	if (lstat(output->path, &st))
		return errno == ENOENT ? open_new(output, NULL) : -errno;
	if (S_ISREG(st.st_mode))
		return open_new(output, &st);
	fd = open(output->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Open @path, or stdout if it is NULL or "-". Return STATUS_OK or STATUS_FAILED. */
int output_open(struct output *output, const char *path)
{
	int fd;

	*output = (struct output){ .file = stdout };
	if (!path || !strcmp(path, "-"))
		return STATUS_OK;
	output->path = path;
	fd = open_file(output);
	if (fd < 0)
		return say_error("%s: %s", path, strerror(-fd));
	output->file = fdopen(fd, "w");
	if (output->file)
		return STATUS_OK;
	close(fd);
	if (output->temporary)
		unlink(output->temporary);
	free(output->temporary);
	return say_failure(-ENOMEM, path);
}

/*
 * Complete the output if @status is STATUS_OK, else leave an older file as it was. Return
 * @status, or STATUS_FAILED if this fails.
 */
int output_close(struct output *output, int status)
{
	bool failed;

	if (!output->path)
		return finish_output(status);
	failed = ferror(output->file);
	failed |= fclose(output->file) != 0;
	if (failed)
		status = say_error("cannot write %s: %s", output->path, strerror(errno));
	else if (!status && output->temporary && rename(output->temporary, output->path))
		status = say_error("%s: %s", output->path, strerror(errno));
	if (status && output->temporary)
		unlink(output->temporary);
	free(output->temporary);
	return status;
}
