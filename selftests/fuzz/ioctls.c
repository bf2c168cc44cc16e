// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - random ioctls, with valid and invalid arguments
 */
#include <string.h>
#include <unistd.h>

#include "harness/common.h"
#include "fuzz/attrs.h"
#include "fuzz/ioctls.h"

static const char *backend_roll(struct dice *dice, const struct perf_event_attr *attr)
{
	static const char *const backends[] = { "nmi", "timer", "tsc", "soft",
						"fake", "intel", "amd", "x" };

	return dice_roll(dice, 2) ? attrs_backend(dice, attr) :
				    backends[dice_roll(dice, ARRAY_LEN(backends))];
}

static void fill_event(struct dice *dice)
{
	struct tprof_lx_event *event = (void *)dice->arg;
	struct perf_event_attr *attr = (void *)dice->attr;

	attrs_roll(dice, attr);
	strcpy(event->backend, backend_roll(dice, attr));
	if (!dice_roll(dice, 3))
		dice_spoil(dice, dice->attr, sizeof(*attr));
	event->attr = (unsigned long)dice->attr;
	event->flags = dice_roll(dice, 3) ? attrs_flags(dice, attr) : dice_roll(dice, 8);
	event->stack_bytes = dice_roll(dice, 2) ? 0 : 8 * dice_roll(dice, 8192);
	if (!dice_roll(dice, 4)) {
		memset(dice->list, 1 + dice_roll(dice, 3), 256);
		event->cpus = (unsigned long)dice->list;
		event->cpus_bytes = dice_roll(dice, 256);
	}
}

/* Limit the memory of a session, so that the test does not run out of memory. */
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
	if (dice_roll(dice, 2)) {
		config->cpus = (unsigned long)dice->list + sizeof(pid);
		config->cpus_bytes = dice_roll(dice, 252);
	}
	if (dice_roll(dice, 2)) {
		memcpy(dice->list, &pid, sizeof(pid));
		config->targets = (unsigned long)dice->list;
		config->nr_targets = dice_roll(dice, 2);
	}
	if (!dice_roll(dice, 4))
		*config = (struct tprof_lx_config){
			.size = config->size,
			.flags = TPROF_LX_CONFIG_KEEP,
		};
	config->flush_ms = dice_roll(dice, 2) ? 0 : dice_roll(dice, 1000);
	config->watermark = dice_roll(dice, 2) ? 0 : dice_roll(dice, 1 << 16);
}

/* Attach or detach this process, with or without descendants, or this thread. */
static void fill_target(struct dice *dice)
{
	struct tprof_lx_target *target = (void *)dice->arg;

	target->flags = dice_roll(dice, 3);
	target->pid = dice_roll(dice, 2) ? 0 : getpid();
}

/*
 * Follow names by up to 8 states, of which in one of 4 cases some do not exist. The name of this
 * program is accepted by some of them.
 */
static void fill_follow(struct dice *dice)
{
	struct tprof_lx_follow *follow = (void *)dice->arg;

	follow->flags = dice_roll(dice, 2);
	follow->nr_states = dice_roll(dice, 9);
	memset(dice->list, 0, 8 * 256);
	for (__u32 i = 0; i < 16 && follow->nr_states; i++)
		dice->list[dice_roll(dice, 8 * 256)] = dice_roll(dice, follow->nr_states);
	if (!dice_roll(dice, 4))
		dice_spoil(dice, dice->list, 8 * 256);
	follow->states = (unsigned long)dice->list;
}

static void fill_release(struct dice *dice)
{
	struct tprof_lx_release *release = (void *)dice->arg;

	release->event = dice_roll(dice, 4);
}

/*
 * Make a table of one page. There are few build-ids, so that sessions share some tables and
 * differ in others. In one of 4 cases, its contents are random.
 */
static void fill_table(struct dice *dice)
{
	struct tprof_lx_table *table = (void *)dice->arg;
	struct tprof_lx_unwind_rule *rules = (void *)dice->list;
	struct tprof_lx_unwind_row *rows = (void *)(rules + 8);
	__u32 *pages = (__u32 *)(rows + 8);

	memset(dice->list, 0, 256);
	for (__u32 i = 0; i < 8; i++) {
		rules[i] = (struct tprof_lx_unwind_rule){
			dice_roll(dice, 7), dice_roll(dice, 256), -16, dice_roll(dice, 16),
		};
		rows[i] = (struct tprof_lx_unwind_row){ i * 4096, dice_roll(dice, 8) };
	}
	table->build_id[0] = dice_roll(dice, 8);
	table->build_id_size = 20;
	table->nr_pages = 1;
	table->nr_rows = 1 + dice_roll(dice, 8);
	table->nr_rules = 8;
	pages[1] = table->nr_rows;
	if (!dice_roll(dice, 4)) {
		table->nr_pages = 0;
		table->nr_rows = 0;
		table->nr_rules = 0;
	}
	table->pages = (unsigned long)pages;
	table->rows = (unsigned long)rows;
	table->rules = (unsigned long)rules;
	if (!dice_roll(dice, 4))
		dice_spoil(dice, dice->list, 104);
}

