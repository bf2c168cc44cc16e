// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - names of C++, Rust, D and Ada as people write them
 */
#include <libiberty/demangle.h>

#include "demangle.h"

/**
 * demangle - a name as it was before the compiler encoded it
 * @name:	a symbol
 *
 * Return: the name, without parameters, to be freed; NULL for what is not
 * encoded.
 */
char *demangle(const char *name)
{
	return cplus_demangle(name, DMGL_AUTO);
}
