// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - a model of the counter registers
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "x86_model.h"

#define MASK_48		(BIT_ULL(48) - 1)
#define MASKED		0x10000

struct model model;
void (*model_nmi)(void);

static const struct tprof_x86_caps model_caps[NR_MODELS] = {
	[MODEL_INTEL_V1] = {
		.vendor = TPROF_X86_INTEL, .version = 1, .counters = 3,
		.general_bits = 40, .arch_known = 0x7f, .arch_events = 0x7f,
		.select = 0x186, .counter = 0xc1, .step = 1,
		.masks_lvtpc = true,
	},
	[MODEL_INTEL_V3] = {
		.vendor = TPROF_X86_INTEL, .version = 3,
		.counters = 0xf | 7ULL << 32,
		.general_bits = 48, .fixed_bits = 48,
		.arch_known = 0x7f, .arch_events = 0x7f,
		.global_ctrl = 0x38f, .global_status = 0x38e,
		.global_clear = 0x390, .fixed_ctrl = 0x38d,
		.select = 0x186, .counter = 0xc1, .step = 1,
		.has_any = true, .masks_lvtpc = true,
	},
	[MODEL_INTEL_V4] = {
		.vendor = TPROF_X86_INTEL, .version = 4,
		.counters = 0xff | 0xfULL << 32,
		.general_bits = 48, .fixed_bits = 48,
		.arch_known = 0xff, .arch_events = 0xff,
		.global_ctrl = 0x38f, .global_status = 0x38e,
		.global_clear = 0x390, .clear_also = 3ULL << 58,
		.fixed_ctrl = 0x38d,
		.select = 0x186, .counter = 0x4c1, .step = 1,
		.has_full_width = true, .has_any = true, .masks_lvtpc = true,
		.has_ds = true, .extended = 0xff | 0xfULL << 32,
	},
	[MODEL_NEHALEM] = {
		.vendor = TPROF_X86_INTEL, .version = 3,
		.counters = 0xf | 7ULL << 32,
		.general_bits = 48, .fixed_bits = 48,
		.arch_known = 0x7f, .arch_events = 0x7f,
		.global_ctrl = 0x38f, .global_status = 0x38e,
		.global_clear = 0x390, .fixed_ctrl = 0x38d,
		.select = 0x186, .counter = 0xc1, .step = 1,
		.has_any = true, .masks_lvtpc = true, .needs_reset = true,
	},
	[MODEL_AMD_K7] = {
		.vendor = TPROF_X86_AMD, .family = 0x10, .counters = 0xf,
		.general_bits = 48, .select = 0xc0010000,
		.counter = 0xc0010004, .step = 1, .has_full_width = true,
		.has_svm = true,
	},
	[MODEL_AMD_CORE] = {
		.vendor = TPROF_X86_AMD, .version = 1, .family = 0x17,
		.counters = 0x3f, .general_bits = 48, .select = 0xc0010200,
		.counter = 0xc0010201, .step = 2, .has_full_width = true,
		.has_svm = true,
	},
	[MODEL_AMD_V2] = {
		.vendor = TPROF_X86_AMD, .version = 2, .family = 0x19,
		.counters = 0x3f, .general_bits = 48,
		.global_ctrl = 0xc0000301, .global_status = 0xc0000300,
		.global_clear = 0xc0000302, .clear_also = 1ULL << 59,
		.select = 0xc0010200, .counter = 0xc0010201, .step = 2,
		.has_full_width = true, .has_svm = true,
	},
	[MODEL_AMD_GUEST] = {
		.vendor = TPROF_X86_AMD, .version = 2, .family = 0x19,
		.counters = 0x3f, .general_bits = 48,
		.global_ctrl = 0xc0000301, .global_status = 0xc0000300,
		.global_clear = 0xc0000302, .clear_also = 1ULL << 59,
		.select = 0xc0010200, .counter = 0xc0010201, .step = 2,
		.has_full_width = true, .has_hypervisor = true, .masks_lvtpc = true,
	},
};

/* Reset the model. Registers start with values that a restore cannot write by chance. */
void model_reset(enum model_kind kind)
{
	memset(&model, 0, sizeof(model));
	model.kind = kind;
	model.caps = model_caps[kind];
	for (int i = 0; i < 8; i++)
		model.select[i] = 0x1100 + i;
	for (int i = 0; i < TPROF_X86_MAX_ROWS; i++)
		model.value[i] = 0x1234500 + i;
	model.global_ctrl = model.caps.global_ctrl ? model.caps.counters : 0;
	model.lvtpc = MASKED | 0xfe;
}

/*
 * Return true if all registers that must be restored have the same values as in @before,
 * and the overflow status is 0.
 */
