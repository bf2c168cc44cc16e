// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the standard streams, from the start of the process to its exit status
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/say.h"
#include "cli/streams.h"

/*
 * Open descriptors 0 to 2 if they are closed: the next file to be opened would become
 * stdin, stdout or stderr. Reading from stdin or writing to the others still fails with
 * EBADF, because each is opened for the opposite. A command that tprof-lx runs finds them
 * closed. Return 0 or -errno. Call this before anything is opened.
 */
int streams_open(void)
{
	static const int opposite[] = {
		[STDIN_FILENO] = O_WRONLY,
		[STDOUT_FILENO] = O_RDONLY,
		[STDERR_FILENO] = O_RDONLY,
	};
	int fd;

	/* open(2) returns the lowest descriptor that is closed, and all below @fd are open. */
	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", opposite[fd] | O_CLOEXEC) < 0)
			return -errno;
	}
	return 0;
}

/* Write out what @stream holds. Return 0, or -errno if this or an earlier write failed. */
int stream_error(FILE *stream)
{
	if (fflush(stream))
		return -errno;
	if (!ferror(stream))
		return 0;
	/* stdio keeps no errno of an earlier write: what made it fail makes this one fail. */
	if (putc('\n', stream) == EOF || fflush(stream))
		return -errno;
	return -EIO;
}

/* Output does not count as lost if the reader of a pipe closed it early. */
static int lost_output(FILE *stream)
{
	int err = stream_error(stream);

	return err == -EPIPE ? 0 : err;
}

/*
 * Flush stdout and stderr. Return @status, or another than STATUS_OK if output or a message was
 * lost. main() calls this last, for all commands.
 */
int finish_output(int status)
{
	int err = lost_output(stdout);

	if (err)
		status = say_error("cannot write the output: %s", strerror(-err));
	return lost_output(stderr) && !status ? STATUS_FAILED : status;
}
