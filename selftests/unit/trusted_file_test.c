// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - which files with names of functions are trusted
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/trusted_file.h"
#include "unit.h"

#define NOBODY	65534

/* Only files of root, of this user, and of the user who called sudo are trusted. */
static void test_foreign(void)
{
	char path[] = "/tmp/trusted_file_test.XXXXXX";
	FILE *file;
	int fd;

	if (geteuid()) {
		unit_skip("a file of another user is not read", "this needs root");
		return;
	}
	fd = mkstemp(path);
	if (fd < 0 || fchown(fd, NOBODY, NOBODY))
		abort();
	close(fd);
	unsetenv("SUDO_UID");
	unit_ok(trusted_file_open(path, 0, &file) == SYMBOL_FOREIGN && !file,
		"a file of another user is not read");
	setenv("SUDO_UID", "65534", 1);
	unit_ok(trusted_file_open(path, 0, &file) == SYMBOL_FOUND && file,
		"a file of the user who called sudo is read");
	fclose(file);
	unlink(path);
}

int main(void)
{
	test_foreign();
	return unit_exit();
}
