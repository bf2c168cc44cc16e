// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx fuzzing - recordings to begin with: reader_seeds DIR
 */
#include <err.h>
#include <fcntl.h>
#include <unistd.h>

#include "perfdata_test.h"

static void write_seed(const char *name, bool pipe)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write_recording(fd, pipe))
		err(1, "%s", name);
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc != 2 || chdir(argv[1]))
		errx(2, "usage: reader_seeds DIR");
	write_seed("file", false);
	write_seed("pipe", true);
	return 0;
}
