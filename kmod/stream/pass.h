/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - one pass over the rings of all CPUs
 *
 * Context: the worker.
 */
#ifndef TPROF_PASS_H
#define TPROF_PASS_H

#include <linux/types.h>

struct tprof_stream;

void tprof_pass_begin(struct tprof_stream *stream);
bool tprof_pass_run(struct tprof_stream *stream);
bool tprof_pass_has_stalls(struct tprof_stream *stream);

#endif /* TPROF_PASS_H */
