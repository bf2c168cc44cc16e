// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - parking the watchdog, with temporary files in place of /proc
 *
 * Some tests kill a process that uses counters. The guardian of that process then
 * restores the watchdog. These tests poll until the watchdog is restored, or fail after a
 * time limit.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/parking.h"
#include "unit.h"

#define WAIT_MS		10000

static char dir[] = "/tmp/tprof-lx-unit.XXXXXX";
static char watchdog[64], lock[64], busy[64];

static bool are_free(void)
{
	return access(busy, F_OK) != 0;
}

static const struct parking_places places = {
	.watchdog = watchdog,
	.lock = lock,
	.are_free = are_free,
};

static void set_watchdog(const char *value)
{
	FILE *file = fopen(watchdog, "w");

	fputs(value, file);
	fclose(file);
}

static void set_busy(bool on)
{
	if (on)
		close(open(busy, O_CREAT | O_WRONLY, 0600));
	else
		unlink(busy);
}

static bool is_on_within(int ms)
{
	for (; parking_watchdog(&places) != 1; ms -= 10) {
		if (ms <= 0)
			return false;
		poll(NULL, 0, 10);
	}
	return true;
}

static void test_park_and_restore(void)
{
	struct parking parking;

	set_watchdog("1\n");
	parking_join(&parking, &places);
	unit_ok(parking_watchdog(&places) == 1 && parking_park(&parking) == 1 &&
		parking_watchdog(&places) == 0, "the watchdog is parked");
	unit_ok(parking_park(&parking) == 0, "parking twice parks once");
	parking_leave(&parking);
	unit_ok(parking_watchdog(&places) == 1,
		"the watchdog is on again after leaving");
	parking_leave(&parking);

	set_watchdog("0\n");
	parking_join(&parking, &places);
	unit_ok(parking_park(&parking) == 0 && !parking.guardian,
		"a watchdog that is off needs no guardian");
	parking_leave(&parking);
	unit_ok(parking_watchdog(&places) == 0,
		"a watchdog that was off stays off");
}

static void test_failures(void)
{
	static const struct parking_places nowhere = { "/nonesuch/watchdog", "/nonesuch/lock",
						       are_free };
	struct parking parking = { 0 };

	parking_leave(&parking);
	parking_join(&parking, &nowhere);
	unit_ok(parking_watchdog(&nowhere) == -ENOENT && parking_park(&parking) == 0 &&
		!parking.guardian,
		"a kernel without a watchdog needs no guardian");
	parking_leave(&parking);
}

/*
 * Start a process that parks the watchdog and then waits to be killed. Set @guardian to
 * the pid of its guardian.
 */
static pid_t parked_process(pid_t *guardian)
{
	struct parking parking;
	int pair[2];
	pid_t pid;

	if (pipe(pair))
		return -1;
	pid = fork();
	if (pid == 0) {
		parking_join(&parking, &places);
		parking_park(&parking);
		if (write(pair[1], &parking.guardian, sizeof(pid_t)) == sizeof(pid_t))
			pause();
		_exit(1);
	}
	close(pair[1]);
	if (read(pair[0], guardian, sizeof(*guardian)) != sizeof(*guardian))
		*guardian = 0;
	close(pair[0]);
	return pid;
}

static void kill_and_wait(pid_t pid, int signal)
{
	kill(pid, signal);
	waitpid(pid, NULL, 0);
}

static void test_sudden_death(void)
{
	pid_t guardian, pid;

	set_watchdog("1\n");
	pid = parked_process(&guardian);
	unit_ok(guardian > 0 && parking_watchdog(&places) == 0,
		"another process has parked the watchdog");
	unit_ok(getsid(guardian) == guardian, "the guardian has a session of its own");
	kill(guardian, SIGTERM);
	kill(guardian, SIGINT);
	kill(guardian, SIGHUP);
	unit_ok(!is_on_within(200) && !kill(guardian, 0),
		"the guardian ignores SIGTERM, SIGINT and SIGHUP");
	kill_and_wait(pid, SIGKILL);
	unit_ok(is_on_within(WAIT_MS),
		"the watchdog is on again after SIGKILL of its user");
}

static void test_counters_in_use(void)
{
	pid_t guardian, pid;

	set_watchdog("1\n");
	set_busy(true);
	pid = parked_process(&guardian);
	kill_and_wait(pid, SIGKILL);
	unit_ok(!is_on_within(200),
		"the watchdog stays off while a session has counters");
	set_busy(false);
	unit_ok(is_on_within(WAIT_MS),
		"the watchdog is on again when the counters are free");
}

static void test_two_users(void)
{
	pid_t guardian, second_guardian, pid, second;
	struct parking parking;

	set_watchdog("1\n");
	pid = parked_process(&guardian);
	second = parked_process(&second_guardian);
	unit_ok(guardian > 0 && second_guardian == 0,
		"two users have one guardian");
	kill_and_wait(pid, SIGKILL);
	unit_ok(!is_on_within(200),
		"the watchdog stays off for the second user");
	kill_and_wait(second, SIGKILL);
	unit_ok(is_on_within(WAIT_MS),
		"the watchdog is on again after the last user");

	second = parked_process(&second_guardian);
	parking_join(&parking, &places);
	parking_park(&parking);
	parking_leave(&parking);
	unit_ok(parking_watchdog(&places) == 0,
		"a user that leaves first does not wait for others");
	kill_and_wait(second, SIGTERM);
	unit_ok(is_on_within(WAIT_MS),
		"the watchdog is on again after SIGTERM of the last user");
}

static void test_leaving_before_others(void)
{
	struct parking parking;
	pid_t guardian, pid;

	set_watchdog("1\n");
	parking_join(&parking, &places);
	parking_park(&parking);
	pid = parked_process(&guardian);
	parking_leave(&parking);
	unit_ok(parking_watchdog(&places) == 0,
		"the user with the guardian does not wait for others");
	kill_and_wait(pid, SIGKILL);
	unit_ok(is_on_within(WAIT_MS),
		"the guardian turns the watchdog on after the last user");
}

static void test_dead_guardian(void)
{
	struct parking parking;

	set_watchdog("1\n");
	parking_join(&parking, &places);
	parking_park(&parking);
	kill(parking.guardian, SIGKILL);
	parking_leave(&parking);
	unit_ok(parking_watchdog(&places) == 1,
		"a user without its guardian turns the watchdog on itself");
}

int main(void)
{
	mkdtemp(dir);
	snprintf(watchdog, sizeof(watchdog), "%s/nmi_watchdog", dir);
	snprintf(lock, sizeof(lock), "%s/lock", dir);
	snprintf(busy, sizeof(busy), "%s/busy", dir);

	/* Become the parent of orphaned guardians, so that waitpid() sees them. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	test_park_and_restore();
	test_failures();
	test_sudden_death();
	test_counters_in_use();
	test_two_users();
	test_leaving_before_others();
	test_dead_guardian();

	while (waitpid(-1, NULL, 0) > 0)
		;
	unlink(watchdog);
	unlink(lock);
	rmdir(dir);
	return unit_exit();
}
