/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - failures of the kernel that are made to happen
 *
 * Where the kernel has CONFIG_FAULT_INJECTION and its filter of stacks: allocations
 * and copies of the calling thread fail one by one, of those that some functions ask
 * for or have others ask for, and registers of counters now and then, whoever asks.
 * Elsewhere all of this does nothing.
 */
#ifndef TPROF_FUZZ_FAULTS_H
#define TPROF_FUZZ_FAULTS_H

#include <stdbool.h>

/**
 * struct faults - what fails in this thread
 * @fd:		its file fail-nth, or -1
 * @nr_failed:	how often something did
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
