// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - assigning events to counters
 */
#include <string.h>

#include "unit.h"
#include "x86/x86_rows.h"

void (*tprof_test_interrupt)(void);

static const struct tprof_x86_caps caps = {
	.counters	= 0x7ULL << 32 | 0xf,
	.general_bits	= 48,
	.fixed_bits	= 40,
};

static struct tprof_x86_rows rows;
static struct tprof_pmu_event events[8];
static const u64 period = 4711;

static int take(u64 able, int event)
{
	return tprof_x86_rows_take(&rows, able, &events[event], &period);
}

static int admin(u32 kind, u32 number, u32 state, bool is_trial)
{
	struct tprof_lx_row_admin arg = {
		.kind	= kind,
		.number	= number,
		.state	= state,
	};

	return tprof_x86_rows_admin(&rows, &caps, &arg, is_trial);
}

static void test_taking(void)
{
	memset(&rows, 0, sizeof(rows));
	unit_ok(take(BIT_ULL(32) | 0xf, 0) == 32,
		"a fixed counter is taken first");
	unit_ok(take(BIT_ULL(32) | 0xf, 1) == 3,
		"the last general counter is taken next");
	unit_ok(take(0x3, 2) == 1,
		"only a counter that can count the event is taken");
	unit_ok(take(0xf, 3) == 2 && take(0xf, 4) == 0,
		"general counters are taken down to the first");
	unit_ok(take(BIT_ULL(32) | 0xf, 5) == -EBUSY,
		"an event is refused when no counter is free");
	unit_ok(take(BIT_ULL(33), 5) == 33,
		"another fixed counter is still free");
	tprof_x86_rows_give(&rows, 1);
	unit_ok(take(0xf, 6) == 1,
		"a counter that was given back is taken again");
}

static void test_listing(void)
{
	struct tprof_lx_row list[8];
	u32 nr;

	memset(&rows, 0, sizeof(rows));
	memset(list, 0xee, sizeof(list));
	events[0].owner.pid = 42;
	events[0].owner.config = 0xc0;
	take(BIT_ULL(33), 0);
	admin(TPROF_LX_ROW_GENERAL, 2, TPROF_LX_ROW_DISABLED, false);
	nr = tprof_x86_rows_list(&rows, &caps, list, 6);
	unit_ok(nr == 7, "all counters are counted, whatever the room");
	unit_ok(list[0].kind == TPROF_LX_ROW_GENERAL && list[0].bits == 48 &&
		list[0].state == TPROF_LX_ROW_FREE && !list[0].pid,
		"a free counter is listed");
	unit_ok(list[2].state == TPROF_LX_ROW_DISABLED,
		"a disabled counter is listed");
	unit_ok(list[5].kind == TPROF_LX_ROW_FIXED && list[5].number == 1 &&
		list[5].bits == 40 &&
		list[5].state == TPROF_LX_ROW_TAKEN &&
		list[5].pid == 42 && list[5].config == 0xc0 &&
		list[5].period == period,
		"a taken counter is listed with its owner and period");
	unit_ok(list[6].kind == 0xeeeeeeee,
		"nothing is written beyond the room");
}

static void test_admin(void)
{
	memset(&rows, 0, sizeof(rows));
	unit_ok(!admin(TPROF_LX_ROW_FIXED, 0, TPROF_LX_ROW_DISABLED, true) &&
		!rows.disabled,
		"a trial of disabling changes nothing");
	unit_ok(!admin(TPROF_LX_ROW_FIXED, 0, TPROF_LX_ROW_DISABLED, false) &&
		take(BIT_ULL(32), 0) == -EBUSY,
		"a disabled counter is not given out");
	unit_ok(!admin(TPROF_LX_ROW_FIXED, 0, TPROF_LX_ROW_FREE, false) &&
		take(BIT_ULL(32), 0) == 32,
		"a counter that was enabled again is given out");
	unit_ok(admin(TPROF_LX_ROW_FIXED, 0, TPROF_LX_ROW_DISABLED, false) ==
		-EBUSY,
		"a taken counter cannot be disabled");
	unit_ok(admin(TPROF_LX_ROW_FIXED, 3, TPROF_LX_ROW_FREE, true) ==
			-ENOENT &&
		admin(TPROF_LX_ROW_GENERAL, 4, TPROF_LX_ROW_FREE,
		      true) == -ENOENT &&
		admin(TPROF_LX_ROW_GENERAL, 33, TPROF_LX_ROW_FREE,
		      true) == -ENOENT &&
		admin(2, 0, TPROF_LX_ROW_FREE, true) == -ENOENT,
		"a counter that does not exist is -ENOENT");
}

int main(void)
{
	test_taking();
	test_listing();
	test_admin();
	return unit_exit();
}
