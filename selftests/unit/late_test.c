// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - which NMIs that nobody wants are ours
 */
#include "late.h"
#include "unit.h"

enum {
	NOW	= 1000000,
	WINDOW	= 200,
	LONG	= 5000,
	PATIENCE = 100000,
	IP	= 0x1000,
	SP	= 0x8000,
};

void (*tprof_test_interrupt)(void);

static struct tprof_late fresh(void)
{
	return (struct tprof_late){ .patience = PATIENCE };
}

static struct tprof_late served(void)
{
	struct tprof_late late = fresh();

	tprof_late_served(&late, NOW, WINDOW, IP, SP);
	return late;
}

static void test_window(void)
{
	struct tprof_late late = fresh();

	unit_ok(!tprof_late_claim(&late, NOW, IP, SP), "before the first of ours, none is");
	late = served();
	unit_ok(tprof_late_claim(&late, NOW + 1, 1, 1), "within the window one is, anywhere");
	unit_ok(tprof_late_claim(&late, NOW + WINDOW - 1, 2, 2), "and another, elsewhere");
	unit_ok(!tprof_late_claim(&late, NOW + WINDOW, 3, 3), "after it none is");
}

static void test_latched(void)
{
	struct tprof_late late = served();

	unit_ok(!tprof_late_claim(&late, NOW + WINDOW, IP + 1, SP),
		"one that comes after an instruction was not latched");
	unit_ok(!tprof_late_claim(&late, NOW + WINDOW, IP, SP - 8), "nor one on another stack");
	unit_ok(tprof_late_claim(&late, NOW + PATIENCE - 1, IP, SP),
		"one that comes where the last one did was, however late");
	unit_ok(!tprof_late_claim(&late, NOW + PATIENCE - 1, IP, SP), "there is one such");
	late = served();
	unit_ok(!tprof_late_claim(&late, NOW + PATIENCE, IP, SP),
		"after that time it is somebody's who comes there again");
}

static void test_expected(void)
{
	struct tprof_late late = fresh();

	tprof_late_expect(&late, NOW, WINDOW);
	unit_ok(tprof_late_claim(&late, NOW + PATIENCE - 1, IP, SP),
		"one that was under way is ours wherever it comes");
	unit_ok(!tprof_late_claim(&late, NOW + PATIENCE - 1, IP, SP), "one such");
	late = served();
	tprof_late_expect(&late, NOW + 1, WINDOW);
	unit_ok(tprof_late_claim(&late, NOW + PATIENCE, IP + 1, SP),
		"so it is after one that was served");
}

static void test_spans(void)
{
	struct tprof_late late = fresh();

	tprof_late_served(&late, NOW, LONG, IP, SP);
	tprof_late_served(&late, NOW + 1, WINDOW, IP, SP);
	unit_ok(tprof_late_claim(&late, NOW + LONG - 1, 1, 1),
		"a short window does not end a long one");
	tprof_late_served(&late, NOW + LONG - 1, WINDOW, IP, SP);
	unit_ok(tprof_late_claim(&late, NOW + LONG + WINDOW - 2, 1, 1),
		"but goes on behind its end");
	late = served();
	unit_ok(!tprof_late_claim(&late, 10, IP, SP), "a TSC that began anew ends all");
}

int main(void)
{
	test_window();
	test_latched();
	test_expected();
	test_spans();
	return unit_exit();
}
