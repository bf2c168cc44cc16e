/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the user of a task, for limits by user
 */
#ifndef TPROF_USER_H
#define TPROF_USER_H

#include <linux/uidgid.h>

kuid_t tprof_user_of_current(void);

#endif /* TPROF_USER_H */
