/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - a session of a user without privileges
 *
 * The test process gives up its privileges. One of its children keeps them.
 */
#ifndef TPROF_SELFTESTS_UNPRIVILEGED_H
#define TPROF_SELFTESTS_UNPRIVILEGED_H

#include "harness/target.h"

/**
 * struct unprivileged - a user without privileges, and the session
 * @fd:		the session; 0 before unprivileged_begin()
 * @key:	key of the fake events
 * @root:	a child that keeps all privileges, and sets the machine up and back
 * @own:	a child that has none; started by unprivileged_begin()
 */
struct unprivileged {
	int		fd;
	__u32		key;
	struct target	root;
	struct target	own;
};

int unprivileged_setup(struct unprivileged *user);
int unprivileged_begin(struct unprivileged *user, int capability);
int unprivileged_allow(struct unprivileged *user, __u32 access);
int unprivileged_add_counter(int fd, __u64 config);
int unprivileged_teardown(struct unprivileged *user);

#endif /* TPROF_SELFTESTS_UNPRIVILEGED_H */