bool model_is_as(const struct model *before)
{
	return !memcmp(model.select, before->select, sizeof(model.select)) &&
	       !memcmp(model.value, before->value, sizeof(model.value)) &&
	       model.global_ctrl == before->global_ctrl &&
	       model.fixed_ctrl == before->fixed_ctrl &&
	       model.pebs == before->pebs &&
	       !memcmp(model.extended, before->extended, sizeof(model.extended)) &&
	       model.lvtpc == before->lvtpc && !model.global_status;
}

static bool is_fixed(int row)
{
	return row >= TPROF_X86_FIXED;
}

static u64 width_mask(int row)
{
	return BIT_ULL(is_fixed(row) ? model.caps.fixed_bits :
				       model.caps.general_bits) - 1;
}

static u64 fixed_bits(int row)
{
	return model.fixed_ctrl >> (row - TPROF_X86_FIXED) * 4 & 0xf;
}

/* Return the bit of an event with which Nehalem is reset, or 0 for another event. */
static u32 reset_event(u64 select)
{
	static const u32 events[] = { 0x4300b5, 0x4300d2, 0x4300b1 };

	for (int i = 0; i < ARRAY_SIZE(events); i++) {
		if (select == events[i])
			return BIT(i);
	}
	return 0;
}

bool model_counts(int row)
{
	if (!(model.caps.counters & BIT_ULL(row)))
		return false;
	if (model.caps.global_ctrl && !(model.global_ctrl & BIT_ULL(row)))
		return false;
	if (is_fixed(row))
		return fixed_bits(row) & 3;
	/* APM volume 2, 13.2.1: with HostOnly and EFER.SVME = 0, nothing is counted. */
	if (model.stale & BIT_ULL(row) || reset_event(model.select[row]))
		return false;
	if (model.select[row] & BIT_ULL(41) && !(model.efer & EFER_SVME))
		return false;
	return model.select[row] & BIT_ULL(22);
}

static bool interrupts(int row)
{
	return is_fixed(row) ? fixed_bits(row) & 8 :
			       model.select[row] & BIT_ULL(20);
}

static void send_nmi(void)
{
	if (model.lvtpc & MASKED || (model.lvtpc & 0x700) != 0x400)
		return;
	if (model.caps.masks_lvtpc)
		model.lvtpc |= MASKED;
	model.nr_nmis++;
	/* A CPU that handles one NMI latches only one more: at most two are pending. */
	if (model.nr_pending < 2)
		model.nr_pending++;
}

void model_deliver(void)
{
	while (model.nr_pending) {
		model.nr_pending--;
		model_nmi();
	}
}

static void count(int row, u64 events)
{
	u64 mask = width_mask(row);
	u64 value = model.value[row] + events;

	model.value[row] = value & mask;
	if (value <= mask)
		return;
	if (model.caps.global_status)
		model.global_status |= BIT_ULL(row);
	if (interrupts(row))
		send_nmi();
}

static void run_once(void)
{
	model.tsc++;
	for (int row = 0; row < TPROF_X86_MAX_ROWS; row++) {
		if (model_counts(row))
			count(row, 1);
	}
	if (!model.is_nmi_held)
		model_deliver();
}

void model_run(u64 events)
{
	while (events--)
		run_once();
}

/* Return the row (index) of the counter with register @msr, or -1. */
static int value_row(u32 msr, bool *is_narrow)
{
	const struct tprof_x86_caps *caps = &model.caps;
	u32 nr = tprof_x86_nr_general(caps);

	*is_narrow = false;
	if (caps->vendor == TPROF_X86_INTEL) {
		if (msr - 0x309 < fls((u32)(caps->counters >> TPROF_X86_FIXED))) {
			*is_narrow = !caps->has_full_width;
			return 32 + msr - 0x309;
		}
		if (caps->has_full_width && msr - 0x4c1 < nr)
			return msr - 0x4c1;
		*is_narrow = true;
		return msr - 0xc1 < nr ? (int)(msr - 0xc1) : -1;
	}
	if (msr < caps->counter || (msr - caps->counter) % caps->step)
		return -1;
	msr = (msr - caps->counter) / caps->step;
	return msr < nr ? (int)msr : -1;
}

static int select_row(u32 msr)
{
	const struct tprof_x86_caps *caps = &model.caps;

	if (msr < caps->select || (msr - caps->select) % caps->step)
		return -1;
	msr = (msr - caps->select) / caps->step;
	return msr < tprof_x86_nr_general(caps) ? (int)msr : -1;
}

/* Return a pointer to a register of perfmon version 6 that extends a counter, or NULL. */
static u64 *extension(u32 msr)
{
	int row = msr >= 0x1980 ? 32 + (int)(msr - 0x1980) / 4 : (int)(msr - 0x1900) / 4;

	if (msr < 0x1900 || msr > 0x19ff || !(msr & 2) ||
	    !(model.caps.extended & BIT_ULL(row)))
		return NULL;
	return &model.extended[row][msr & 1];
}

