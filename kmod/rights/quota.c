// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - how much each user without privileges may have at the same time
 *
 * Each session adds to the work of every fork and exec, software events to that of every
 * context switch or page fault, and counters are few. So all three are limited by user. So is
 * the sum of the rates of clocks, which interrupt a CPU.
 * Memory is limited by cgroups: see gfp.h.
 *
 * Calls that change a session interrupt other CPUs, patch the kernel's code and wake workers,
 * and those that read counts or counters interrupt other CPUs. FLUSH wakes a worker, and lists of
 * sessions hold locks. So calls have a price, and each user may spend PRICES_AT_ONCE, and then
 * PRICES_PER_SEC: further calls wait. A user that has closed all sessions is remembered until all
 * prices are paid.
 *
 * Context: process.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/tprof_lx.h>
#include <linux/user_namespace.h>

#include "base/gfp.h"
#include "base/params.h"
#include "rights/degree.h"
#include "rights/quota.h"

/* 256 changes at once, then 50 changes or 1000 reads in a second. */
#define PRICES_AT_ONCE	(256 * TPROF_QUOTA_CHANGE)
#define PRICES_PER_SEC	(50 * TPROF_QUOTA_CHANGE)
#define PRICE_NS	(NSEC_PER_SEC / PRICES_PER_SEC)

/**
 * struct tprof_quota - what a user has
 * @node:	entry in the list of all users that have sessions
 * @uid:	the user
 * @sessions:	number of the user's sessions without privileges
 * @events:	number of events in them
 * @counters:	number of events in them that need a counter
 * @hz:		sum of the rates of the clocks among them
 * @paid_at:	CLOCK_MONOTONIC at which all calls until now are paid, at PRICES_PER_SEC
 */
struct tprof_quota {
	struct list_head	node;
	kuid_t			uid;
	unsigned int		sessions;
	unsigned int		events;
	unsigned int		counters;
	u64			hz;
	u64			paid_at;
};

/* Protects the list and its entries; innermost. */
static DEFINE_MUTEX(quota_lock);
static LIST_HEAD(quotas);

/* Forget users that have no session and have called seldom enough since. */
static void forget_users(void)
{
	struct tprof_quota *quota, *next;
	u64 now = ktime_get_ns();

	list_for_each_entry_safe(quota, next, &quotas, node) {
		if (quota->sessions || quota->paid_at > now)
			continue;
		list_del(&quota->node);
		kfree(quota);
	}
}

static struct tprof_quota *find_or_add(kuid_t uid)
{
	struct tprof_quota *quota;

	lockdep_assert_held(&quota_lock);
	forget_users();
	list_for_each_entry(quota, &quotas, node) {
		if (uid_eq(quota->uid, uid))
			return quota;
	}
	quota = kzalloc(sizeof(*quota), TPROF_GFP);
	if (!quota)
		return NULL;
	quota->uid = uid;
	list_add(&quota->node, &quotas);
	return quota;
}

/**
 * tprof_quota_get - begin a session of a user
 * @uid:	the user
 *
 * Return: the user's quota, or ERR_PTR() of -EUSERS if the user has too many sessions, or
 * of -ENOMEM.
 */
struct tprof_quota *tprof_quota_get(kuid_t uid)
{
	struct tprof_quota *quota;

	guard(mutex)(&quota_lock);
	quota = find_or_add(uid);
	if (!quota)
		return ERR_PTR(-ENOMEM);
	if (quota->sessions == TPROF_LX_MAX_USER_SESSIONS)
		return ERR_PTR(-EUSERS);
	quota->sessions++;
	return quota;
}

/**
 * tprof_quota_put - end a session of a user
 * @quota:	quota of the session, which has no event any more
 */
void tprof_quota_put(struct tprof_quota *quota)
{
	guard(mutex)(&quota_lock);
	quota->sessions--;
	forget_users();
}

/** tprof_quota_uninit - forget all users at module exit, when no session is left */
void tprof_quota_uninit(void)
{
	struct tprof_quota *quota, *next;

	list_for_each_entry_safe(quota, next, &quotas, node)
		kfree(quota);
}

/* Let the user pay. Return the ns that the call has to wait. */
static u64 pay_price(struct tprof_quota *quota, u32 price)
{
	u64 now = ktime_get_ns();
	s64 wait;

	guard(mutex)(&quota_lock);
	quota->paid_at = max(quota->paid_at, now) + price * PRICE_NS;
	wait = quota->paid_at - now - PRICES_AT_ONCE * PRICE_NS;
	return max_t(s64, wait, 0);
}

