/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - fault injection in the kernel
 *
 * Allocations and user copies can fail only if the kernel has CONFIG_FAULT_INJECTION and
 * CONFIG_FAULT_INJECTION_STACKTRACE_FILTER: see faults_are_possible(). Register accesses
 * can fail only if the kernel has CONFIG_FAULT_INJECTION_DEBUG_FS.
 *
 * An allocation or user copy fails only if a kernel function selected by
 * faults_of_function() or faults_of_module() is on the stack. faults_begin() makes
 * one of them fail in the calling thread. faults_of_all() makes all of them fail in
 * all threads. Register accesses fail on all CPUs.
 */
#ifndef TPROF_FUZZ_FAULTS_H
#define TPROF_FUZZ_FAULTS_H

#include <stdbool.h>

/**
 * struct faults - fault injection in a thread
 * @fd:		the thread's fail-nth file, or -1 without fault injection
 * @nr_failed:	number of injected faults
 */
struct faults {
	int		fd;
	unsigned long	nr_failed;
};

bool faults_are_possible(void);
int faults_setup(void);
int faults_of_function(const char *name);
int faults_of_module(void);
int faults_of_all(bool all);
void faults_of_registers(unsigned int nth);
long faults_nr_of_registers(void);
void faults_init(struct faults *faults);
void faults_begin(struct faults *faults, unsigned int nth);
void faults_end(struct faults *faults);
void faults_free(struct faults *faults);

#endif /* TPROF_FUZZ_FAULTS_H */
