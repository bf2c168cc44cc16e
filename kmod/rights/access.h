/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - which tasks and events a session without privileges may have
 *
 * A watcher is the credentials of the task that opened such a session. A session with
 * privileges has no watcher, and no limits.
 */
#ifndef TPROF_ACCESS_H
#define TPROF_ACCESS_H

#include <linux/cred.h>
#include <linux/types.h>

struct perf_event_attr;
struct task_struct;

void tprof_access_uninit(void);
const struct cred *tprof_access_watcher(void);
bool tprof_access_allows(const struct cred *watcher, const struct cred *cred);
bool tprof_access_allows_process(const struct cred *watcher, struct task_struct *task);
int tprof_access_check(const struct cred *watcher, struct task_struct *task);
int tprof_access_check_event(const struct perf_event_attr *attr, u32 flags);

#endif /* TPROF_ACCESS_H */
