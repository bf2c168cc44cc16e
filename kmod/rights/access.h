/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which tasks a session without privileges may have
 *
 * A watcher is the credentials of the task that opened such a session. A session with
 * privileges has no watcher, and no limits.
 *
 * If the module parameter `access` is not 0, a user may open a session that observes the user's
 * own processes; degree.h has how much of them. Two checks decide about a target, and both must
 * allow it:
 *
 * - tprof_access_allows() compares ids and capabilities. It is stricter than the kernel's rule,
 *   does not sleep, and so can be repeated in a probe.
 * - tprof_access_check() also asks the kernel, and with it the security modules. It sleeps.
 *
 * ATTACH does both before it adds a process. If the process has called execve(2) meanwhile
 * (@self_exec_id), it does both again. Later changes of a target are found by the probe of
 * execs and by the kprobes on commit_creds(). They run in the task that changes, in the
 * kernel. They remove its process from the target and close the gates of this CPU, before the
 * task can execute an instruction in user mode. A fork adds a child only if the first check
 * allows it.
 *
 * setuid(2) in one thread of a process with several threads removes the process; on another
 * CPU, a thread that keeps the old credentials may count until its next switch. A process that
 * calls prctl(PR_SET_DUMPABLE) while it is a target remains one, as in perf.
 */
#ifndef TPROF_ACCESS_H
#define TPROF_ACCESS_H

#include <linux/cred.h>
#include <linux/types.h>

struct task_struct;

void tprof_access_uninit(void);
const struct cred *tprof_access_watcher(void);
bool tprof_access_allows(const struct cred *watcher, const struct cred *cred);
bool tprof_access_allows_process(const struct cred *watcher, struct task_struct *task);
int tprof_access_check(const struct cred *watcher, struct task_struct *task);
bool tprof_access_shows_kernel(const struct cred *watcher);

#endif /* TPROF_ACCESS_H */
