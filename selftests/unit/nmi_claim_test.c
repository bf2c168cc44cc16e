// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - which NMIs that nobody wants are ours
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
	unit_ok(!tprof_claim_unknown(&claim, NOW, place), "before the first of ours, none is");
	serve();
	unit_ok(tprof_claim_unknown(&claim, NOW + 1, behind), "within the window one is, anywhere");
	unit_ok(tprof_claim_unknown(&claim, NOW + WINDOW - 1, deeper), "and another, elsewhere");
	unit_ok(!tprof_claim_unknown(&claim, NOW + WINDOW, behind), "after it none is");
}

static void test_latched(void)
{
	serve();
	unit_ok(!tprof_claim_unknown(&claim, NOW + WINDOW, behind),
		"one that comes after an instruction was not latched");
	unit_ok(!tprof_claim_unknown(&claim, NOW + WINDOW, deeper), "nor one on another stack");
	unit_ok(tprof_claim_unknown(&claim, NOW + PATIENCE - 1, place),
		"one that comes where the last one did was");
	unit_ok(!tprof_claim_unknown(&claim, NOW + PATIENCE - 1, place), "there is one such");
	serve();
	unit_ok(!tprof_claim_unknown(&claim, NOW + PATIENCE, place),
		"after that time it is somebody's who comes there again");
	begin();
	tprof_claim_served(&claim, NOW, WINDOW, (struct tprof_claim_place){ 0 });
	unit_ok(!tprof_claim_unknown(&claim, NOW + WINDOW, place) &&
		!tprof_claim_unknown(&claim, NOW + WINDOW, (struct tprof_claim_place){ 0 }),
		"where a CPU idles, all of them come");
}

static void serve_two_in_idle(void)
{
	begin();
	tprof_claim_served(&claim, NOW, WINDOW, (struct tprof_claim_place){ 0 });
	tprof_claim_owe(&claim, NOW);
}

static void test_owed(void)
{
	serve_two_in_idle();
	unit_ok(tprof_claim_unknown(&claim, NOW + PATIENCE - 1, behind),
		"one that was two has another behind it, wherever that comes");
	unit_ok(!tprof_claim_unknown(&claim, NOW + PATIENCE - 1, behind), "one such");
	serve_two_in_idle();
	tprof_claim_served(&claim, NOW + 1, WINDOW, place);
	unit_ok(tprof_claim_unknown(&claim, NOW + WINDOW + 1, behind),
		"also behind one that came in between");
	serve_two_in_idle();
	unit_ok(!tprof_claim_unknown(&claim, NOW + PATIENCE, behind), "after that time there is none");
	serve_two_in_idle();
	tprof_claim_came(&claim);
	unit_ok(!tprof_claim_unknown(&claim, NOW + WINDOW, behind), "nor when it came and was known");
	serve();
	tprof_claim_owe(&claim, NOW);
	unit_ok(tprof_claim_unknown(&claim, NOW + WINDOW, place) &&
		!tprof_claim_unknown(&claim, NOW + WINDOW, behind),
		"where a CPU does not idle, it may be the one that was latched");
	serve();
	tprof_claim_owe(&claim, NOW);
	unit_ok(tprof_claim_unknown(&claim, NOW + PATIENCE - 1, behind),
		"or is sent only after its work was done");
	serve_two_in_idle();
	tprof_claim_expect(&claim, NOW, WINDOW);
	unit_ok(tprof_claim_unknown(&claim, NOW + LONG, behind) &&
		tprof_claim_unknown(&claim, NOW + LONG, behind) &&
		!tprof_claim_unknown(&claim, NOW + LONG, behind), "one that is owed, and one under way");
}

static void test_disarmed(void)
{
	begin();
	tprof_claim_expect(&claim, NOW, WINDOW);
	unit_ok(tprof_claim_unknown(&claim, NOW + PATIENCE - 1, place),
		"one that was under way is ours wherever it comes");
	unit_ok(!tprof_claim_unknown(&claim, NOW + PATIENCE - 1, place), "one such");
	serve();
	tprof_claim_expect(&claim, NOW + 1, WINDOW);
	unit_ok(tprof_claim_unknown(&claim, NOW + PATIENCE, behind), "also after one that was served");
	begin();
	tprof_claim_expect(&claim, NOW, WINDOW);
	tprof_claim_served(&claim, NOW + 1, WINDOW, place);
	unit_ok(tprof_claim_unknown(&claim, NOW + PATIENCE - 1, behind), "and before another");
}

/* An NMI in the middle. */
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
	unit_ok(nr_claimed == 1, "one that comes in the middle is known by the last time");
	unit_ok(tprof_claim_unknown(&claim, NOW + 2 * PATIENCE - 1, behind),
		"and takes nothing away");
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
		"but goes on behind its end");
	serve();
	unit_ok(!tprof_claim_unknown(&claim, 10, place), "a TSC that began anew ends all");
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
