// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - which unknown NMIs the module claims
 */
#include "pmu/nmi_claim.h"
#include "unit.h"

enum {
	NOW	= 1000000,
	WINDOW	= 200,
	LONG	= 5000,
	PATIENCE = 100000,
};

void (*tprof_test_interrupt)(void);

static const struct tprof_claim_place place = { 0x1000, 0x8000 };
static const struct tprof_claim_place behind = { 0x1001, 0x8000 };
static const struct tprof_claim_place deeper = { 0x1000, 0x7ff8 };
/* The place of an NMI on an idle CPU. */
static const struct tprof_claim_place idle = { 0 };
static struct tprof_claim claim;

static void begin(void)
{
	claim = (struct tprof_claim){ .patience = PATIENCE };
}

static void serve(void)
{
	begin();
	tprof_claim_served(&claim, NOW, WINDOW, place);
}

static void test_window(void)
{
	begin();
	unit_ok(!tprof_claim_unknown(&claim, NOW, place),
		"before our first NMI no unknown NMI is ours");
	serve();
	unit_ok(tprof_claim_unknown(&claim, NOW + 1, behind),
		"within the window any unknown NMI is ours");
	unit_ok(tprof_claim_unknown(&claim, NOW + WINDOW - 1, deeper),
		"within the window a second unknown NMI is ours too");
	unit_ok(!tprof_claim_unknown(&claim, NOW + WINDOW, behind),
		"after the window an unknown NMI elsewhere is not ours");
}

static void test_latched(void)
{
	serve();
	unit_ok(!tprof_claim_unknown(&claim, NOW + WINDOW, behind),
		"an NMI one instruction further on was not latched");
	unit_ok(!tprof_claim_unknown(&claim, NOW + WINDOW, deeper),
		"an NMI on another stack was not latched");
	unit_ok(tprof_claim_unknown(&claim, NOW + PATIENCE - 1, place),
		"an NMI at the address of the served one was latched");
	unit_ok(!tprof_claim_unknown(&claim, NOW + PATIENCE - 1, place),
		"only one NMI was latched");
	serve();
	unit_ok(!tprof_claim_unknown(&claim, NOW + PATIENCE, place),
		"after the patience an NMI at the same address is not ours");
	serve();
	unit_ok(!tprof_claim_unknown(&claim, NOW + WINDOW, idle),
		"on an idle CPU the address does not prove that an NMI was latched");
	unit_ok(tprof_claim_unknown(&claim, NOW + WINDOW, place) &&
		!tprof_claim_unknown(&claim, NOW + WINDOW, place),
		"an NMI in idle does not use up the latched one");
	serve();
	tprof_claim_served(&claim, NOW + WINDOW, WINDOW, behind);
	unit_ok(!tprof_claim_unknown(&claim, NOW + 2 * WINDOW, place) &&
		tprof_claim_unknown(&claim, NOW + 2 * WINDOW, behind),
		"only behind the last NMI that was served may one be latched");
}

static void serve_two_in_idle(void)
{
	begin();
	tprof_claim_served(&claim, NOW, WINDOW, idle);
	tprof_claim_owe(&claim, NOW);
}

static void test_owed(void)
{
	serve_two_in_idle();
	unit_ok(tprof_claim_unknown(&claim, NOW + PATIENCE - 1, behind),
		"an NMI that served two sources owes us one, at any address");
	unit_ok(!tprof_claim_unknown(&claim, NOW + PATIENCE - 1, behind),
		"an NMI that served two sources owes us only one");
	serve_two_in_idle();
	tprof_claim_served(&claim, NOW + 1, WINDOW, place);
	unit_ok(tprof_claim_unknown(&claim, NOW + WINDOW + 1, behind),
		"the owed NMI is ours after another one was served");
	serve_two_in_idle();
	unit_ok(!tprof_claim_unknown(&claim, NOW + PATIENCE, behind),
		"after the patience no NMI is owed");
	serve_two_in_idle();
	tprof_claim_came(&claim);
	unit_ok(!tprof_claim_unknown(&claim, NOW + WINDOW, behind),
		"no NMI is owed once its source has recognised it");
	serve();
	tprof_claim_owe(&claim, NOW);
	unit_ok(tprof_claim_unknown(&claim, NOW + WINDOW, place) &&
		!tprof_claim_unknown(&claim, NOW + WINDOW, behind),
		"on a busy CPU the latched NMI may be the owed one");
	serve();
	tprof_claim_owe(&claim, NOW);
	unit_ok(tprof_claim_unknown(&claim, NOW + PATIENCE - 1, behind),
		"on a busy CPU the owed NMI may also come later, elsewhere");
	serve_two_in_idle();
	tprof_claim_expect(&claim, NOW, WINDOW);
	unit_ok(tprof_claim_unknown(&claim, NOW + LONG, behind) &&
		tprof_claim_unknown(&claim, NOW + LONG, behind) &&
		!tprof_claim_unknown(&claim, NOW + LONG, behind),
		"an owed NMI and one of a disarmed counter are two");
}

