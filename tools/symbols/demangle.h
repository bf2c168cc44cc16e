/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - names of C++ and Rust as people write them
 *
 * Apart from everything else, for libiberty's header has macros of its own.
 */
#ifndef TPROF_DEMANGLE_H
#define TPROF_DEMANGLE_H

char *demangle(const char *name);

#endif /* TPROF_DEMANGLE_H */
