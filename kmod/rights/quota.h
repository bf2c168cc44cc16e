/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - how much each user without privileges may have at the same time
 *
 * Context: process.
 */
#ifndef TPROF_QUOTA_H
#define TPROF_QUOTA_H

#include <linux/uidgid.h>

struct tprof_quota;

/* Prices of calls, in those of a call that interrupts each CPU once. */
enum tprof_quota_price {
	TPROF_QUOTA_NOTHING	= 0,
	TPROF_QUOTA_READ	= 1,
	TPROF_QUOTA_CHANGE	= 20,
};

struct tprof_quota *tprof_quota_get(kuid_t uid);
void tprof_quota_put(struct tprof_quota *quota);
void tprof_quota_uninit(void);
int tprof_quota_try(struct tprof_quota *quota, u32 price);
int tprof_quota_wait(struct tprof_quota *quota, u32 price);
int tprof_quota_take_event(struct tprof_quota *quota, bool is_counter, u64 hz);
int tprof_quota_change_rate(struct tprof_quota *quota, u64 from, u64 to);
void tprof_quota_give_event(struct tprof_quota *quota, bool is_counter, u64 hz);

#endif /* TPROF_QUOTA_H */
