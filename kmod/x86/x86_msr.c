// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - access to registers of this CPU
 */
#include "x86/x86_msr.h"

DEFINE_STATIC_CALL(tprof_apic_write, native_apic_mem_write);

/**
 * tprof_x86_msr_init - set the static call by which the local APIC is written
 *
 * Context: process, at module load.
 */
void tprof_x86_msr_init(void)
{
	static_call_update(tprof_apic_write, apic->write);
}
