/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - a model of the counter registers
 *
 * Registers react to reads and writes as the manuals say, and in some ways that
 * the manuals leave out. Counters count when model_run() makes events happen.
 * An overflow sends an NMI if LVTPC lets it through; it is delivered at once,
 * or when the test asks.
 */
#ifndef TPROF_UNIT_X86_MODEL_H
#define TPROF_UNIT_X86_MODEL_H

#include "x86/x86_cpu.h"

enum model_kind {
	MODEL_INTEL_V1,
	MODEL_INTEL_V3,
	MODEL_INTEL_V4,
	MODEL_AMD_K7,
	MODEL_AMD_CORE,
	MODEL_AMD_V2,
	NR_MODELS,
};

/**
 * struct model - the registers and their quirks
 * @kind:	type of the PMU
 * @caps:	capabilities that the code under test gets
 * @select:	event-select register of each general counter
 * @value:	value of each counter, by row
 * @global_ctrl: register
 * @global_status: register
 * @fixed_ctrl:	register
 * @efer:	register
 * @lvtpc:	entry of the local APIC
 * @tsc:	time stamp counter, which grows by 1 with each event
 * @fault:	register that faults, 0 for none
 * @fault_writes: only writes of @fault fault
 * @is_rdpmc_missing: RDPMC faults
 * @stuck:	status bits that read as set and cannot be cleared
 * @drift:	events that running counters gain at each write of a control register
 * @is_nmi_held: NMIs wait until the test delivers them
 * @nr_pending:	NMIs that were sent and not yet delivered
 * @nr_nmis:	NMIs that were sent
 * @nr_writes:	register writes
 */
struct model {
	enum model_kind		kind;
	struct tprof_x86_caps	caps;
	u64			select[8];
	u64			value[TPROF_X86_MAX_ROWS];
	u64			global_ctrl;
	u64			global_status;
	u64			fixed_ctrl;
	u64			efer;
	u32			lvtpc;
	u64			tsc;
	u32			fault;
	bool			fault_writes;
	bool			is_rdpmc_missing;
	u64			stuck;
	u64			drift;
	bool			is_nmi_held;
	int			nr_pending;
	int			nr_nmis;
	int			nr_writes;
};

extern struct model model;

/* Called for each NMI that is delivered. */
extern void (*model_nmi)(void);

void model_reset(enum model_kind kind);
void model_run(u64 events);
void model_deliver(void);
bool model_counts(int row);
bool model_is_as(const struct model *before);

#endif /* TPROF_UNIT_X86_MODEL_H */
