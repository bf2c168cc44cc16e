// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the thread that opens mapped binaries
 */
#include <fcntl.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perfdata/buildid.h"
#include "session/opener.h"
#include "unit.h"

static char dir[] = "/tmp/opener-test-XXXXXX";

static const char *path_of(const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void copy_self(const char *path)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	struct stat st;
	ssize_t len = 1;

	if (from < 0 || to < 0 || fstat(from, &st))
		abort();
	while (st.st_size > 0 && len > 0) {
		len = sendfile(to, from, NULL, st.st_size);
		st.st_size -= len;
	}
	close(from);
	close(to);
}

/* Start a process with @dir as its root. Return its id, or 0 if this user may not do so. */
static pid_t start_elsewhere(void)
{
	int ready[2];
	char byte = 0;
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC))
		abort();
	pid = fork();
	if (!pid) {
		if ((geteuid() && unshare(CLONE_NEWUSER)) || chroot(dir))
			_exit(1);
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1) {
		waitpid(pid, NULL, 0);
		pid = 0;
	}
	close(ready[0]);
	return pid;
}

static int keep_all(void)
{
	return 0;
}

/* Let the thread open a binary, and return what it keeps. */
static struct kept_files open_one(pid_t pid, const char *name, const struct build_id *id)
{
	struct table_maker maker = { 0 };
	struct kept_files kept = { 0 };
	struct opener *opener = NULL;

	if (opener_begin(&opener, &maker, keep_all))
		abort();
	opener_add(opener, pid, name, id);
	opener_end(&opener, &kept);
	return kept;
}

static sem_t may_begin;

static int wait_first(void)
{
	return sem_wait(&may_begin);
}

/* Add more binaries than have room while the thread opens none. */
static void test_full(const struct build_id *id)
{
	struct kept_files kept = { 0 };
	struct opener *opener = NULL;
	u32 i;

	if (sem_init(&may_begin, 0, 0) || opener_begin(&opener, NULL, wait_first))
		abort();
	for (i = 0; i < OPENER_JOBS + 3; i++)
		opener_add(opener, 0, path_of("nothing"), id);
	sem_post(&may_begin);
	unit_ok(opener_end(&opener, &kept) == 3, "binaries_without_room_are_counted");
}

static void test_elsewhere(const struct build_id *id)
{
	struct build_id other = *id, real;
	pid_t pid = start_elsewhere();
	struct kept_files kept;
	int fd;

	if (!pid) {
		unit_skip("a_binary_below_another_root_is_kept", "no root can be changed here");
		return;
	}
	kept = open_one(pid, "/inside", id);
	fd = kept_files_find(&kept, id);
	unit_ok(kept.nr == 1 && fd >= 0 && !build_id_of_fd(fd, &real) &&
		!memcmp(&real, id, sizeof(real)), "a_binary_below_another_root_is_kept");
	kept_files_free(&kept);
	other.data[0] ^= 1;
	kept = open_one(pid, "/inside", &other);
	unit_ok(!kept.nr, "another_build_is_not_kept");
	kept = open_one(pid, "/fifo", id);
	unit_ok(!kept.nr, "a_fifo_is_not_opened");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	struct build_id id = { 0 };
	struct kept_files kept;

	if (!mkdtemp(dir) || build_id_of_file("/proc/self/exe", &id))
		abort();
	copy_self(path_of("inside"));
	if (mkfifo(path_of("fifo"), 0600))
		abort();
	test_full(&id);
	test_elsewhere(&id);
	kept = open_one(getpid(), path_of("inside"), &id);
	unit_ok(!kept.nr, "a_binary_that_has_the_same_path_here_is_not_kept");
	unlink(path_of("inside"));
	unlink(path_of("fifo"));
	rmdir(dir);
	return unit_exit();
}
