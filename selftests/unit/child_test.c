// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - starting the command that `tprof-lx record` samples
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/child.h"
#include "unit.h"

static int run(const char *script, const struct identity *identity)
{
	char *argv[] = { "sh", "-c", (char *)script, NULL };
	struct child child;

	if (child_prepare(&child, argv, identity) || child_release(&child))
		return -1;
	return child_wait(&child);
}

static void test_status(void)
{
	struct identity same = { 0 };
	char *missing[] = { "/nonesuch", NULL };
	char *folder[] = { "/tmp", NULL };
	struct child child;

	unit_ok(run("exit 7", &same) == 7,
		"the exit status of the command is returned");
	unit_ok(run("kill -TERM $$", &same) == 128 + SIGTERM,
		"death by a signal is returned as 128 + signal");
	unit_ok(!child_prepare(&child, missing, &same) &&
		child_release(&child) == -ENOENT &&
		child_wait(&child) == STATUS_NOT_FOUND,
		"a missing command fails with ENOENT");
	unit_ok(!child_prepare(&child, folder, &same) &&
		child_release(&child) == -EACCES &&
		child_wait(&child) == STATUS_CANNOT_RUN,
		"a directory as the command fails with EACCES");
}

static void test_waiting(void)
{
	char dir[] = "/tmp/tprof-lx-unit.XXXXXX", path[64];
	char *argv[] = { "touch", path, NULL };
	struct identity same = { 0 };
	struct child child;
	struct pollfd pfd;

	snprintf(path, sizeof(path), "%s/ran", mkdtemp(dir));
	child_prepare(&child, argv, &same);
	pfd = (struct pollfd){ .fd = child.pidfd, .events = POLLIN };
	unit_ok(poll(&pfd, 1, 200) == 0 && access(path, F_OK),
		"the command does not run before it is released");
	unit_ok(!child_release(&child) && poll(&pfd, 1, 60000) == 1,
		"the end of the command can be polled for");
	unit_ok(!child_wait(&child) && !access(path, F_OK),
		"the command runs after it is released");
	unlink(path);

	child_prepare(&child, argv, &same);
	close(child.go);
	unit_ok(child_wait(&child) == STATUS_CANNOT_RUN && access(path, F_OK),
		"a command that is never released ends without running");
	close(child.failure);
	rmdir(dir);
}

static void test_signals(void)
{
	char *argv[] = { "sleep", "60", NULL };
	struct identity same = { 0 };
	struct child child;

	child_prepare(&child, argv, &same);
	child_release(&child);
	child_end(&child, SIGTERM);
	unit_ok(child_wait(&child) == 128 + SIGTERM,
		"a running command can be ended by a signal");
}

static void test_find(void)
{
	char *path = strdup(getenv("PATH"));

	setenv("PATH", "/nonesuch::/usr/bin:/bin", 1);
	unit_ok(!child_find("sh"), "a command in $PATH is found");
	unit_ok(!child_find("/bin/sh"), "a command given by its path is found");
	unit_ok(child_find("no-such-command") == -ENOENT,
		"a command that is not in $PATH is not found");
	unit_ok(child_find("/nonesuch/sh") == -ENOENT,
		"a path to a missing file is not found");
	unit_ok(child_find("/etc/passwd") == -EACCES,
		"a file that is not executable is refused");
	unit_ok(child_find("/tmp") == -EACCES, "a directory is refused");
	setenv("PATH", "", 1);
	unit_ok(child_find("sh") == -ENOENT,
		"with an empty $PATH no command is found");
	setenv("PATH", path, 1);
	free(path);
}

static void test_identity(void)
{
	struct identity identity = { 0 };
	struct identity other = { .changed = true, .uid = 65534, .gid = 65534 };

	if (geteuid()) {
		unit_skip("a command run as another user", "this needs root");
		return;
	}
	setenv("SUDO_UID", "65534", 1);
	setenv("SUDO_GID", "65533", 1);
	identity_of_invoker(&identity);
	unit_ok(identity.changed && identity.uid == 65534 &&
		identity.gid == 65533 && !strcmp(identity.name, "nobody"),
		"the identity is that of the user who called sudo");
	setenv("SUDO_UID", "0", 1);
	identity = (struct identity){ 0 };
	identity_of_invoker(&identity);
	unit_ok(!identity.changed, "root who called sudo stays root");
	setenv("SUDO_UID", "-1", 1);
	identity_of_invoker(&identity);
	unit_ok(!identity.changed, "a SUDO_UID of -1 is ignored");

	unit_ok(!run("test $(id -u):$(id -g):$(id -G) = 65534:65534:65534", &other),
		"a command run as another user has none of our groups");
	unit_ok(!run("grep -q '^CapEff:.*0000000000000000' /proc/self/status",
		     &other),
		"a command run as another user has no capability");
}

int main(void)
{
	test_status();
	test_waiting();
	test_signals();
	test_find();
	test_identity();
	return unit_exit();
}
