// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - ioctls on counts (READ, WRITE, THREADS) and on counters (ROWS, ROW_ADMIN)
 *
 * Context: process.
 */
#include <linux/build_bug.h>
#include <linux/capability.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/threads.h>

#include "base/gfp.h"
#include "dev/device_copy.h"
#include "dev/ioctl.h"
#include "pmu/pmu.h"
#include "session/session_count.h"

/* Size of the first version of each struct; a smaller struct is refused. */
#define COUNT_BYTES_MIN		48
#define THREAD_BYTES_MIN	56
#define THREADS_BYTES_MIN	64
#define ROW_BYTES_MIN		72
#define ROWS_BYTES_MIN		32
#define ROW_ADMIN_BYTES_MIN	24

/* Number of threads for which THREADS has room at first. */
#define FIRST_THREADS		256U

static_assert(sizeof(struct tprof_lx_count) == 48);
static_assert(sizeof(struct tprof_lx_thread) == 56);
static_assert(sizeof(struct tprof_lx_threads) == 64);
static_assert(sizeof(struct tprof_lx_row) == 72);
static_assert(sizeof(struct tprof_lx_rows) == 32);
static_assert(sizeof(struct tprof_lx_row_admin) == 24);

static int copy_count(struct tprof_lx_count *count, void __user *user,
		      u32 flags)
{
	int err;

	err = tprof_device_copy_in(count, sizeof(*count), COUNT_BYTES_MIN,
				   user);
	if (err)
		return err;
	if (count->flags & ~flags)
		return -EINVAL;
	return count->cpu == TPROF_LX_SUM || tprof_device_is_cpu(count->cpu) ? 0 : -EINVAL;
}

/**
 * tprof_device_read_count - serve TPROF_LX_IOC_READ
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_read_count(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_count count;
	int err;

	err = copy_count(&count, user, 0);
	if (!err)
		err = tprof_session_read(session, &count);
	return err ? err : tprof_device_copy_out(user, &count, sizeof(count));
}

/**
 * tprof_device_write_count - serve TPROF_LX_IOC_WRITE
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_write_count(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_count count;
	int err;

	err = copy_count(&count, user, TPROF_LX_WRITE_PERIOD);
	if (!err && (count.yields || count.missed_ns))
		err = -EINVAL;
	return err ? err : tprof_session_write(session, &count);
}

/*
 * List the threads in memory that kvfree() frees, also after an error. The caller's @room may be
 * any number, so it is no reason to allocate: only the number of threads is.
 */
static int list_threads(struct tprof_session *session, struct tprof_lx_threads *arg, u32 room,
			struct tprof_lx_thread **list)
{
	const struct tprof_lx_threads asked = *arg;
	u32 capacity = min(room, FIRST_THREADS);
	int err;

	for (;;) {
		*list = kvcalloc(capacity + 1, sizeof(**list), TPROF_GFP);
		if (!*list)
			return -ENOMEM;
		err = tprof_session_threads(session, arg, *list, capacity);
		if (err || arg->nr_threads <= capacity || capacity == room)
			return err;
		/* More threads may begin meanwhile. */
		capacity = min(room, arg->nr_threads + arg->nr_threads / 8);
		*arg = asked;
		kvfree(*list);
	}
}

static int copy_threads(struct tprof_session *session, struct tprof_lx_threads *arg)
{
	const struct tprof_device_array array = {
		.to = arg->threads,
		.room = min_t(u32, arg->threads ? arg->nr_threads : 0, PID_MAX_LIMIT),
		.stride = arg->thread_size,
		.stride_min = THREAD_BYTES_MIN,
	};
	struct tprof_lx_thread *list;
	int err;

	err = list_threads(session, arg, array.room, &list);
	err = err ?: tprof_device_copy_list(&array, list, sizeof(*list), arg->nr_threads);
	kvfree(list);
	return err;
}

/**
 * tprof_device_threads - serve TPROF_LX_IOC_THREADS
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_threads(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_threads arg;
	int err;

	err = tprof_device_copy_in(&arg, sizeof(arg), THREADS_BYTES_MIN, user);
	if (err)
		return err;
	if (arg.flags || arg.reserved)
		return -EINVAL;
	arg.unattributed = 0;
	arg.gone = 0;
	arg.gone_ns = 0;
	arg.nr_gone = 0;
	err = copy_threads(session, &arg);
	return err ? err : tprof_device_copy_out(user, &arg, sizeof(arg));
}

/* A session without privileges sees that counters are taken, but not for what. */
static void hide_owners(struct tprof_lx_row *rows, u32 nr)
{
	for (; nr; nr--, rows++)
		*rows = (struct tprof_lx_row){
			.kind = rows->kind,
			.number = rows->number,
			.bits = rows->bits,
			.state = rows->state,
		};
}

static int copy_rows(struct tprof_lx_rows *arg, bool has_owners)
{
	const struct tprof_device_array array = {
		.to = arg->rows,
		.room = min_t(u32, arg->nr_rows, TPROF_LX_MAX_ROWS),
		.stride = arg->row_size,
		.stride_min = ROW_BYTES_MIN,
	};
	struct tprof_lx_row *rows;
	int err;

	rows = kcalloc(TPROF_LX_MAX_ROWS, sizeof(*rows), GFP_KERNEL);
	if (!rows)
		return -ENOMEM;
	arg->nr_rows = tprof_pmu_list_rows(arg->cpu, rows, TPROF_LX_MAX_ROWS);
	if (!has_owners)
		hide_owners(rows, TPROF_LX_MAX_ROWS);
	err = tprof_device_copy_list(&array, rows, sizeof(*rows), arg->nr_rows);
	kfree(rows);
	return err;
}

/**
 * tprof_device_rows - serve TPROF_LX_IOC_ROWS
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_rows(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_rows arg;
	int err;

	err = tprof_device_copy_in(&arg, sizeof(arg), ROWS_BYTES_MIN, user);
	if (err)
		return err;
	if (arg.flags || arg.reserved || !tprof_device_is_cpu(arg.cpu))
		return -EINVAL;
	err = copy_rows(&arg, !session->watcher);
	return err ? err : tprof_device_copy_out(user, &arg, sizeof(arg));
}

/**
 * tprof_device_row_admin - serve TPROF_LX_IOC_ROW_ADMIN
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_row_admin(void __user *user)
{
	struct tprof_lx_row_admin arg;
	int err;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	err = tprof_device_copy_in(&arg, sizeof(arg), ROW_ADMIN_BYTES_MIN,
				   user);
	if (err)
		return err;
	if (arg.flags || (arg.cpu != TPROF_LX_SUM && !tprof_device_is_cpu(arg.cpu)))
		return -EINVAL;
	if (arg.state != TPROF_LX_ROW_FREE &&
	    arg.state != TPROF_LX_ROW_DISABLED)
		return -EINVAL;
	return tprof_pmu_admin_row(&arg);
}
