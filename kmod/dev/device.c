// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the misc device: permission to open it, and its file operations
 *
 * Context: process.
 */
#include <linux/bitmap.h>
#include <linux/build_bug.h>
#include <linux/capability.h>
#include <linux/compat.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/pid_namespace.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>

#include "base/totals.h"
#include "dev/device.h"
#include "dev/ioctl.h"
#include "rights/degree.h"
#include "session/session.h"
#include "session/session_list.h"
#include "session/session_page.h"
#include "stream/reader.h"

static long serve_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct tprof_session *session = file->private_data;
	void __user *user = (void __user *)arg;

	switch (cmd) {
	case TPROF_LX_IOC_INFO:
		return tprof_device_info(session, user);
	case TPROF_LX_IOC_STATS:
		return tprof_device_stats(session, user);
	case TPROF_LX_IOC_SESSIONS:
		return tprof_device_sessions(session, user);
	case TPROF_LX_IOC_NAMES:
		return tprof_device_names(user);
	case TPROF_LX_IOC_EVENTS:
		return tprof_device_events(session, user);
	case TPROF_LX_IOC_CONFIG:
		return tprof_device_config(session, user);
	case TPROF_LX_IOC_EVENT:
		return tprof_device_event(session, user);
	case TPROF_LX_IOC_ATTACH:
		return tprof_device_attach(session, user);
	case TPROF_LX_IOC_DETACH:
		return tprof_device_detach(session, user);
	case TPROF_LX_IOC_FOLLOW:
		return tprof_device_follow(session, user);
	case TPROF_LX_IOC_RELEASE:
		return tprof_device_release_event(session, user);
	case TPROF_LX_IOC_TABLE:
		return tprof_device_table(session, user);
	case TPROF_LX_IOC_START:
		return tprof_device_start(session, user);
	case TPROF_LX_IOC_STOP:
		return tprof_device_stop(session, user);
	case TPROF_LX_IOC_FLUSH:
		return arg ? -EINVAL :
			     tprof_stream_flush(&session->stream,
						file->f_flags & O_NONBLOCK);
	case TPROF_LX_IOC_MARK:
		return tprof_device_mark(session, user);
	case TPROF_LX_IOC_ADVANCE:
		return tprof_device_advance(session, user);
	case TPROF_LX_IOC_READ:
		return tprof_device_read_count(session, user);
	case TPROF_LX_IOC_WRITE:
		return tprof_device_write_count(session, user);
	case TPROF_LX_IOC_THREADS:
		return tprof_device_threads(session, user);
	case TPROF_LX_IOC_ROWS:
		return tprof_device_rows(session, user);
	case TPROF_LX_IOC_ROW_ADMIN:
		return tprof_device_row_admin(user);
	default:
		return -ENOTTY;
	}
}

/* Return what a call costs the other CPUs. */
static enum tprof_quota_price price_of(unsigned int cmd)
{
	switch (cmd) {
	case TPROF_LX_IOC_CONFIG:
	case TPROF_LX_IOC_EVENT:
	case TPROF_LX_IOC_ATTACH:
	case TPROF_LX_IOC_DETACH:
	case TPROF_LX_IOC_FOLLOW:
	case TPROF_LX_IOC_RELEASE:
	case TPROF_LX_IOC_START:
	case TPROF_LX_IOC_STOP:
		return TPROF_QUOTA_CHANGE;
	case TPROF_LX_IOC_READ:
	case TPROF_LX_IOC_WRITE:
	case TPROF_LX_IOC_THREADS:
	case TPROF_LX_IOC_EVENTS:
	case TPROF_LX_IOC_NAMES:
	case TPROF_LX_IOC_SESSIONS:
	case TPROF_LX_IOC_ROWS:
	case TPROF_LX_IOC_FLUSH:
		return TPROF_QUOTA_READ;
	default:
		return TPROF_QUOTA_NOTHING;
	}
}

static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct tprof_session *session = file->private_data;
	long ret = tprof_quota_wait(session->quota, price_of(cmd));

	if (!ret)
		ret = serve_ioctl(file, cmd, arg);
	tprof_totals_add(TPROF_TOTAL_CALLS, 1);
	if (ret < 0)
		tprof_totals_add(TPROF_TOTAL_CALLS_FAILED, 1);
	return ret;
}

static ssize_t device_read(struct file *file, char __user *buf, size_t bytes,
			   loff_t *pos)
{
	struct tprof_session *session = file->private_data;

	if (!bytes)
		return 0;
	return tprof_reader_read(&session->stream, buf, bytes,
				 file->f_flags & O_NONBLOCK);
}

static __poll_t device_poll(struct file *file, poll_table *table)
{
	struct tprof_session *session = file->private_data;

	return tprof_reader_poll(&session->stream, file, table);
}

static int device_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct tprof_session *session = file->private_data;
	/* The lock of the address space is held, for which others may be waiting. */
	int err = tprof_quota_try(session->quota, TPROF_QUOTA_READ);

	if (err)
		return err;
	if (vma->vm_pgoff >= TPROF_LX_PAGE_OFFSET(0) >> PAGE_SHIFT)
		return tprof_session_map_page(session, vma);
	return tprof_reader_mmap(&session->stream, vma);
}

/*
 * Without privileges, the administrator must allow it, and the caller must be in the
 * initial user namespace.
 */
static bool may_open_unprivileged(void)
{
	return tprof_degree_may_open() && current_user_ns() == &init_user_ns;
}

/*
 * Samples contain kernel addresses and process ids of the initial namespace. So a session
 * with privileges requires CAP_PERFMON or CAP_SYS_ADMIN. Any session requires the initial
 * PID namespace, because a task in another one would misread the process ids.
 */
static int may_open(bool has_privileges)
{
	if (!has_privileges && !may_open_unprivileged())
		return -EPERM;
	if (task_active_pid_ns(current) != &init_pid_ns)
		return -EOPNOTSUPP;
	return security_locked_down(LOCKDOWN_PERF);
}

static int device_open(struct inode *inode, struct file *file)
{
	bool has_privileges = perfmon_capable();
	struct tprof_session *session;
	int err;

	err = may_open(has_privileges);
	if (err)
		return err;
	session = tprof_session_alloc(has_privileges);
	if (IS_ERR(session))
		return PTR_ERR(session);
	tprof_session_enlist(session);
	file->private_data = session;
	return stream_open(inode, file);
}

static int device_release(struct inode *inode, struct file *file)
{
	struct tprof_session *session = file->private_data;

	tprof_session_delist(session);
	tprof_session_free(session);
	return 0;
}

static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.read = device_read,
	.poll = device_poll,
	.mmap = device_mmap,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = TPROF_LX_DEVICE_NAME,
	.fops = &device_fops,
};

/**
 * tprof_device_init - register the device, the last step of module load
 *
 * Return: 0 or -errno.
 */
int tprof_device_init(void)
{
	device.mode = tprof_degree_may_open() ? 0666 : 0600;
	return misc_register(&device);
}

/** tprof_device_uninit - unregister the device, the first step of module exit */
void tprof_device_uninit(void)
{
	misc_deregister(&device);
}
