// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - call the device, with one function for each ioctl
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "live/device.h"

static int call(int fd, unsigned long request, void *arg)
{
	int ret;

	do {
		ret = ioctl(fd, request, arg);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : 0;
}

/* Open a session. Return a file descriptor with O_NONBLOCK, or -errno. */
int device_open(void)
{
	int fd = open(DEVICE_PATH, O_RDWR | O_CLOEXEC | O_NONBLOCK);

	return fd < 0 ? -errno : fd;
}

/*
 * Call INFO. Make sure that all strings in @info are terminated, and that nr_backends is
 * at most the size of @info->backends.
 */
int device_info(int fd, struct device_info *info)
{
	u32 i;
	int err;

	*info = (struct device_info){
		.info.size = sizeof(info->info),
		.info.backends = (uintptr_t)info->backends,
		.info.nr_backends = ARRAY_SIZE(info->backends),
		.info.backend_size = sizeof(info->backends[0]),
	};
	err = call(fd, TPROF_LX_IOC_INFO, &info->info);
	if (err)
		return err;
	if (info->info.nr_backends > ARRAY_SIZE(info->backends))
		info->info.nr_backends = ARRAY_SIZE(info->backends);
	for (i = 0; i < info->info.nr_backends; i++) {
		info->backends[i].name[TPROF_LX_NAME_LEN - 1] = '\0';
		info->backends[i].text[TPROF_LX_TEXT_LEN - 1] = '\0';
	}
	info->info.version[sizeof(info->info.version) - 1] = '\0';
	return 0;
}

/* Return true if the module has a back end of this name. */
bool device_has_backend(const struct device_info *info, const char *name)
{
	u32 i;

	for (i = 0; i < info->info.nr_backends; i++) {
		if (!strcmp(info->backends[i].name, name))
			return true;
	}
	return false;
}

/* Configure the session. On return, @config has the values that the module uses. */
int device_config(int fd, struct tprof_lx_config *config)
{
	config->size = sizeof(*config);
	return call(fd, TPROF_LX_IOC_CONFIG, config);
}

/* Give the unwind table of an object to the session. */
int device_table(int fd, struct tprof_lx_table *table)
{
	table->size = sizeof(*table);
	return call(fd, TPROF_LX_IOC_TABLE, table);
}

/* Add a process or a thread to the targets of the session. */
int device_attach(int fd, s32 pid, u32 flags)
{
	struct tprof_lx_target target = { .size = sizeof(target), .flags = flags, .pid = pid };

	return call(fd, TPROF_LX_IOC_ATTACH, &target);
}

/*
 * Let processes become targets by their names, unless @names is NULL. Set @nr_followed to the
 * number of those that did.
 */
int device_follow(int fd, const struct name_automaton *names, u32 flags, u64 *nr_followed)
{
	struct tprof_lx_follow follow = {
		.size = sizeof(follow),
		.flags = flags,
		.nr_states = names ? names->nr : 0,
		.states = names ? (uintptr_t)names->states : 0,
	};
	int err = call(fd, TPROF_LX_IOC_FOLLOW, &follow);

	*nr_followed = follow.nr_followed;
	return err;
}

/* Add an event. On return, @event has its id, index and period. */
int device_event(int fd, const char *backend, const struct perf_event_attr *attr, u32 flags,
		 u32 stack_bytes, const struct cpu_list *cpus, struct tprof_lx_event *event)
{
	*event = (struct tprof_lx_event){
		.size = sizeof(*event),
		.flags = flags,
		.attr = (uintptr_t)attr,
		.cpus = cpus->bytes ? (uintptr_t)cpus->bits : 0,
		.cpus_bytes = cpus->bytes,
		.stack_bytes = stack_bytes,
	};
	snprintf(event->backend, sizeof(event->backend), "%s", backend);
	return call(fd, TPROF_LX_IOC_EVENT, event);
}

/*
 * Start the events in @mask. Set @degraded to the mask of the started events that have a
 * limitation.
 */
int device_start(int fd, u32 mask, u32 *degraded)
{
	struct tprof_lx_mask arg = { .size = sizeof(arg), .mask = mask };
	int err = call(fd, TPROF_LX_IOC_START, &arg);

	*degraded = err ? 0 : arg.degraded;
	return err;
}

int device_stop(int fd, u32 mask)
{
	struct tprof_lx_mask arg = { .size = sizeof(arg), .mask = mask };

	return call(fd, TPROF_LX_IOC_STOP, &arg);
}

/* Remove the records in @span, then set @span to the records after them. */
int device_advance(int fd, struct tprof_lx_span *span)
{
	span->size = sizeof(*span);
	return call(fd, TPROF_LX_IOC_ADVANCE, span);
}

/* Read the ledger and the statistics of @event on @cpu; both may be TPROF_LX_SUM. */
int device_stats(int fd, u32 cpu, u32 event, struct tprof_lx_stats *stats)
{
	*stats = (struct tprof_lx_stats){ .size = sizeof(*stats), .cpu = cpu, .event = event };
	return call(fd, TPROF_LX_IOC_STATS, stats);
}

/* Read the count of @event on @cpu, which may be TPROF_LX_SUM. */
int device_read(int fd, u32 cpu, u32 event, struct tprof_lx_count *count)
{
	*count = (struct tprof_lx_count){ .size = sizeof(*count), .cpu = cpu, .event = event };
	return call(fd, TPROF_LX_IOC_READ, count);
}

/*
 * List the counts of @event by thread in @threads, which has room for @room threads. There may
 * be more: @list->nr_threads is their number.
 */
int device_threads(int fd, u32 event, struct tprof_lx_thread *threads, u32 room,
		   struct tprof_lx_threads *list)
{
	u32 i;
	int err;

	*list = (struct tprof_lx_threads){
		.size = sizeof(*list),
		.event = event,
		.nr_threads = room,
		.thread_size = sizeof(*threads),
		.threads = (uintptr_t)threads,
	};
	err = call(fd, TPROF_LX_IOC_THREADS, list);
	for (i = 0; !err && i < list->nr_threads && i < room; i++)
		threads[i].comm[TPROF_LX_NAME_LEN - 1] = '\0';
	return err;
}

/*
 * Read the counters of @cpu and their holders into @rows. Set @nr to the number of
 * rows.
 */
int device_rows(int fd, u32 cpu, struct tprof_lx_row *rows, u32 room, u32 *nr)
{
	struct tprof_lx_rows arg = {
		.size = sizeof(arg),
		.cpu = cpu,
		.nr_rows = room,
		.row_size = sizeof(*rows),
		.rows = (uintptr_t)rows,
	};
	int err = call(fd, TPROF_LX_IOC_ROWS, &arg);
	u32 i;

	*nr = 0;
	if (err)
		return err;
	*nr = arg.nr_rows < room ? arg.nr_rows : room;
	for (i = 0; i < *nr; i++)
		rows[i].comm[TPROF_LX_NAME_LEN - 1] = '\0';
	return 0;
}

/*
 * Read all sessions, including @fd, into @sessions. Set @nr to the number of
 * sessions.
 */
int device_sessions(int fd, struct tprof_lx_session *sessions, u32 room, u32 *nr)
{
	struct tprof_lx_sessions arg = {
		.size = sizeof(arg),
		.nr_sessions = room,
		.session_size = sizeof(*sessions),
		.sessions = (uintptr_t)sessions,
	};
	int err = call(fd, TPROF_LX_IOC_SESSIONS, &arg);
	u32 i;

	*nr = 0;
	if (err)
		return err;
	*nr = arg.nr_sessions < room ? arg.nr_sessions : room;
	for (i = 0; i < *nr; i++)
		sessions[i].comm[TPROF_LX_NAME_LEN - 1] = '\0';
	return 0;
}

/* Read the events that back ends have by name into @names. Set @nr to their number. */
int device_names(int fd, struct tprof_lx_name *names, u32 room, u32 *nr)
{
	struct tprof_lx_names arg = {
		.size = sizeof(arg),
		.nr_names = room,
		.name_size = sizeof(*names),
		.names = (uintptr_t)names,
	};
	int err = call(fd, TPROF_LX_IOC_NAMES, &arg);
	u32 i;

	*nr = 0;
	if (err)
		return err;
	*nr = arg.nr_names < room ? arg.nr_names : room;
	for (i = 0; i < *nr; i++) {
		names[i].backend[sizeof(names[i].backend) - 1] = '\0';
		names[i].name[sizeof(names[i].name) - 1] = '\0';
		names[i].alias[sizeof(names[i].alias) - 1] = '\0';
		names[i].text[sizeof(names[i].text) - 1] = '\0';
	}
	return 0;
}

/*
 * Read the events of all sessions into @events, with the numbers of @cpu, which may be
 * TPROF_LX_SUM. Set @nr to the number of events, of which there may be more than @room, and
 * @around_ns to the estimate for an interrupt.
 */
int device_events(int fd, u32 cpu, struct tprof_lx_listed *events, u32 room, u32 *nr,
		  u64 *around_ns)
{
	struct tprof_lx_events arg = {
		.size = sizeof(arg),
		.cpu = cpu,
		.nr_events = room,
		.event_size = sizeof(*events),
		.events = (uintptr_t)events,
	};
	int err = call(fd, TPROF_LX_IOC_EVENTS, &arg);
	u32 i;

	*nr = err ? 0 : arg.nr_events;
	*around_ns = err ? 0 : arg.around_ns;
	for (i = 0; i < *nr && i < room; i++) {
		events[i].comm[sizeof(events[i].comm) - 1] = '\0';
		events[i].backend[sizeof(events[i].backend) - 1] = '\0';
	}
	return err;
}

/* Disable or enable a counter. The caller need not set the size in @arg. */
int device_row_admin(int fd, const struct tprof_lx_row_admin *arg)
{
	struct tprof_lx_row_admin sized = *arg;

	sized.size = sizeof(sized);
	return call(fd, TPROF_LX_IOC_ROW_ADMIN, &sized);
}
