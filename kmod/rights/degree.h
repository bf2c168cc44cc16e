/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - how much of their own processes users without privileges may observe
 *
 * The module parameter `access` is the degree, enum tprof_lx_access. Each degree includes the
 * lower ones. Only this file knows what a degree permits; others ask it. It is asked when a
 * session is opened and when an event is added. So a lower degree does not end what was
 * permitted before, same as with perf_event_paranoid.
 *
 * Context: process, may sleep.
 */
#ifndef TPROF_DEGREE_H
#define TPROF_DEGREE_H

#include <linux/types.h>

struct cred;
struct perf_event_attr;

u32 tprof_degree(void);
bool tprof_degree_may_open(void);
bool tprof_degree_may_count(void);
int tprof_degree_check_event(const struct perf_event_attr *attr, u32 flags);
bool tprof_degree_hides_kernel(const struct cred *watcher, const struct perf_event_attr *attr);

#endif /* TPROF_DEGREE_H */
