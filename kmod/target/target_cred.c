// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - changes of credentials
 *
 * Context: the probes are not preemptible. The other functions are called in process context, and
 * the caller serialises them.
 */
#include <linux/cred.h>
#include <linux/kprobes.h>
#include <linux/sched.h>

#include "target/target_cred.h"

/* Number of users, and what the probes call. */
static unsigned int nr_users;
static tprof_target_cred_t note_change;

/*
 * Entry of commit_creds(), which gives the current task other credentials: setuid(2),
 * capset(2), unshare(2), execve(2) and others call it. It is probed because no tracepoint has
 * this change, and modules cannot register hooks of security modules.
 */
static int on_credentials(struct kprobe *probe, struct pt_regs *regs)
{
	note_change((void *)regs_get_kernel_argument(regs, 0));
	return 0;
}

static struct kprobe credentials_probe = {
	.symbol_name = "commit_creds",
	.pre_handler = on_credentials,
};

/*
 * Return from commit_creds(). on_credentials() misses a process that is added to a target
 * while it executes commit_creds(). expel_strangers() of target_watch.c reads the
 * credentials after the process was added: it finds the new ones, or this function finds
 * the process.
 *
 * The probe misses a task that has entered commit_creds() before the registration, or while
 * @maxactive others were in it. If ATTACH adds such a task at that moment, it stays a target.
 * That gives no user another one's counts: before, the task had the ids of the watcher, and no
 * capability that the watcher has not. So the watcher can take on the same credentials by the
 * same calls. Only execve(2) can give more, and probe_exec() runs after commit_creds() there.
 */
static int on_new_credentials(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	note_change(current_cred());
	return 0;
}

static struct kretprobe new_credentials_probe = {
	.kp.symbol_name = "commit_creds",
	.handler = on_new_credentials,
	/* Tasks that can be preempted in commit_creds() at the same time. */
	.maxactive = 1024,
};

static int register_cred_probes(void)
{
	int err;

	/* An earlier registration may have set these. */
	credentials_probe.addr = NULL;
	credentials_probe.flags = 0;
	new_credentials_probe.kp.addr = NULL;
	new_credentials_probe.kp.flags = 0;
	err = register_kprobe(&credentials_probe);
	if (err)
		return err;
	err = register_kretprobe(&new_credentials_probe);
	if (err)
		unregister_kprobe(&credentials_probe);
	return err;
}

static void unregister_cred_probes(void)
{
	unregister_kretprobe(&new_credentials_probe);
	unregister_kprobe(&credentials_probe);
}

/**
 * tprof_target_cred_use - let a function be called for each change of credentials
 * @note:	function; the same for all users
 *
 * Context: process, may sleep.
 * Return: 0, or -errno if this kernel lacks a probe.
 */
int tprof_target_cred_use(tprof_target_cred_t note)
{
	int err = 0;

	note_change = note;
	if (!nr_users)
		err = register_cred_probes();
	if (!err)
		nr_users++;
	return err;
}

/**
 * tprof_target_cred_unuse - undo tprof_target_cred_use()
 *
 * Context: process, may sleep.
 */
void tprof_target_cred_unuse(void)
{
	if (!--nr_users)
		unregister_cred_probes();
}
