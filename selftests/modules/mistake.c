// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a module that makes one mistake when it is loaded
 *
 * Tests load this module to check that a debug kernel reports the mistake. A kernel
 * that misses the mistake here would miss it in tprof-lx, too.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

static char *kind = "";
module_param(kind, charp, 0);
MODULE_PARM_DESC(kind, "which mistake: use-after-free, leak, lost-reference, sleep, locks or race");

static DEFINE_SPINLOCK(spin);
static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);
static unsigned long counter;

static void use_after_free(void)
{
	unsigned long *number = kmalloc(sizeof(*number), GFP_KERNEL);

	kfree(number);
	OPTIMIZER_HIDE_VAR(number);
	if (number)
		WRITE_ONCE(*number, 1);
}

/* Leak several objects: kmemleak misses an object if a stale pointer to it remains. */
static void leak(void)
{
	int i;

	for (i = 0; i < 10; i++) {
		void *lost = kmalloc(1000, GFP_KERNEL);

		OPTIMIZER_HIDE_VAR(lost);
	}
}

/* Take references to the files that end_test.sh has opened, and never drop them. */
static void lose_reference(void)
{
	int fd;

	for (fd = 10; fd < 15; fd++)
		fget(fd);
}

static void sleep_in_atomic(void)
{
	spin_lock(&spin);
	might_sleep();
	spin_unlock(&spin);
}

static void lock_both(struct mutex *outer, struct mutex *inner)
{
	mutex_lock(outer);
	mutex_lock(inner);
	mutex_unlock(inner);
	mutex_unlock(outer);
}

static void lock_both_ways(void)
{
	lock_both(&first, &second);
	lock_both(&second, &first);
}

static void count_for_a_while(void)
{
	unsigned long end = jiffies + HZ;

	while (time_before(jiffies, end)) {
		counter++;
		barrier();
	}
}

static int count(void *unused)
{
	count_for_a_while();
	while (!kthread_should_stop())
		msleep(20);
	return 0;
}

static void race(void)
{
	struct task_struct *task = kthread_run(count, NULL, "mistake");

	if (IS_ERR(task))
		return;
	count_for_a_while();
	kthread_stop(task);
}

static const struct {
	const char	*kind;
	void		(*make)(void);
} mistakes[] = {
	{ "use-after-free", use_after_free },
	{ "leak", leak },
	{ "lost-reference", lose_reference },
	{ "sleep", sleep_in_atomic },
	{ "locks", lock_both_ways },
	{ "race", race },
};

static int __init mistake_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(mistakes); i++) {
		if (!strcmp(kind, mistakes[i].kind)) {
			mistakes[i].make();
			return 0;
		}
	}
	return -EINVAL;
}
module_init(mistake_init);

static void __exit mistake_exit(void)
{
}
module_exit(mistake_exit);

MODULE_DESCRIPTION("tprof-lx selftests: a module that makes a mistake");
MODULE_LICENSE("GPL");
