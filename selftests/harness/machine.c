// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - functions for the machine and for the tests' kernel modules
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "harness/common.h"

static int device_ioctl(const char *path, unsigned long cmd, void *arg)
{
	int fd, ret;

	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = ioctl(fd, cmd, arg);
	if (ret < 0)
		ret = -errno;
	close(fd);
	return ret;
}

int fake_emit(struct tprof_lx_fake_emit *emit)
{
	return device_ioctl(TPROF_LX_FAKE_DEVICE, TPROF_LX_FAKE_IOC_EMIT, emit);
}

/* Emit @count numbered samples: sample N has the program counter (1 << 32) + N. */
int fake_emit_from(__u32 key, int context, __u64 count)
{
	struct tprof_lx_fake_emit emit = {
		.key	= key,
		.user	= 1,
		.batch	= 64,
		.period	= TPROF_LX_FAKE_MIN_PERIOD,
		.span	= 1ULL << 40,
	};
	int err;

	emit.ip[context] = 1ULL << 32;
	emit.count[context] = count;
	err = fake_emit(&emit);
	if (!err && emit.emitted[context] != count)
		err = -ECANCELED;
	return err;
}

__u64 fake_emitted(const struct tprof_lx_fake_emit *emit)
{
	__u64 sum = 0;

	for (int i = 0; i < TPROF_LX_FAKE_CONTEXTS; i++)
		sum += emit->emitted[i];
	return sum;
}

/*
 * Let @nr events of the back end "fake-count" happen on the caller's CPU. If @changes is
 * not NULL, set *@changes to the number of times that the gate of the event with @key was
 * opened or closed on this CPU.
 */
int fake_count(__u32 key, __u64 nr, __u64 *changes)
{
	struct tprof_lx_fake_count count = { .key = key, .nr = nr };
	/* Thousands of threads call this: do not open the device in each of them. */
	static int fd = -1;

	if (fd < 0)
		fd = open(TPROF_LX_FAKE_DEVICE, O_RDWR | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, TPROF_LX_FAKE_IOC_COUNT, &count))
		return -errno;
	if (changes)
		*changes = count.changes;
	return 0;
}

/* Let @nr events of the back end "fake-count" happen when this process closes its files. */
int fake_count_late(__u32 key, __u64 nr)
{
	struct tprof_lx_fake_count count = { .key = key, .nr = nr };
	int fd = open(TPROF_LX_FAKE_DEVICE, O_RDWR | O_CLOEXEC);

	/* The exit of the process closes @fd. */
	return fd < 0 || ioctl(fd, TPROF_LX_FAKE_IOC_COUNT_LATE, &count) ? -errno : 0;
}

/* Let the processes go on that close files with a late count. */
int fake_let_close(void)
{
	return device_ioctl(TPROF_LX_FAKE_DEVICE, TPROF_LX_FAKE_IOC_LET_CLOSE, NULL);
}

int fake_registry(enum tprof_lx_fake_attempt attempt)
{
	return device_ioctl(TPROF_LX_FAKE_DEVICE, TPROF_LX_FAKE_IOC_REGISTRY,
			    (void *)(unsigned long)attempt);
}

/*
 * Spend @ms milliseconds in @context. Do so in slices, between which the kernel can
 * schedule. The slices are long, so almost all the time is spent within them.
 */
int burn(enum tprof_lx_burn_context context, unsigned int ms, __u64 *spent_ns)
{
	__u64 end = now_ns() + ms * NSEC_PER_MSEC;
	struct tprof_lx_burn slice = {
		.context	= context,
		.usecs		= TPROF_LX_BURN_MAX_USECS,
	};
	int fd, err = 0;

	*spent_ns = 0;
	fd = open(TPROF_LX_BURN_DEVICE, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	while (!err && now_ns() < end) {
		if (ioctl(fd, TPROF_LX_BURN_IOC_BURN, &slice))
			err = -errno;
		*spent_ns += slice.spent_ns;
	}
	close(fd);
	return err;
}

int burn_foreign_nmi(int cpu)
{
	return device_ioctl(TPROF_LX_BURN_DEVICE, TPROF_LX_BURN_IOC_NMI,
			    (void *)(unsigned long)cpu);
}

int burn_lvtpc(int cpu)
{
	return device_ioctl(TPROF_LX_BURN_DEVICE, TPROF_LX_BURN_IOC_LVTPC,
			    (void *)(unsigned long)cpu);
}

/* Keep the caller's CPU in an NMI for @ms ms. The caller must be pinned to this CPU. */
int burn_stall(unsigned int ms)
{
	return device_ioctl(TPROF_LX_BURN_DEVICE, TPROF_LX_BURN_IOC_STALL,
			    (void *)(unsigned long)ms);
}

/* Return the CPU that burn_stall() keeps in an NMI, or -ENOENT. */
int burn_stalled(void)
{
	return device_ioctl(TPROF_LX_BURN_DEVICE, TPROF_LX_BURN_IOC_STALLED, NULL);
}

/* Load a module from the directory $TPROF_MODULES, to which run.sh has copied it. */
int module_load(const char *name, const char *parameters)
{
	const char *dir = getenv("TPROF_MODULES");
	char path[4096];
	int fd, err = 0;

	if (!dir)
		return -ENOENT;
	snprintf(path, sizeof(path), "%s/%s.ko", dir, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, parameters, 0))
		err = -errno;
	close(fd);
	return err;
}

