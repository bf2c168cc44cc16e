/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - give up privileges
 */
#ifndef TPROF_SELFTESTS_NOBODY_H
#define TPROF_SELFTESTS_NOBODY_H

#define NOBODY	65534

/* Older versions of libcap lack CAP_PERFMON. */
#ifndef CAP_PERFMON
#define CAP_PERFMON	38
#endif

int become_user(int uid, int capability);

#endif /* TPROF_SELFTESTS_NOBODY_H */
