/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - a model of the counter registers
 *
 * Registers react to reads and writes as the manuals say, and show some behaviour that
 * the manuals do not describe. Counters count the events of model_run(). An overflow
 * sends an NMI unless LVTPC masks it. The NMI is delivered at once, or by
 * model_deliver() if @is_nmi_held is set.
 */
#ifndef TPROF_UNIT_X86_MODEL_H
#define TPROF_UNIT_X86_MODEL_H

#include "x86/x86_cpu.h"

enum model_kind {
	MODEL_INTEL_V1,
	MODEL_INTEL_V3,
	MODEL_INTEL_V4,
	MODEL_NEHALEM,
	MODEL_AMD_K7,
	MODEL_AMD_CORE,
	MODEL_AMD_V2,
	MODEL_AMD_GUEST,
	NR_MODELS,
};

/**
 * struct model - the registers and their quirks
 * @kind:	type of the PMU
 * @caps:	capabilities that are passed to the code under test
 * @select:	event-select register of each general counter
 * @value:	value of each counter, by row
 * @global_ctrl: register IA32_PERF_GLOBAL_CTRL, or AMD's counterpart
 * @global_status: register IA32_PERF_GLOBAL_STATUS, or AMD's counterpart
 * @fixed_ctrl:	register IA32_FIXED_CTR_CTRL
 * @pebs:	register IA32_PEBS_ENABLE
 * @extended:	registers IA32_PMC_GPn_CFG_B and _CFG_C, IA32_PMC_FXn_CFG_B and _CFG_C, by row
 * @efer:	register EFER
 * @lvtpc:	LVT entry of the local APIC for performance counters
 * @tsc:	time stamp counter, which increases by 1 with each event
 * @fault:	number of the register that faults, 0 for none
 * @fault_writes: true if only writes to that register fault; false if reads do, too
 * @is_rdpmc_missing: RDPMC faults
 * @stuck:	status bits that read as set and cannot be cleared
 * @dropped:	bits that the event-select registers drop, as under some hypervisors
 * @clean:	mask of the general counters that Nehalem's reset has prepared for an event
 * @stale:	mask of those that count nothing, since they got an event without a reset
 * @reset_with:	mask of the events of the reset that were written since the last other event
 * @nr_resets:	number of resets
 * @drift:	events added to each running counter at each write of a control register
 * @is_nmi_held: NMIs stay pending until model_deliver()
 * @nr_pending:	number of NMIs that were sent and are not yet delivered
 * @nr_nmis:	number of NMIs that were sent
 * @nr_writes:	number of register writes
 * @nr_status_reads: number of times that the overflow status was read
 */
struct model {
	enum model_kind		kind;
	struct tprof_x86_caps	caps;
	u64			select[8];
	u64			value[TPROF_X86_MAX_ROWS];
	u64			global_ctrl;
	u64			global_status;
	u64			fixed_ctrl;
	u64			pebs;
	u64			extended[TPROF_X86_MAX_ROWS][2];
	u64			efer;
	u32			lvtpc;
	u64			tsc;
	u32			fault;
	bool			fault_writes;
	bool			is_rdpmc_missing;
	u64			stuck;
	u64			dropped;
	u64			clean;
	u64			stale;
	u32			reset_with;
	int			nr_resets;
	u64			drift;
	bool			is_nmi_held;
	int			nr_pending;
	int			nr_nmis;
	int			nr_writes;
	int			nr_status_reads;
};

extern struct model model;

/* The model calls this for each NMI that it delivers. */
extern void (*model_nmi)(void);

void model_reset(enum model_kind kind);
void model_run(u64 events);
void model_deliver(void);
bool model_counts(int row);
bool model_is_as(const struct model *before);

#endif /* TPROF_UNIT_X86_MODEL_H */
