// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - which tasks a session without privileges may have
 *
 * The kernel decides by ptrace_may_access(), which modules cannot call, whether a task
 * may observe another one. But the kernel also calls it before it follows a link in
 * /proc/PID/ns. So the check here opens such a link, with the credentials of the
 * watcher. It uses a mount of procfs that no task can see or cover. A comparison of
 * credentials alone does not do: it leaves out the security modules (Yama, SELinux), which
 * an administrator relies on, and which only ptrace_may_access() asks.
 *
 * That check can sleep. Probes, which cannot, compare credentials only.
 *
 * Context: process, except tprof_access_allows() and tprof_access_allows_process().
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mount.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/uidgid.h>

#include "rights/access.h"

/* Protects @proc. */
static DEFINE_MUTEX(proc_lock);
/* A mount of procfs of the initial PID namespace; NULL until it is needed. */
static struct vfsmount *proc;

/* The current task is in the initial PID namespace, because open(2) has checked that. */
static int mount_proc(void)
{
	struct vfsmount *mount;

	guard(mutex)(&proc_lock);
	if (proc)
		return 0;
	mount = kern_mount(get_fs_type("proc"));
	if (IS_ERR(mount))
		return PTR_ERR(mount);
	proc = mount;
	return 0;
}

/** tprof_access_uninit - free the mount of procfs at module exit */
void tprof_access_uninit(void)
{
	if (proc)
		kern_unmount(proc);
}

/**
 * tprof_access_watcher - make a watcher of the current task
 *
 * Links of /proc are checked with @fsuid and @fsgid. perf_event_open(2) checks the real
 * ids, so the watcher has these in both.
 *
 * Context: process, may sleep, in the initial PID namespace.
 * Return: credentials with a reference, or ERR_PTR() of -errno.
 */
const struct cred *tprof_access_watcher(void)
{
	struct cred *watcher;
	int err = mount_proc();

	if (err)
		return ERR_PTR(err);
	watcher = prepare_creds();
	if (!watcher)
		return ERR_PTR(-ENOMEM);
	watcher->fsuid = watcher->uid;
	watcher->fsgid = watcher->gid;
	return watcher;
}

/**
 * tprof_access_allows - compare credentials
 * @watcher:	credentials of the opener of the session
 * @cred:	credentials of a task, or NULL if no watcher may observe the task
 *
 * The rule is stricter than the kernel's: a task in another user namespace is never
 * observed, and no capability of the watcher makes up for different ids.
 *
 * Context: any.
 * Return: true if @cred has no ids and no capabilities beyond those of @watcher.
 */
bool tprof_access_allows(const struct cred *watcher, const struct cred *cred)
{
	return cred && cred->user_ns == watcher->user_ns &&
	       uid_eq(cred->uid, watcher->uid) && uid_eq(cred->euid, watcher->uid) &&
	       uid_eq(cred->suid, watcher->uid) && gid_eq(cred->gid, watcher->gid) &&
	       gid_eq(cred->egid, watcher->gid) && gid_eq(cred->sgid, watcher->gid) &&
	       cap_issubset(cred->cap_permitted, watcher->cap_permitted);
}

/**
 * tprof_access_allows_process - compare the credentials of a process
 * @watcher:	credentials of the opener of the session
 * @task:	any thread of the process
 *
 * The threads of a process may have different credentials.
 *
 * Context: any.
 * Return: true if tprof_access_allows() is true for each thread.
 */
bool tprof_access_allows_process(const struct cred *watcher, struct task_struct *task)
{
	struct task_struct *thread;
	bool allows = true;

	rcu_read_lock();
	for_each_thread(task, thread) {
		if (!tprof_access_allows(watcher, __task_cred(thread))) {
			allows = false;
			break;
		}
	}
	rcu_read_unlock();
	return allows;
}

static bool is_exiting(const struct task_struct *task)
{
	/* Racy read: @task may be writing other bits of its own flags. */
	return data_race(task->flags) & PF_EXITING;
}

/*
 * Let the kernel check @task, and with it the security modules. It does not check whether
 * the memory of an exiting task may be dumped, as the task may have no memory any more.
 */
static int ask_kernel(const struct cred *watcher, struct task_struct *task)
{
	struct path root = { .mnt = proc, .dentry = proc->mnt_root };
	const struct cred *own;
	struct file *file;
	char name[32];

	snprintf(name, sizeof(name), "%d/ns/mnt", task_pid_nr(task));
	own = override_creds(watcher);
	file = file_open_root(&root, name, O_PATH, 0);
	revert_creds(own);
	if (!IS_ERR(file))
		fput(file);
	/* A task that does not exit has had this id all the time. */
	if (is_exiting(task))
		return -ESRCH;
	return IS_ERR(file) ? -EPERM : 0;
}

/* Return @task, or another thread of its process if @task exits, with a reference, or NULL. */
static struct task_struct *get_living_thread(struct task_struct *task)
{
	struct task_struct *thread, *living = is_exiting(task) ? NULL : task;

	rcu_read_lock();
	for_each_thread(task, thread) {
		if (living)
			break;
		if (!is_exiting(thread))
			living = thread;
	}
	if (living)
		get_task_struct(living);
	rcu_read_unlock();
	return living;
}

/**
 * tprof_access_check - check that a watcher may observe a task and its process
 * @watcher:	credentials of the opener of the session
 *
 * Context: process, may sleep.
 * Return: 0; -EPERM; -ESRCH if @task exits.
 */
int tprof_access_check(const struct cred *watcher, struct task_struct *task)
{
	struct task_struct *living;
	int err;

	if (task->flags & PF_KTHREAD || !tprof_access_allows_process(watcher, task))
		return -EPERM;
	do {
		living = get_living_thread(task);
		if (!living)
			return -ESRCH;
		err = ask_kernel(watcher, living);
		put_task_struct(living);
	} while (err == -ESRCH && !fatal_signal_pending(current));
	return err;
}

/* Return the value of kernel.kptr_restrict, or -errno if it cannot be read. */
static int read_kptr_restrict(void)
{
	struct path root = { .mnt = proc, .dentry = proc->mnt_root };
	struct file *file;
	char text[16] = "";
	ssize_t nr_bytes;
	loff_t pos = 0;
	int value, err;

	file = file_open_root(&root, "sys/kernel/kptr_restrict", O_RDONLY, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	nr_bytes = kernel_read(file, text, sizeof(text) - 1, &pos);
	fput(file);
	if (nr_bytes < 0)
		return nr_bytes;
	err = kstrtoint(text, 10, &value);
	return err ? err : value;
}

/**
 * tprof_access_shows_kernel - report whether a watcher may see addresses of the kernel
 * @watcher:	credentials of the opener of the session
 *
 * That is the rule of /proc/kallsyms with perf_event_paranoid=1. Modules cannot call the
 * kernel's own function.
 *
 * Context: process, may sleep.
 * Return: false also if it is not known.
 */
bool tprof_access_shows_kernel(const struct cred *watcher)
{
	switch (read_kptr_restrict()) {
	case 0:
		return true;
	case 1:
		return cap_raised(watcher->cap_effective, CAP_SYSLOG);
	default:
		return false;
	}
}