static void module_name(char *copy, size_t bytes, const char *name)
{
	snprintf(copy, bytes, "%s", name);
	for (char *c = copy; *c; c++)
		*c = *c == '-' ? '_' : *c;
}

int module_unload(const char *name)
{
	char copy[64];

	module_name(copy, sizeof(copy), name);
	return syscall(SYS_delete_module, copy, O_NONBLOCK) ? -errno : 0;
}

/*
 * Unload tprof-lx-fake, which depends on tprof-lx. Then unload tprof-lx, and load both
 * again. If tprof-lx cannot be unloaded, load only tprof-lx-fake again.
 */
int modules_load_anew(void)
{
	int err;

	module_unload("tprof-lx-fake");
	err = module_is_loaded("tprof-lx") ? module_unload("tprof-lx") : 0;
	if (!err)
		err = module_load("tprof-lx", "");
	return module_load("tprof-lx-fake", "") ?: err;
}

bool module_is_loaded(const char *name)
{
	char copy[64], path[128];

	module_name(copy, sizeof(copy), name);
	snprintf(path, sizeof(path), "/sys/module/%s/initstate", copy);
	return !access(path, F_OK);
}

__u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

void nap(void)
{
	usleep(1000);
}

void spin_ms(unsigned int ms)
{
	__u64 end = now_ns() + ms * NSEC_PER_MSEC;

	while (now_ns() < end)
		;
}

int cpu_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

int cpus_online(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

int cpu_set_online(int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online",
		 cpu);
	return file_write(path, online ? "1" : "0");
}

/*
 * Find the bounds of function @name. kallsyms has no sizes, so take the address of
 * the next symbol as the end. The caller needs permission to see addresses.
 */
int kernel_symbol(const char *name, __u64 *begin, __u64 *end)
{
	unsigned long long address;
	char line[512], symbol[256];
	FILE *file;

	*begin = 0;
	*end = ~0ULL;
	file = fopen("/proc/kallsyms", "r");
	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %*c %255s", &address, symbol) == 2 &&
		    !strcmp(symbol, name))
			*begin = address;
	rewind(file);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx", &address) == 1 &&
		    address > *begin && address < *end)
			*end = address;
	fclose(file);
	return *begin ? 0 : -ENOENT;
}

/*
 * Read a number from a file: decimal, hexadecimal ("0x1f") or octal ("037"). Return the
 * number or -errno.
 */
long file_number(const char *path)
{
	char text[64];
	ssize_t len;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (len <= 0)
		return -EIO;
	text[len] = '\0';
	return strtoul(text, NULL, 0);
}

/* Return the number in an environment variable, or @fallback if the variable is not set. */
unsigned long environment(const char *name, unsigned long fallback)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 0) : fallback;
}

int file_write(const char *path, const char *text)
{
	ssize_t len = strlen(text);
	int fd, err = 0;

	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, text, len) != len)
		err = -errno;
	close(fd);
	return err;
}

/* Announce to guard.c that the kernel may log lines that contain @pattern. */
void expect_dmesg(const char *pattern)
{
	printf("# expect-dmesg: %s\n", pattern);
	fflush(stdout);
}

/* Expect the lines that the module logs at the first use of broken counters. */
void expect_counters(void)
{
	expect_dmesg("tprof_lx: intel: ");
	expect_dmesg("tprof_lx: amd: ");
}

/* Expect the lines that the module logs when it is loaded. */
void expect_load(void)
{
	expect_dmesg("is ready");
	expect_counters();
}

/* Announce to guard.c that this test exhausts memory until the OOM killer runs. */
void expect_oom(void)
{
	printf("# expect-oom\n");
	fflush(stdout);
}

/*
 * Run @function in a child, and wait until the child exits. Return the pid of the child,
 * or -ECHILD if the child has failed.
 */
int child_runs(void (*function)(const char *), const char *argument)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		function(argument);
		_exit(0);
	}
	return waitpid(pid, &status, 0) == pid && !status ? pid : -ECHILD;
}

/* Pass this to child_runs() for a child that only starts and exits. */
void do_nothing(const char *unused)
{
}

void do_exec(const char *path)
{
	execl(path, path, NULL);
	_exit(127);
}
