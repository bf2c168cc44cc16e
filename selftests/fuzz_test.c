// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - ioctls with arguments that dice have thrown
 *
 * Nothing is expected of the answers. The kernel has to stay silent and alive
 * (guard.c judges that), and the ledgers have to be right in the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "kselftest_harness.h"
#include "stream.h"

#define NR_SESSIONS	3
#define SECONDS		6

static const unsigned long commands[] = {
	TPROF_LX_IOC_INFO, TPROF_LX_IOC_STATS, TPROF_LX_IOC_CONFIG,
	TPROF_LX_IOC_EVENT, TPROF_LX_IOC_EVENT, TPROF_LX_IOC_START,
	TPROF_LX_IOC_STOP, TPROF_LX_IOC_MARK, TPROF_LX_IOC_READ,
	TPROF_LX_IOC_WRITE, TPROF_LX_IOC_ROWS, TPROF_LX_IOC_SESSIONS,
	TPROF_LX_IOC_FLUSH,
};

static const __u32 sizes[] = {
	sizeof(struct tprof_lx_info), sizeof(struct tprof_lx_stats),
	sizeof(struct tprof_lx_config), sizeof(struct tprof_lx_event),
	sizeof(struct tprof_lx_event), sizeof(struct tprof_lx_mask),
	sizeof(struct tprof_lx_mask), sizeof(struct tprof_lx_mark),
	sizeof(struct tprof_lx_count), sizeof(struct tprof_lx_count),
	sizeof(struct tprof_lx_rows), sizeof(struct tprof_lx_sessions), 0,
};

/**
 * struct dice - where chance comes from, and what is thrown
 * @seed:	of rand_r()
 * @arg:	argument of an ioctl
 * @attr:	what EVENT may point to
 * @list:	what else may be pointed to
 */
struct dice {
	unsigned int	seed;
	char		arg[512];
	char		attr[512];
	char		list[8192];
};

static unsigned int roll(struct dice *dice, unsigned int sides)
{
	return rand_r(&dice->seed) % sides;
}

/* Numbers at which code goes wrong, and pointers that mostly lead somewhere. */
static __u64 roll_value(struct dice *dice)
{
	switch (roll(dice, 8)) {
	case 0:
		return 0;
	case 1:
		return roll(dice, 64);
	case 2:
		return 1ULL << roll(dice, 64);
	case 3:
		return (1ULL << roll(dice, 64)) - 1;
	case 4:
		return (unsigned long)dice->list;
	case 5:
		return (unsigned long)dice->attr;
	case 6:
		return getpid();
	default:
		return (__u64)rand_r(&dice->seed) << roll(dice, 33);
	}
}

/* Spoils a few of the 4-byte words of @bytes at @to. */
static void spoil(struct dice *dice, char *to, size_t bytes)
{
	for (unsigned int n = roll(dice, 4); n; n--) {
		__u64 value = roll_value(dice);
		size_t at = roll(dice, bytes / 4) * 4;

		memcpy(to + at, &value, at + 8 <= bytes ? 8 : 4);
	}
}

static void fill_attr(struct dice *dice)
{
	struct perf_event_attr *attr = (void *)dice->attr;

	attr_init(attr, 1 + roll(dice, 5000));
	if (!roll(dice, 2))
		attr_track(attr);
	if (!roll(dice, 3))
		spoil(dice, dice->attr, sizeof(*attr));
}

static void fill_event(struct dice *dice)
{
	static const char *const backends[] = { "nmi", "timer", "tsc",
						"fake", "x" };
	struct tprof_lx_event *event = (void *)dice->arg;

	fill_attr(dice);
	strcpy(event->backend, backends[roll(dice, ARRAY_LEN(backends))]);
	event->attr = (unsigned long)dice->attr;
}

