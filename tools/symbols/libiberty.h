/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what is used of libiberty
 *
 * Its header is in another place on each distribution, and in none on some.
 */
#ifndef TPROF_LIBIBERTY_H
#define TPROF_LIBIBERTY_H

#include <stddef.h>

typedef void (*demangle_callback_t)(const char *text, size_t len, void *arg);

/* 1 if it was such a name. */
int cplus_demangle_v3_callback(const char *name, int options, demangle_callback_t take,
			       void *arg);
int rust_demangle_callback(const char *name, int options, demangle_callback_t take, void *arg);

#endif /* TPROF_LIBIBERTY_H */
