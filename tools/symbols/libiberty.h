/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - declarations of the libiberty functions in use
 *
 * Distributions install libiberty's header in different places, or not at all.
 */
#ifndef TPROF_LIBIBERTY_H
#define TPROF_LIBIBERTY_H

#include <stddef.h>

typedef void (*demangle_callback_t)(const char *text, size_t len, void *arg);

/* Both return 1 if they have demangled @name. */
int cplus_demangle_v3_callback(const char *name, int options, demangle_callback_t take,
			       void *arg);
int rust_demangle_callback(const char *name, int options, demangle_callback_t take, void *arg);

#endif /* TPROF_LIBIBERTY_H */