static void test_disarmed(void)
{
	begin();
	tprof_claim_expect(&claim, NOW, WINDOW);
	unit_ok(tprof_claim_unknown(&claim, NOW + PATIENCE - 1, place),
		"an NMI of a disarmed counter is ours at any address");
	unit_ok(!tprof_claim_unknown(&claim, NOW + PATIENCE - 1, place),
		"a disarmed counter has only one NMI");
	serve();
	tprof_claim_expect(&claim, NOW + 1, WINDOW);
	unit_ok(tprof_claim_unknown(&claim, NOW + PATIENCE, behind),
		"a disarm after a served NMI makes one more NMI ours");
	begin();
	tprof_claim_expect(&claim, NOW, WINDOW);
	tprof_claim_served(&claim, NOW + 1, WINDOW, place);
	unit_ok(tprof_claim_unknown(&claim, NOW + PATIENCE - 1, behind),
		"a disarm before a served NMI makes one more NMI ours");
}

/* Number of unknown NMIs that interrupted tprof_claim_expect() and were claimed. */
static int nr_claimed;

static void interrupt(void)
{
	nr_claimed += tprof_claim_unknown(&claim, NOW + PATIENCE, behind);
}

static void test_interrupted(void)
{
	begin();
	tprof_claim_expect(&claim, NOW + 1, 0);
	tprof_test_interrupt = interrupt;
	tprof_claim_expect(&claim, NOW + PATIENCE, 0);
	tprof_test_interrupt = NULL;
	unit_ok(nr_claimed == 1,
		"an NMI in the middle of a second disarm is ours");
	unit_ok(tprof_claim_unknown(&claim, NOW + 2 * PATIENCE - 1, behind),
		"an NMI in the middle of a second disarm leaves the claim as it is");
}

static void take_disarmed(void)
{
	tprof_claim_unknown(&claim, NOW + WINDOW, behind);
}

static void test_spans(void)
{
	begin();
	tprof_claim_served(&claim, NOW, LONG, place);
	tprof_claim_served(&claim, NOW + 1, WINDOW, place);
	unit_ok(tprof_claim_unknown(&claim, NOW + LONG - 1, behind),
		"a short window does not end a long one");
	tprof_claim_served(&claim, NOW + LONG - 1, WINDOW, place);
	unit_ok(tprof_claim_unknown(&claim, NOW + LONG + WINDOW - 2, behind),
		"a short window extends a long one that ends earlier");
	begin();
	tprof_claim_served(&claim, NOW, WINDOW, place);
	tprof_claim_served(&claim, NOW + 1, LONG, place);
	tprof_claim_served(&claim, NOW + 2, WINDOW, place);
	tprof_claim_served(&claim, NOW + 3, LONG, place);
	unit_ok(tprof_claim_unknown(&claim, NOW + LONG + 2, behind) &&
		!tprof_claim_unknown(&claim, NOW + LONG + 3, behind),
		"if windows alternate, each has its own length");
	begin();
	tprof_claim_served(&claim, NOW, LONG, place);
	tprof_claim_expect(&claim, NOW + 1, WINDOW);
	tprof_claim_served(&claim, NOW + 2, WINDOW, place);
	take_disarmed();
	unit_ok(tprof_claim_unknown(&claim, NOW + LONG - 1, behind) &&
		!tprof_claim_unknown(&claim, NOW + LONG, behind),
		"a disarm between two windows does not end the longer one");
	begin();
	tprof_claim_expect(&claim, NOW, LONG);
	take_disarmed();
	tprof_claim_served(&claim, NOW + WINDOW, WINDOW, place);
	unit_ok(tprof_claim_unknown(&claim, NOW + LONG - 1, behind),
		"the first NMI that is served does not end the window of a disarm");
	serve();
	tprof_claim_expect(&claim, NOW + LONG, LONG);
	tprof_claim_unknown(&claim, NOW + LONG, behind);
	tprof_claim_served(&claim, NOW + LONG + 1, WINDOW + 1, place);
	unit_ok(tprof_claim_unknown(&claim, NOW + 2 * LONG - 1, behind),
		"a window that has ended does not replace a later one");
	serve();
	unit_ok(!tprof_claim_unknown(&claim, 10, place),
		"a TSC that restarted ends all claims");
}

int main(void)
{
	test_window();
	test_latched();
	test_owed();
	test_disarmed();
	test_interrupted();
	test_spans();
	return unit_exit();
}
