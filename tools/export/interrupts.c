// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - functions of the kernel that enter interrupts
 */
#include <string.h>

#include "export/interrupts.h"

/* What begins with these is an entry: asm_sysvec_apic_timer_interrupt, exc_nmi_kvm. */
static const char *const entries[] = {
	"asm_common_interrupt", "asm_spurious_interrupt", "asm_sysvec_", "asm_exc_nmi",
	"common_interrupt", "spurious_interrupt", "sysvec_", "exc_nmi", "end_repeat_nmi",
	"fred_extint", "fred_sysvec_", "fred_exc_nmi",
};

/* Exceptions and system calls are no interrupts: the task causes them. */
bool is_interrupt_entry(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(entries); i++) {
		if (!strncmp(name, entries[i], strlen(entries[i])))
			return true;
	}
	return false;
}
