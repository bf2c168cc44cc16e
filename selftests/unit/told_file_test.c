// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - whose word is taken for what functions are called
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/trusted_file.h"
#include "unit.h"

#define NOBODY	65534

/* Whose has functions in it is his word alone, unless he is root or has called sudo. */
static void test_foreign(void)
{
	char path[] = "/tmp/told_file_test.XXXXXX";
	FILE *file;
	int fd;

	if (geteuid()) {
		unit_skip("a file of another user", "needs root");
		return;
	}
	fd = mkstemp(path);
	if (fd < 0 || fchown(fd, NOBODY, NOBODY))
		abort();
	close(fd);
	unsetenv("SUDO_UID");
	unit_ok(trusted_file_open(path, 0, &file) == SYMBOL_FOREIGN && !file,
		"what another user has put there is not read");
	setenv("SUDO_UID", "65534", 1);
	unit_ok(trusted_file_open(path, 0, &file) == SYMBOL_FOUND && file,
		"but what he has who called sudo");
	fclose(file);
	unlink(path);
}

int main(void)
{
	test_foreign();
	return unit_exit();
}
