/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - a suspend of the machine
 */
#ifndef TPROF_SELFTESTS_SUSPEND_H
#define TPROF_SELFTESTS_SUSPEND_H

#include <stdbool.h>

/* Why a test must skip if suspend_is_possible() is false. */
#define NO_SUSPEND	"this kernel cannot test a suspend (pm_test)"

bool suspend_is_possible(void);
int suspend_once(void);

#endif /* TPROF_SELFTESTS_SUSPEND_H */
