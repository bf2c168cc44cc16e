/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - memory that counts to a user as locked
 *
 * Context: process.
 */
#ifndef TPROF_LOCKED_H
#define TPROF_LOCKED_H

#include <linux/types.h>

struct user_struct;

/**
 * struct tprof_locked - the locked memory of a session
 * @user:	user to which it counts, or NULL: then there is no limit, and nothing counts
 * @more_pages:	number of pages that @user may have beside those for each online CPU; kept
 *		from the last tprof_locked_renew(), as CPUs that come online get their
 *		memory from another task
 */
struct tprof_locked {
	struct user_struct	*user;
	unsigned long		more_pages;
};

void tprof_locked_init(struct tprof_locked *locked);
void tprof_locked_uninit(struct tprof_locked *locked);
void tprof_locked_renew(struct tprof_locked *locked);
unsigned int tprof_locked_halvings(const struct tprof_locked *locked, size_t bytes);
int tprof_locked_take(struct tprof_locked *locked, size_t bytes);
void tprof_locked_give(struct tprof_locked *locked, size_t bytes);

#endif /* TPROF_LOCKED_H */
