// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the ioctl that gives an unwind table to a session
 *
 * Context: process.
 */
#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/uaccess.h>

#include "dev/device_copy.h"
#include "dev/ioctl.h"
#include "session/session_table.h"
#include "tables/object.h"

#define TABLE_BYTES_MIN		72

static_assert(sizeof(struct tprof_lx_table) == 72);
static_assert(sizeof(struct tprof_lx_unwind_row) == 4);
static_assert(sizeof(struct tprof_lx_unwind_rule) == 8);
static_assert(sizeof_field(struct tprof_lx_table, build_id) == TPROF_ELFNOTE_ID_MAX);

static bool are_numbers_valid(const struct tprof_lx_table *arg)
{
	return arg->build_id_size && arg->build_id_size <= sizeof(arg->build_id) &&
	       !memchr_inv(arg->build_id + arg->build_id_size, 0,
			   sizeof(arg->build_id) - arg->build_id_size) &&
	       arg->nr_pages <= TPROF_LX_UNWIND_MAX_PAGES &&
	       arg->nr_rules <= TPROF_LX_UNWIND_MAX_RULES &&
	       !arg->nr_pages == !arg->nr_rows && !arg->nr_rules == !arg->nr_rows &&
	       arg->page0 <= U32_MAX - arg->nr_pages;
}

static bool copy_arrays(const struct tprof_table *table, const struct tprof_lx_table *arg)
{
	return !copy_from_user((void *)table->first, u64_to_user_ptr(arg->pages),
			       (table->nr_pages + 1) * sizeof(*table->first)) &&
	       !copy_from_user((void *)table->rules, u64_to_user_ptr(arg->rules),
			       table->nr_rules * sizeof(*table->rules)) &&
	       !copy_from_user((void *)table->rows, u64_to_user_ptr(arg->rows),
			       (size_t)table->nr_rows * sizeof(*table->rows));
}

static struct tprof_object_table *copy_table(const struct tprof_lx_table *arg, bool is_private)
{
	const struct tprof_table numbers = {
		.page0 = arg->page0,
		.nr_pages = arg->nr_pages,
		.nr_rows = arg->nr_rows,
		.nr_rules = arg->nr_rules,
	};
	struct tprof_object_table *table = tprof_object_table_alloc(&numbers, is_private);
	int err;

	if (IS_ERR(table))
		return table;
	err = copy_arrays(&table->table, arg) ? tprof_table_check(&table->table) : -EFAULT;
	if (!err)
		return table;
	tprof_object_table_free(table, is_private);
	return ERR_PTR(err);
}

/**
 * tprof_device_table - serve TPROF_LX_IOC_TABLE
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_table(struct tprof_session *session, void __user *user)
{
	struct tprof_object_table *table;
	struct tprof_object_id id = {};
	struct tprof_lx_table arg;
	int err;

	err = tprof_device_copy_in(&arg, sizeof(arg), TABLE_BYTES_MIN, user);
	if (err)
		return err;
	if (arg.flags || !are_numbers_valid(&arg))
		return -EINVAL;
	table = copy_table(&arg, session->watcher);
	if (IS_ERR(table))
		return PTR_ERR(table);
	memcpy(id.bytes, arg.build_id, sizeof(id.bytes));
	id.size = arg.build_id_size;
	return tprof_session_give_table(session, &id, table);
}