static void fill_threads(struct dice *dice)
{
	struct tprof_lx_threads *threads = (void *)dice->arg;

	threads->event = dice_roll(dice, 4);
	threads->nr_threads = dice_roll(dice, 40);
	threads->threads = (unsigned long)dice->list;
	threads->thread_size = sizeof(struct tprof_lx_thread);
}

/* Select all events, or none. */
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

static void fill_names(struct dice *dice)
{
	struct tprof_lx_names *names = (void *)dice->arg;

	names->nr_names = dice_roll(dice, 16);
	names->name_size = sizeof(struct tprof_lx_name);
	names->names = (unsigned long)dice->list;
}

static void fill_events(struct dice *dice)
{
	struct tprof_lx_events *events = (void *)dice->arg;

	events->cpu = dice_roll(dice, 2) ? TPROF_LX_SUM : dice_roll(dice, 3);
	events->nr_events = dice_roll(dice, 40);
	events->event_size = sizeof(struct tprof_lx_listed);
	events->events = (unsigned long)dice->list;
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
	count->event = dice_roll(dice, 2) ? 0 : dice_roll(dice, 4);
	count->value = dice_value(dice);
}

/* Choose whether to write a count or a period. */
static void fill_write(struct dice *dice)
{
	struct tprof_lx_count *count = (void *)dice->arg;

	fill_count(dice);
	if (dice_roll(dice, 2))
		count->flags = TPROF_LX_WRITE_PERIOD;
}

/* Make a mark, possibly without the terminating zero of its text. */
static void fill_mark(struct dice *dice)
{
	struct tprof_lx_mark *mark = (void *)dice->arg;

	mark->value = dice_value(dice);
	memset(mark->text, 1 + dice_roll(dice, 255), dice_roll(dice, sizeof(mark->text) + 1));
}

/* Remove no records, or some of those that the session may have. */
static void fill_span(struct dice *dice)
{
	struct tprof_lx_span *span = (void *)dice->arg;

	if (dice_roll(dice, 2))
		return;
	span->offset = dice_roll(dice, 1 << 10) * sizeof(__u64);
	span->bytes = dice_roll(dice, 1 << 10) * sizeof(__u64);
}

/**
 * struct ioctl - an ioctl
 * @name:	name in messages
 * @command:	ioctl number, TPROF_LX_IOC_*
 * @size:	size of the argument, 0 if there is none
 * @fill:	function that fills in a valid argument
 * @weight:	frequency, relative to the other ioctls
 * @needs_pmu:	the ioctl always fails without hardware counters
 * @nr_good:	number of successful calls, in all threads
 */
static struct ioctl {
	const char	*name;
	unsigned long	command;
	__u32		size;
	void		(*fill)(struct dice *dice);
	unsigned int	weight;
	bool		needs_pmu;
	unsigned long	nr_good;
} ioctls[] = {
	{ "INFO", TPROF_LX_IOC_INFO, sizeof(struct tprof_lx_info), fill_info, 1 },
	{ "STATS", TPROF_LX_IOC_STATS, sizeof(struct tprof_lx_stats), fill_count, 1 },
	{ "SESSIONS", TPROF_LX_IOC_SESSIONS, sizeof(struct tprof_lx_sessions),
	  fill_sessions, 1 },
	{ "NAMES", TPROF_LX_IOC_NAMES, sizeof(struct tprof_lx_names), fill_names, 1 },
	{ "EVENTS", TPROF_LX_IOC_EVENTS, sizeof(struct tprof_lx_events), fill_events, 1 },
	{ "CONFIG", TPROF_LX_IOC_CONFIG, sizeof(struct tprof_lx_config), fill_config, 1 },
	/* Call EVENT often, since most other ioctls need an event. */
	{ "EVENT", TPROF_LX_IOC_EVENT, sizeof(struct tprof_lx_event), fill_event, 3 },
	{ "ATTACH", TPROF_LX_IOC_ATTACH, sizeof(struct tprof_lx_target), fill_target, 2 },
	{ "DETACH", TPROF_LX_IOC_DETACH, sizeof(struct tprof_lx_target), fill_target, 1 },
	{ "FOLLOW", TPROF_LX_IOC_FOLLOW, sizeof(struct tprof_lx_follow), fill_follow, 1 },
	{ "RELEASE", TPROF_LX_IOC_RELEASE, sizeof(struct tprof_lx_release), fill_release, 1 },
	{ "TABLE", TPROF_LX_IOC_TABLE, sizeof(struct tprof_lx_table), fill_table, 1 },
	{ "THREADS", TPROF_LX_IOC_THREADS, sizeof(struct tprof_lx_threads), fill_threads, 2 },
	{ "START", TPROF_LX_IOC_START, sizeof(struct tprof_lx_mask), fill_mask, 2 },
	{ "STOP", TPROF_LX_IOC_STOP, sizeof(struct tprof_lx_mask), fill_mask, 1 },
	{ "MARK", TPROF_LX_IOC_MARK, sizeof(struct tprof_lx_mark), fill_mark, 1 },
	{ "ADVANCE", TPROF_LX_IOC_ADVANCE, sizeof(struct tprof_lx_span), fill_span, 2 },
	{ "READ", TPROF_LX_IOC_READ, sizeof(struct tprof_lx_count), fill_count, 2 },
	{ "WRITE", TPROF_LX_IOC_WRITE, sizeof(struct tprof_lx_count), fill_write, 2 },
	{ "ROWS", TPROF_LX_IOC_ROWS, sizeof(struct tprof_lx_rows), fill_rows, 1, true },
	{ "ROW_ADMIN", TPROF_LX_IOC_ROW_ADMIN, sizeof(struct tprof_lx_row_admin),
	  fill_admin, 1, true },
	{ "FLUSH", TPROF_LX_IOC_FLUSH, 0, NULL, 1 },
};

