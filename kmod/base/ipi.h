/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - functions that other CPUs call in an IPI
 *
 * All such calls of the module are made here, so that STATS can report how many there were.
 */
#ifndef TPROF_IPI_H
#define TPROF_IPI_H

#include <linux/cpumask.h>

int tprof_ipi_call(int cpu, void (*function)(void *data), void *data);
void tprof_ipi_call_all(const struct cpumask *cpus, void (*function)(void *data), void *data);

#endif /* TPROF_IPI_H */
