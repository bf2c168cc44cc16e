// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - the library that `shapes plugin` loads by dlopen()
 */
#include "corpus.h"

FRAME unsigned long plugin(unsigned long (*call)(unsigned long))
{
	return call(2) + 1;
}
