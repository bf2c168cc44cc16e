/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the processes and threads of a session
 */
#ifndef TPROF_TARGET_H
#define TPROF_TARGET_H

#include "target/target_types.h"

struct tprof_target *tprof_target_alloc(struct delayed_work *empty_work,
					const struct cred *watcher);
void tprof_target_set_names(struct tprof_target *target, struct tprof_names *names);
u64 tprof_target_nr_followed(struct tprof_target *target);
void tprof_target_free(struct tprof_target *target);
bool tprof_target_is_only(struct tprof_target *target, const struct task_struct *task);
bool tprof_target_is_exiting(const struct tprof_target *target);
void tprof_target_remove_lost_threads(struct tprof_target *target);
void tprof_target_find_cpus(const struct tprof_target *target, struct cpumask *cpus);

#endif /* TPROF_TARGET_H */
