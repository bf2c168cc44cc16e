/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - one pass over the rings of all CPUs
 *
 * Context: the flush worker.
 */
#ifndef TPROF_PASS_H
#define TPROF_PASS_H

#include <linux/types.h>

struct tprof_flush;

void tprof_pass_begin(struct tprof_flush *flush);
bool tprof_pass_run(struct tprof_flush *flush);

#endif /* TPROF_PASS_H */
