// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - generations of Intel's cores, by family and model
 *
 * Sources: Intel's event tables; Linux, arch/x86/include/asm/intel-family.h.
 *
 * Context: any. The file also compiles in user space, for the unit tests.
 */
#ifdef __KERNEL__
#include <linux/kernel.h>
#endif

#include "x86/x86_models.h"

/**
 * struct model - a processor
 * @family:	display family
 * @model:	display model
 * @large:	generation of its cores; of the performance cores if it is hybrid
 * @small:	generation of its efficient cores if it is hybrid
 */
struct model {
	u8	family;
	u8	model;
	u8	large;
	u8	small;
};

static const struct model models[] = {
	{ 6, 0x0e, TPROF_X86_CORE, 0 },
	{ 6, 0x0f, TPROF_X86_CORE2, 0 },
	{ 6, 0x16, TPROF_X86_CORE2, 0 },
	{ 6, 0x17, TPROF_X86_CORE2, 0 },
	{ 6, 0x1d, TPROF_X86_CORE2, 0 },
	{ 6, 0x1a, TPROF_X86_NEHALEM, 0 },
	{ 6, 0x1e, TPROF_X86_NEHALEM, 0 },
	{ 6, 0x2e, TPROF_X86_NEHALEM, 0 },
	{ 6, 0x25, TPROF_X86_WESTMERE, 0 },
	{ 6, 0x2c, TPROF_X86_WESTMERE, 0 },
	{ 6, 0x2f, TPROF_X86_WESTMERE, 0 },
	{ 6, 0x2a, TPROF_X86_SANDY_BRIDGE, 0 },
	{ 6, 0x2d, TPROF_X86_SANDY_BRIDGE, 0 },
	{ 6, 0x3a, TPROF_X86_IVY_BRIDGE, 0 },
	{ 6, 0x3e, TPROF_X86_IVY_BRIDGE, 0 },
	{ 6, 0x3c, TPROF_X86_HASWELL, 0 },
	{ 6, 0x3f, TPROF_X86_HASWELL, 0 },
	{ 6, 0x45, TPROF_X86_HASWELL, 0 },
	{ 6, 0x46, TPROF_X86_HASWELL, 0 },
	{ 6, 0x3d, TPROF_X86_BROADWELL, 0 },
	{ 6, 0x47, TPROF_X86_BROADWELL, 0 },
	{ 6, 0x4f, TPROF_X86_BROADWELL, 0 },
	{ 6, 0x56, TPROF_X86_BROADWELL, 0 },
	{ 6, 0x4e, TPROF_X86_SKYLAKE, 0 },
	{ 6, 0x5e, TPROF_X86_SKYLAKE, 0 },
	{ 6, 0x55, TPROF_X86_SKYLAKE, 0 },
	{ 6, 0x8e, TPROF_X86_SKYLAKE, 0 },
	{ 6, 0x9e, TPROF_X86_SKYLAKE, 0 },
	{ 6, 0xa5, TPROF_X86_SKYLAKE, 0 },
	{ 6, 0xa6, TPROF_X86_SKYLAKE, 0 },
	{ 6, 0x6a, TPROF_X86_ICE_LAKE, 0 },
	{ 6, 0x6c, TPROF_X86_ICE_LAKE, 0 },
	{ 6, 0x7d, TPROF_X86_ICE_LAKE, 0 },
	{ 6, 0x7e, TPROF_X86_ICE_LAKE, 0 },
	{ 6, 0x8c, TPROF_X86_ICE_LAKE, 0 },
	{ 6, 0x8d, TPROF_X86_ICE_LAKE, 0 },
	{ 6, 0xa7, TPROF_X86_ICE_LAKE, 0 },
	{ 6, 0x8f, TPROF_X86_GOLDEN_COVE, 0 },
	{ 6, 0xcf, TPROF_X86_GOLDEN_COVE, 0 },
	{ 6, 0xd7, TPROF_X86_GOLDEN_COVE, 0 },
	{ 6, 0x97, TPROF_X86_GOLDEN_COVE, TPROF_X86_GRACEMONT },
	{ 6, 0x9a, TPROF_X86_GOLDEN_COVE, TPROF_X86_GRACEMONT },
	{ 6, 0xb7, TPROF_X86_GOLDEN_COVE, TPROF_X86_GRACEMONT },
	{ 6, 0xba, TPROF_X86_GOLDEN_COVE, TPROF_X86_GRACEMONT },
	{ 6, 0xbf, TPROF_X86_GOLDEN_COVE, TPROF_X86_GRACEMONT },
	{ 6, 0xad, TPROF_X86_REDWOOD_COVE, 0 },
	{ 6, 0xae, TPROF_X86_REDWOOD_COVE, 0 },
	{ 6, 0xaa, TPROF_X86_REDWOOD_COVE, TPROF_X86_CRESTMONT },
	{ 6, 0xac, TPROF_X86_REDWOOD_COVE, TPROF_X86_CRESTMONT },
	{ 6, 0xb5, TPROF_X86_REDWOOD_COVE, TPROF_X86_CRESTMONT },
	{ 6, 0xbd, TPROF_X86_LION_COVE, TPROF_X86_CRESTMONT },
	{ 6, 0xc5, TPROF_X86_LION_COVE, TPROF_X86_CRESTMONT },
	{ 6, 0xc6, TPROF_X86_LION_COVE, TPROF_X86_CRESTMONT },
	{ 6, 0xcc, TPROF_X86_LION_COVE, TPROF_X86_CRESTMONT },
	{ 6, 0xd5, TPROF_X86_LION_COVE, TPROF_X86_CRESTMONT },
	{ 6, 0xe5, TPROF_X86_LION_COVE, TPROF_X86_CRESTMONT },
	{ 6, 0x37, TPROF_X86_ATOM, 0 },
	{ 6, 0x4a, TPROF_X86_ATOM, 0 },
	{ 6, 0x4c, TPROF_X86_ATOM, 0 },
	{ 6, 0x4d, TPROF_X86_ATOM, 0 },
	{ 6, 0x57, TPROF_X86_ATOM, 0 },
	{ 6, 0x5a, TPROF_X86_ATOM, 0 },
	{ 6, 0x5c, TPROF_X86_ATOM, 0 },
	{ 6, 0x5f, TPROF_X86_ATOM, 0 },
	{ 6, 0x75, TPROF_X86_ATOM, 0 },
	{ 6, 0x7a, TPROF_X86_ATOM, 0 },
	{ 6, 0x85, TPROF_X86_ATOM, 0 },
	{ 6, 0x86, TPROF_X86_ATOM, 0 },
	{ 6, 0x96, TPROF_X86_ATOM, 0 },
	{ 6, 0x9c, TPROF_X86_ATOM, 0 },
	{ 6, 0xbe, TPROF_X86_GRACEMONT, 0 },
	{ 6, 0xaf, TPROF_X86_CRESTMONT, 0 },
	{ 6, 0xb6, TPROF_X86_CRESTMONT, 0 },
	{ 6, 0xdd, TPROF_X86_CRESTMONT, 0 },
	{ 18, 0x01, TPROF_X86_PANTHER_COVE, TPROF_X86_ARCTIC_WOLF },
	{ 18, 0x03, TPROF_X86_PANTHER_COVE, TPROF_X86_ARCTIC_WOLF },
	{ 19, 0x01, TPROF_X86_PANTHER_COVE, 0 },
};

/**
 * tprof_x86_generation - find the generation of a CPU's core
 * @caps:	capabilities of a CPU of Intel's
 *
 * Return: generation; TPROF_X86_UNKNOWN if the table has none.
 */
enum tprof_x86_generation tprof_x86_generation(const struct tprof_x86_caps *caps)
{
	const struct model *model;
	int i;

	for (i = 0; i < ARRAY_SIZE(models); i++) {
		model = &models[i];
		if (model->family == caps->family && model->model == caps->model)
			return caps->core_type == TPROF_X86_CORE_SMALL ? model->small :
									 model->large;
	}
	return TPROF_X86_UNKNOWN;
}
