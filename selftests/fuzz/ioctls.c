// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - random ioctls, with arguments from good to absurd
 */
#include <string.h>
#include <unistd.h>

#include "../common.h"
#include "ioctls.h"

static void fill_attr(struct dice *dice)
{
	struct perf_event_attr *attr = (void *)dice->attr;

	attr_init(attr, 1 + dice_roll(dice, 5000));
	if (!dice_roll(dice, 2))
		attr_track(attr);
	if (!dice_roll(dice, 3))
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (!dice_roll(dice, 3)) {
		attr->type = PERF_TYPE_HARDWARE;
		attr->config = dice_roll(dice, PERF_COUNT_HW_MAX);
	}
	if (!dice_roll(dice, 3))
		dice_spoil(dice, dice->attr, sizeof(*attr));
}

static void fill_event(struct dice *dice)
{
	static const char *const backends[] = { "nmi", "timer", "tsc", "fake",
						"intel", "amd", "x" };
	struct tprof_lx_event *event = (void *)dice->arg;

	fill_attr(dice);
	strcpy(event->backend, backends[dice_roll(dice, ARRAY_LEN(backends))]);
	event->attr = (unsigned long)dice->attr;
	event->flags = dice_roll(dice, 3) ? 0 : dice_roll(dice, 4);
}

/* The machine's memory is not under test. */
static void bound_memory(struct dice *dice)
{
	struct tprof_lx_config *config = (void *)dice->arg;

	config->ring_bytes %= 1 << 18;
	config->fifo_bytes %= 1 << 20;
	if (config->watermark > 1 << 20)
		config->watermark = 0;
}

static void fill_config(struct dice *dice)
{
	struct tprof_lx_config *config = (void *)dice->arg;
	__s32 pid = getpid();

	memset(dice->list, dice_roll(dice, 2) ? 0xff : 1, 256);
	if (!dice_roll(dice, 2)) {
		config->cpus = (unsigned long)dice->list;
		config->cpus_bytes = dice_roll(dice, 256);
	} else {
		memcpy(dice->list, &pid, sizeof(pid));
		config->targets = (unsigned long)dice->list;
		config->nr_targets = dice_roll(dice, 2);
	}
}

/* Of all kinds of events at once, or none. */
static void fill_mask(struct dice *dice)
{
	memset(dice->arg + 4, dice_roll(dice, 2) ? 0xff : 0, 4);
}

static void fill_rows(struct dice *dice)
{
	struct tprof_lx_rows *rows = (void *)dice->arg;

	rows->cpu = dice_roll(dice, 3);
	rows->nr_rows = dice_roll(dice, 70);
	rows->row_size = sizeof(struct tprof_lx_row);
	rows->rows = (unsigned long)dice->list;
}

static void fill_admin(struct dice *dice)
{
	struct tprof_lx_row_admin *admin = (void *)dice->arg;

	admin->cpu = dice_roll(dice, 2) ? TPROF_LX_SUM : dice_roll(dice, 3);
	admin->number = dice_roll(dice, 4);
	admin->kind = dice_roll(dice, 2);
	admin->state = dice_roll(dice, 3);
}

static void fill_sessions(struct dice *dice)
{
	struct tprof_lx_sessions *sessions = (void *)dice->arg;

	sessions->nr_sessions = dice_roll(dice, 8);
	sessions->session_size = sizeof(struct tprof_lx_session);
	sessions->sessions = (unsigned long)dice->list;
}

static void fill_info(struct dice *dice)
{
	struct tprof_lx_info *info = (void *)dice->arg;

	info->backends = (unsigned long)dice->list;
	info->nr_backends = dice_roll(dice, 16);
	info->backend_size = sizeof(struct tprof_lx_backend);
}

static void fill_count(struct dice *dice)
{
	struct tprof_lx_count *count = (void *)dice->arg;

	count->cpu = dice_roll(dice, 2) ? TPROF_LX_SUM : dice_roll(dice, 3);
	count->event = dice_roll(dice, 4);
	count->value = dice_value(dice);
}

static void fill_nothing(struct dice *dice)
{
}

/* What is asked for twice makes events, which most of the others need. */
static const struct {
	unsigned long	command;
	__u32		size;
	void		(*fill)(struct dice *dice);
} ioctls[] = {
	{ TPROF_LX_IOC_INFO, sizeof(struct tprof_lx_info), fill_info },
	{ TPROF_LX_IOC_STATS, sizeof(struct tprof_lx_stats), fill_count },
	{ TPROF_LX_IOC_SESSIONS, sizeof(struct tprof_lx_sessions), fill_sessions },
	{ TPROF_LX_IOC_CONFIG, sizeof(struct tprof_lx_config), fill_config },
	{ TPROF_LX_IOC_EVENT, sizeof(struct tprof_lx_event), fill_event },
	{ TPROF_LX_IOC_EVENT, sizeof(struct tprof_lx_event), fill_event },
	{ TPROF_LX_IOC_START, sizeof(struct tprof_lx_mask), fill_mask },
	{ TPROF_LX_IOC_START, sizeof(struct tprof_lx_mask), fill_mask },
	{ TPROF_LX_IOC_STOP, sizeof(struct tprof_lx_mask), fill_mask },
	{ TPROF_LX_IOC_MARK, sizeof(struct tprof_lx_mark), fill_nothing },
	{ TPROF_LX_IOC_READ, sizeof(struct tprof_lx_count), fill_count },
	{ TPROF_LX_IOC_WRITE, sizeof(struct tprof_lx_count), fill_count },
	{ TPROF_LX_IOC_ROWS, sizeof(struct tprof_lx_rows), fill_rows },
	{ TPROF_LX_IOC_ROW_ADMIN, sizeof(struct tprof_lx_row_admin), fill_admin },
	{ TPROF_LX_IOC_FLUSH, 0, NULL },
};

int ioctls_do(struct dice *dice, int fd)
{
	unsigned int which = dice_roll(dice, ARRAY_LEN(ioctls));
	unsigned long command = ioctls[which].command;
	__u32 size = ioctls[which].size;

	if (!ioctls[which].fill)
		return session_flush(fd);
	memset(dice->arg, 0, sizeof(dice->arg));
	memcpy(dice->arg, &size, sizeof(size));
	ioctls[which].fill(dice);
	if (!dice_roll(dice, 3))
		dice_spoil(dice, dice->arg, size);
	if (command == TPROF_LX_IOC_CONFIG)
		bound_memory(dice);
	return session_ioctl(fd, command, dice->arg);
}
