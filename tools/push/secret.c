// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx push - read the token
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/say.h"
#include "push/secret.h"

/* Systemd's credentials belong to root, or have an access list for the user. */
static int check(int fd, const char *path)
{
	struct stat st;

	if (fstat(fd, &st))
		return say_failure(-errno, path);
	if (!S_ISREG(st.st_mode))
		return say_error("%s is not a regular file; put the token into a file",
				 printable(path));
	if (st.st_mode & 077 && !(st.st_uid == 0 && geteuid() && !(st.st_mode & 027)))
		return say_error("others can read %s, which has the token; type: chmod 600 %s",
				 printable(path), printable(path));
	return STATUS_OK;
}

/* Read the first line. A token has visible characters only, so it cannot add a header. */
static int read_text(struct secret *secret, int fd, const char *path)
{
	ssize_t len = read(fd, secret->text, sizeof(secret->text) - 1);
	ssize_t i;

	if (len < 0)
		return say_failure(-errno, path);
	for (i = 0; i < len && secret->text[i] > ' ' && secret->text[i] < 0x7f; i++)
		;
	if (i < len && secret->text[i] != '\r' && secret->text[i] != '\n')
		return say_error("the first line of %s has a blank or another invalid character; write a token only",
				 printable(path));
	if (!i || i == sizeof(secret->text) - 1)
		return say_error("%s has no token of 1 to %zu characters in its first line; write one there",
				 printable(path), sizeof(secret->text) - 2);
	secret->text[i] = '\0';
	return STATUS_OK;
}

/* Read the token from @path. Return an exit status, after an error was printed. */
int secret_read(struct secret *secret, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), status;

	*secret = (struct secret){ 0 };
	if (fd < 0)
		return say_failure(-errno, path);
	status = check(fd, path);
	if (!status)
		status = read_text(secret, fd, path);
	close(fd);
	if (status)
		secret_forget(secret);
	return status;
}

void secret_forget(struct secret *secret)
{
	explicit_bzero(secret, sizeof(*secret));
}
