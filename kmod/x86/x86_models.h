/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - generations of Intel's cores, by family and model
 *
 * The cores of a generation have the same model-specific events. The two kinds of cores
 * of a hybrid processor are of two generations. The file also compiles in user space, for
 * the unit tests.
 */
#ifndef TPROF_X86_MODELS_H
#define TPROF_X86_MODELS_H

#include "x86/x86_caps.h"

/* ATOM stands for the efficient cores from Silvermont to Tremont, and for Knights Landing. */
enum tprof_x86_generation {
	TPROF_X86_UNKNOWN,
	TPROF_X86_CORE,
	TPROF_X86_CORE2,
	TPROF_X86_NEHALEM,
	TPROF_X86_WESTMERE,
	TPROF_X86_SANDY_BRIDGE,
	TPROF_X86_IVY_BRIDGE,
	TPROF_X86_HASWELL,
	TPROF_X86_BROADWELL,
	TPROF_X86_SKYLAKE,
	TPROF_X86_ICE_LAKE,
	TPROF_X86_GOLDEN_COVE,
	TPROF_X86_REDWOOD_COVE,
	TPROF_X86_LION_COVE,
	TPROF_X86_PANTHER_COVE,
	TPROF_X86_ATOM,
	TPROF_X86_GRACEMONT,
	TPROF_X86_CRESTMONT,
	TPROF_X86_ARCTIC_WOLF,
};

enum tprof_x86_generation tprof_x86_generation(const struct tprof_x86_caps *caps);

#endif /* TPROF_X86_MODELS_H */
