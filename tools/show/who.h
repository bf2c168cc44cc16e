/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx info --who - an event of a session in words, and what it costs
 */
#ifndef TPROF_WHO_H
#define TPROF_WHO_H

#include <linux/tprof_lx.h>

#include "base/types.h"

/* Buffer sizes for the texts. */
#define WHO_EVENT_LEN	64
#define WHO_SCOPE_LEN	32
#define WHO_PERIOD_LEN	48
#define WHO_FLAGS_LEN	160

const char *who_event(const struct tprof_lx_listed *event, char *buf, size_t len);
const char *who_scope(const struct tprof_lx_listed *event, char *buf, size_t len);
const char *who_mode(const struct tprof_lx_listed *event);
const char *who_period(const struct tprof_lx_listed *event, char *buf, size_t len);
const char *who_flag_at(u32 flags, size_t *i);
const char *who_exclude_at(u32 excludes, size_t *i);
const char *who_flags(u32 flags, char *buf, size_t len);
bool who_samples(const struct tprof_lx_listed *event);
bool who_is_measured(const struct tprof_lx_listed *event);
u64 who_time_on(const struct tprof_lx_listed *event, const struct tprof_lx_listed *part);
double who_percent(u64 ns, u64 ran_ns);
double who_rate(u64 nr, u64 ran_ns);

#endif /* TPROF_WHO_H */
