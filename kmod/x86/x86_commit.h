/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - lets events of a CPU begin and end, all in one call of the CPU
 */
#ifndef TPROF_X86_COMMIT_H
#define TPROF_X86_COMMIT_H

#include "x86/x86_run_types.h"

int tprof_x86_commit(int cpu, struct tprof_x86_rows *rows, bool is_asleep);

#endif /* TPROF_X86_COMMIT_H */