static void fill_config(struct dice *dice)
{
	struct tprof_lx_config *config = (void *)dice->arg;
	__s32 pid = getpid();

	memset(dice->list, roll(dice, 2) ? 0xff : 1, sizeof(dice->list));
	if (!roll(dice, 2)) {
		config->cpus = (unsigned long)dice->list;
		config->cpus_bytes = roll(dice, 256);
	} else {
		memcpy(dice->list, &pid, sizeof(pid));
		config->targets = (unsigned long)dice->list;
		config->nr_targets = roll(dice, 2);
	}
}

/* The guest's memory is not under test. */
static void bound_memory(struct dice *dice)
{
	struct tprof_lx_config *config = (void *)dice->arg;

	config->ring_bytes %= 1 << 18;
	config->fifo_bytes %= 1 << 20;
	if (config->watermark > 1 << 20)
		config->watermark = 0;
}

static int do_ioctl(struct dice *dice, int fd)
{
	unsigned int which = roll(dice, ARRAY_LEN(commands));
	__u32 size = sizes[which];

	memset(dice->arg, 0, sizeof(dice->arg));
	memcpy(dice->arg, &size, sizeof(size));
	if (commands[which] == TPROF_LX_IOC_FLUSH)
		return session_flush(fd);
	if (commands[which] == TPROF_LX_IOC_EVENT)
		fill_event(dice);
	else if (commands[which] == TPROF_LX_IOC_CONFIG)
		fill_config(dice);
	else
		memset(dice->arg + 4, roll(dice, 2) ? 0xff : 0, 4);
	if (!roll(dice, 3))
		spoil(dice, dice->arg, size);
	if (commands[which] == TPROF_LX_IOC_CONFIG)
		bound_memory(dice);
	return session_ioctl(fd, commands[which], dice->arg);
}

static void do_read(struct dice *dice, int fd)
{
	static char buf[1 << 16];
	ssize_t len = read(fd, roll(dice, 8) ? buf : (char *)8,
			   roll(dice, sizeof(buf)));
	int ignored __attribute__((unused)) = len;
}

/* Nothing is known of the layout now, so the end is all that is waited for. */
static int read_to_end(int fd)
{
	static char buf[1 << 16];
	ssize_t len;

	do {
		len = read(fd, buf, sizeof(buf));
	} while (len > 0 || (len < 0 && errno == EAGAIN));
	return len < 0 ? -errno : 0;
}

static __u32 nr_events(int fd)
{
	struct tprof_lx_stats stats;
	__u32 nr = 0;

	while (!session_stats(fd, TPROF_LX_SUM, nr, &stats))
		nr++;
	return nr;
}

TEST(fuzz_ioctls)
{
	static struct dice dice;
	__u64 end = now_ns() + SECONDS * NSEC_PER_SEC;
	__u64 nr_done = 0, nr_good = 0;
	int fds[NR_SESSIONS];

	dice.seed = now_ns();
	printf("# seed %u\n", dice.seed);
	for (int i = 0; i < NR_SESSIONS; i++)
		fds[i] = -1;
	do {
		int *fd = &fds[roll(&dice, NR_SESSIONS)];

		if (*fd < 0 || !roll(&dice, 100)) {
			close(*fd);
			*fd = session_open(O_NONBLOCK);
			ASSERT_LE(0, *fd);
		}
		nr_good += !do_ioctl(&dice, *fd);
		nr_done++;
		do_read(&dice, *fd);
	} while (now_ns() < end);

	for (int i = 0; i < NR_SESSIONS; i++) {
		if (fds[i] < 0)
			continue;
		EXPECT_EQ(0, session_stop(fds[i], ALL_EVENTS));
		EXPECT_EQ(0, read_to_end(fds[i]));
		EXPECT_TRUE(ledgers_add_up(fds[i], nr_events(fds[i])));
		close(fds[i]);
	}
	printf("# %llu ioctls, %llu of them good\n", nr_done, nr_good);
	EXPECT_LT(0, nr_good);
}

TEST_HARNESS_MAIN
