/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - demangle C++ and Rust names
 */
#ifndef TPROF_DEMANGLE_H
#define TPROF_DEMANGLE_H

char *demangle(const char *name);

#endif /* TPROF_DEMANGLE_H */
