// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the command that is recorded
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

	unit_ok(run("exit 7", &same) == 7, "an exit status is handed on");
	unit_ok(run("kill -TERM $$", &same) == 128 + SIGTERM,
		"a signal is told as shells tell it");
	unit_ok(!child_prepare(&child, missing, &same) &&
		child_release(&child) == -ENOENT &&
		child_wait(&child) == STATUS_NOT_FOUND,
		"a command that is not there");
	unit_ok(!child_prepare(&child, folder, &same) &&
		child_release(&child) == -EACCES &&
		child_wait(&child) == STATUS_CANNOT_RUN,
		"a command that is a folder");
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
		"nothing runs before it is released");
	unit_ok(!child_release(&child) && poll(&pfd, 1, 60000) == 1,
		"its end can be waited for");
	unit_ok(!child_wait(&child) && !access(path, F_OK),
		"it runs when it is released");
	unlink(path);

	child_prepare(&child, argv, &same);
	close(child.go);
	unit_ok(child_wait(&child) == STATUS_CANNOT_RUN && access(path, F_OK),
		"whoever is never released ends, and does nothing");
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
	unit_ok(child_wait(&child) == 128 + SIGTERM, "it can be ended");
}

static void test_find(void)
{
	char *path = strdup(getenv("PATH"));

	setenv("PATH", "/nonesuch::/usr/bin:/bin", 1);
	unit_ok(!child_find("sh"), "a command of $PATH");
	unit_ok(!child_find("/bin/sh"), "a path");
	unit_ok(child_find("no-such-command") == -ENOENT, "nothing of $PATH");
	unit_ok(child_find("/nonesuch/sh") == -ENOENT, "a path to nothing");
	unit_ok(child_find("/etc/passwd") == -EACCES, "a file of no use");
	unit_ok(child_find("/tmp") == -EACCES, "a folder");
	setenv("PATH", "", 1);
	unit_ok(child_find("sh") == -ENOENT, "an empty $PATH");
	setenv("PATH", path, 1);
	free(path);
}

static void test_identity(void)
{
	struct identity identity = { 0 };
	struct identity other = { .changed = true, .uid = 65534, .gid = 65534 };

	if (geteuid()) {
		unit_skip("another user", "this needs root");
		return;
	}
	setenv("SUDO_UID", "65534", 1);
	setenv("SUDO_GID", "65533", 1);
	identity_of_invoker(&identity);
	unit_ok(identity.changed && identity.uid == 65534 &&
		identity.gid == 65533 && !strcmp(identity.name, "nobody"),
		"the user behind sudo");
	setenv("SUDO_UID", "0", 1);
	identity = (struct identity){ 0 };
	identity_of_invoker(&identity);
	unit_ok(!identity.changed, "root behind sudo stays root");
	setenv("SUDO_UID", "-1", 1);
	identity_of_invoker(&identity);
	unit_ok(!identity.changed, "no user has that number");

	unit_ok(!run("test $(id -u):$(id -g):$(id -G) = 65534:65534:65534", &other),
		"another user, and none of our groups");
	unit_ok(!run("grep -q '^CapEff:.*0000000000000000' /proc/self/status",
		     &other), "another user has no capability");
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
