/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx fuzzing - what libFuzzer calls, which has no header for it; and exit() as
 * the linker has it with --wrap=exit
 */
#ifndef TPROF_FUZZER_H
#define TPROF_FUZZER_H

#include "types.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *data, size_t len);

void __real_exit(int status) __attribute__((noreturn));
void __wrap_exit(int status) __attribute__((noreturn));

#endif /* TPROF_FUZZER_H */