/* Give back the price of a call that is not made. */
static void give_price(struct tprof_quota *quota, u32 price)
{
	guard(mutex)(&quota_lock);
	quota->paid_at -= price * PRICE_NS;
}

/**
 * tprof_quota_try - let a user pay for a call that must not wait
 * @quota:	quota of the session, or NULL for no limit
 * @price:	enum tprof_quota_price
 *
 * Context: process.
 * Return: 0, or -EAGAIN if tprof_quota_wait() would wait; then the call costs nothing.
 */
int tprof_quota_try(struct tprof_quota *quota, u32 price)
{
	if (!quota || !pay_price(quota, price))
		return 0;
	give_price(quota, price);
	return -EAGAIN;
}

/**
 * tprof_quota_wait - wait until a user may do another call that concerns all CPUs
 * @quota:	quota of the session, or NULL for no limit
 * @price:	enum tprof_quota_price
 *
 * A call that a signal interrupts costs nothing. Otherwise, a program with a timer that calls
 * again would have to wait longer each time.
 *
 * Context: process, may sleep, without locks.
 * Return: 0, or -EINTR on a signal.
 */
int tprof_quota_wait(struct tprof_quota *quota, u32 price)
{
	u64 wait_ns = quota && price ? pay_price(quota, price) : 0;

	if (!wait_ns)
		return 0;
	msleep_interruptible(DIV_ROUND_UP_ULL(wait_ns, NSEC_PER_MSEC));
	if (!signal_pending(current))
		return 0;
	give_price(quota, price);
	return -EINTR;
}

/* Log once that a user takes counters, which others then miss. */
static void announce_counters(const struct tprof_quota *quota)
{
	pr_info_once("user %u may use the counters (access=%u): meanwhile, perf, guests and the NMI watchdog get none\n",
		     from_kuid(&init_user_ns, quota->uid), tprof_degree());
}

static bool has_rate(const struct tprof_quota *quota, u64 hz)
{
	return quota->hz + hz <= tprof_params_unprivileged_rate();
}

/**
 * tprof_quota_take_event - begin an event
 * @quota:	quota of the session, or NULL for no limit
 * @is_counter:	the event needs a counter
 * @hz:		rate of a clock, else 0
 *
 * Return: 0; -EACCES if users may have no counters; -EUSERS if the user has too many events;
 * -EDQUOT if the user has as many counters, or as high rates of clocks, as the administrator
 * allows.
 */
int tprof_quota_take_event(struct tprof_quota *quota, bool is_counter, u64 hz)
{
	if (!quota)
		return 0;
	if (is_counter && !tprof_degree_may_count())
		return -EACCES;
	guard(mutex)(&quota_lock);
	if (quota->events == TPROF_LX_MAX_USER_EVENTS)
		return -EUSERS;
	if (is_counter && quota->counters >= tprof_params_unprivileged_counters())
		return -EDQUOT;
	if (hz && !has_rate(quota, hz))
		return -EDQUOT;
	quota->events++;
	quota->counters += is_counter;
	quota->hz += hz;
	if (is_counter)
		announce_counters(quota);
	return 0;
}

/**
 * tprof_quota_change_rate - change the rate of a clock
 * @quota:	quota of the session, or NULL for no limit
 * @from:	its rate
 * @to:		its new rate
 *
 * Return: 0, or -EDQUOT as for tprof_quota_take_event(); then nothing changes.
 */
int tprof_quota_change_rate(struct tprof_quota *quota, u64 from, u64 to)
{
	if (!quota)
		return 0;
	guard(mutex)(&quota_lock);
	if (to > from && !has_rate(quota, to - from))
		return -EDQUOT;
	quota->hz += to - from;
	return 0;
}

/**
 * tprof_quota_give_event - end an event
 * @quota:	quota of the session, or NULL
 * @is_counter:	same as in tprof_quota_take_event()
 * @hz:		its present rate if it is a clock, else 0
 */
void tprof_quota_give_event(struct tprof_quota *quota, bool is_counter, u64 hz)
{
	if (!quota)
		return;
	guard(mutex)(&quota_lock);
	quota->events--;
	quota->counters -= is_counter;
	quota->hz -= hz;
}