/* Return a pointer to the control register @msr, or NULL for another register. */
static u64 *plain(u32 msr)
{
	if (msr == MSR_EFER)
		return &model.efer;
	if (msr == model.caps.global_ctrl)
		return &model.global_ctrl;
	if (msr == model.caps.fixed_ctrl)
		return &model.fixed_ctrl;
	if (select_row(msr) >= 0)
		return &model.select[select_row(msr)];
	if (msr == 0x3f1 && model.caps.has_ds)
		return &model.pebs;
	return extension(msr);
}

int tprof_msr_read_safe(u32 msr, u64 *value)
{
	bool is_narrow;

	if (msr == model.fault && !model.fault_writes)
		return -EIO;
	if (msr && msr == model.caps.global_status)
		*value = model.global_status | model.stuck;
	else if (msr && plain(msr))
		*value = *plain(msr);
	else if (value_row(msr, &is_narrow) >= 0)
		*value = model.value[value_row(msr, &is_narrow)];
	else
		return -EIO;
	return 0;
}

/* SDM volume 3, 21.2.8: a narrow write is sign-extended from bit 31. */
static void write_value(int row, u64 value, bool is_narrow)
{
	if (is_narrow)
		value = (s64)(s32)value;
	model.value[row] = value & width_mask(row);
}

/* Intel's erratum AAK100: a counter that got an event without a reset counts wrongly. */
static void program_nehalem(int row, u64 select)
{
	if (reset_event(select)) {
		model.reset_with |= reset_event(select);
		return;
	}
	model.reset_with = 0;
	if (!select)
		return;
	if (model.clean & BIT_ULL(row))
		model.stale &= ~BIT_ULL(row);
	else
		model.stale |= BIT_ULL(row);
	model.clean &= ~BIT_ULL(row);
}

/* All three events have been programmed, and each enabled counter that has one is clean. */
static void enable_nehalem(u64 enabled)
{
	if (model.reset_with != 7)
		return;
	for (int row = 0; row < 4; row++) {
		if (enabled & BIT_ULL(row) && reset_event(model.select[row]))
			model.clean |= BIT_ULL(row);
	}
	model.nr_resets++;
	model.reset_with = 0;
}

/* Do what a write to a control register does beside. */
static void note_control(u32 msr, u64 value)
{
	if (!model.caps.needs_reset)
		return;
	if (msr == model.caps.global_ctrl)
		enable_nehalem(value);
	else if (select_row(msr) >= 0)
		program_nehalem(select_row(msr), value);
}

int tprof_msr_write_safe(u32 msr, u64 value)
{
	bool is_narrow;
	u64 *place;
	int row;

	tprof_test_step();
	if (!msr || msr == model.fault)
		return -EIO;
	model.nr_writes++;
	if (msr == model.caps.global_clear) {
		if (value & ~(model.caps.counters | model.caps.clear_also))
			return -EIO;
		model.global_status &= ~value;
		return 0;
	}
	place = plain(msr);
	row = value_row(msr, &is_narrow);
	if (place) {
		/*
		 * Running counters count @drift more events before the write takes
		 * effect.
		 */
		for (int i = 0; model.drift && i < TPROF_X86_MAX_ROWS; i++) {
			if (model_counts(i))
				model.value[i] += model.drift;
		}
		*place = select_row(msr) < 0 ? value : value & ~model.dropped;
		note_control(msr, value);
	} else if (row >= 0) {
		write_value(row, value, is_narrow);
	} else {
		return -EIO;
	}
	tprof_test_step();
	return 0;
}

u64 tprof_msr_read(u32 msr)
{
	u64 value;

	/* The module must use tprof_msr_read() only if the register cannot fault. */
	if (tprof_msr_read_safe(msr, &value))
		abort();
	model.nr_status_reads += msr == model.caps.global_status;
	return value;
}

void tprof_msr_write(u32 msr, u64 value)
{
	if (tprof_msr_write_safe(msr, value))
		abort();
}

u64 tprof_pmc_read(u32 pmc)
{
	int row = pmc & 0x40000000 ? 32 + (int)(pmc & 0xff) : (int)pmc;

	if (model.is_rdpmc_missing || row >= TPROF_X86_MAX_ROWS ||
	    !(model.caps.counters & BIT_ULL(row)))
		abort();
	return model.value[row];
}

int tprof_pmc_read_safe(u32 pmc)
{
	return model.is_rdpmc_missing ? -EIO : 0;
}

u32 tprof_lvtpc_read(void)
{
	return model.lvtpc;
}

void tprof_lvtpc_write(u32 value)
{
	model.lvtpc = value;
}

u64 tprof_tsc(void)
{
	return model.tsc;
}
