/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - the kernel's harness
 */
#ifndef TPROF_SELFTESTS_TEST_H
#define TPROF_SELFTESTS_TEST_H

#include "kselftest_harness.h"

/* Its default of 30 seconds is too short for a debug kernel on a busy machine. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	300

#endif /* TPROF_SELFTESTS_TEST_H */