/*
 * An argument that all threads share: one thread may change it while the kernel reads it
 * for another thread.
 */
static char shared[sizeof(((struct dice *)NULL)->arg)];

/*
 * Return the address of @dice->arg or of a copy. Some copies end at an inaccessible page,
 * so that only their first part can be read. In one of 16 cases, return NULL or a random
 * address instead.
 */
static void *place(struct dice *dice, const struct ioctl *which)
{
	__u32 size = which->size, part = dice_roll(dice, size);

	switch (dice_roll(dice, 16)) {
	case 0:
		return dice_roll(dice, 2) ? NULL : (void *)(~0UL << dice_roll(dice, 64));
	case 1:
		memcpy(dice->edge - part, dice->arg, part);
		return dice->edge - part;
	case 2:
	case 3:
		memcpy(dice->edge - size, dice->arg, size);
		return dice->edge - size;
	case 4:
		/*
		 * Do not put CONFIG in @shared: another thread could overwrite the sizes
		 * that bound_memory() has limited.
		 */
		if (which->command == TPROF_LX_IOC_CONFIG)
			return dice->arg;
		memcpy(shared, dice->arg, size);
		return shared;
	default:
		return dice->arg;
	}
}

/* Make the ioctl. If @arg is below 4 GiB, sometimes make it as a 32-bit program would. */
static int do_command(struct dice *dice, int fd, unsigned long command, void *arg)
{
	if ((unsigned long)arg < 1UL << 32 && dice_roll(dice, 2) && compat_is_possible())
		return compat_ioctl(fd, command, arg);
	return session_ioctl(fd, command, arg);
}

static int do_with_argument(struct dice *dice, int fd, const struct ioctl *which)
{
	memset(dice->arg, 0, sizeof(dice->arg));
	memcpy(dice->arg, &which->size, sizeof(which->size));
	which->fill(dice);
	if (!dice_roll(dice, 3))
		dice_spoil(dice, dice->arg, which->size);
	if (which->command == TPROF_LX_IOC_CONFIG)
		bound_memory(dice);
	return do_command(dice, fd, which->command, place(dice, which));
}

/* Try an unknown ioctl number, or a known one with another size or direction. */
static int do_unknown(struct dice *dice, int fd)
{
	unsigned long command = TPROF_LX_IOC_MAGIC << _IOC_TYPESHIFT;

	if (dice_roll(dice, 2))
		command |= 0x50 + dice_roll(dice, 0xb0);
	else
		command |= _IOC(1 + dice_roll(dice, 3), 0, dice_roll(dice, 0x50),
				dice_roll(dice, 512));
	return do_command(dice, fd, command, place(dice, &ioctls[0]));
}

static int do_flush(struct dice *dice, int fd)
{
	__u64 arg = dice_roll(dice, 4) ? 0 : dice_value(dice);

	return do_command(dice, fd, TPROF_LX_IOC_FLUSH, (void *)arg);
}

int ioctls_do(struct dice *dice, int fd)
{
	struct ioctl *which = &ioctls[dice_pick(dice, &ioctls->weight, sizeof(*ioctls),
						ARRAY_LEN(ioctls))];
	int err;

	if (!dice_roll(dice, 32))
		return do_unknown(dice, fd);
	err = which->size ? do_with_argument(dice, fd, which) : do_flush(dice, fd);
	if (err >= 0)
		__atomic_fetch_add(&which->nr_good, 1, __ATOMIC_RELAXED);
	return err < 0 ? err : 0;
}

/*
 * Return the name of an ioctl that never succeeded, or NULL. Ignore ioctls that need a
 * PMU.
 */
const char *ioctls_never_good(void)
{
	for (size_t i = 0; i < ARRAY_LEN(ioctls); i++) {
		if (!ioctls[i].nr_good && !ioctls[i].needs_pmu)
			return ioctls[i].name;
	}
	return NULL;
}
