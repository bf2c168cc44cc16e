// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a library that a program loads at run time
 */
#include "corpus.h"

FRAME unsigned long plugin(unsigned long (*call)(unsigned long))
{
	return call(2) + 1;
}
