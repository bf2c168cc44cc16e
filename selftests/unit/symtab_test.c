// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the function at an address, and which of its names is chosen
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/symtab.h"
#include "unit.h"

static struct symtab symtab;

static void add(const char *name, u64 start, u64 size, enum symbol_binding binding)
{
	struct symbol symbol = { .start = start, .end = start + size, .name = name,
				 .binding = binding };

	if (symtab_add(&symtab, &symbol))
		abort();
}

static bool is(u64 addr, const char *name)
{
	const struct symbol *symbol = symtab_find(&symtab, addr);

	return name ? symbol && !strcmp(symbol->name, name) : !symbol;
}

static void test_search(void)
{
	unit_ok(is(0, NULL), "an empty table has no function");
	add("c", 0x300, 0x10, SYMBOL_GLOBAL);
	add("a", 0x100, 0x10, SYMBOL_GLOBAL);
	add("b", 0x200, 0, SYMBOL_LOCAL);
	add("end", 0x2ff0, 0, SYMBOL_LOCAL);
	symtab_finish(&symtab);
	unit_ok(is(0xff, NULL), "no function lies before the first");
	unit_ok(is(0x100, "a") && is(0x10f, "a") && is(0x110, NULL),
		"a function ends at its size");
	unit_ok(is(0x200, "b") && is(0x2ff, "b") && is(0x300, "c"),
		"a function without a size ends where the next begins");
	unit_ok(is(0x2ff0, "end") && is(0x3fff, "end") && is(0x4000, NULL),
		"the last function without a size ends with the next page");
	symtab_free(&symtab);
}

static void test_modules(void)
{
	static const char bpf[] = "[bpf]", other[] = "[other]";
	struct symbol symbols[] = {
		{ .start = 0x100, .end = 0x100, .name = "first", .module = bpf },
		{ .start = 0x9000, .end = 0x9000, .name = "second", .module = bpf },
		{ .start = 0x20000, .end = 0x20000, .name = "third", .module = other },
		{ .start = 0x90000, .end = 0x90000, .name = "fourth", .module = other },
	};

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		if (symtab_add(&symtab, &symbols[i]))
			abort();
	}
	symtab_finish(&symtab);
	unit_ok(is(0x21000, "third") && is(0x8ffff, "third"),
		"a function of a module ends where the module's next begins");
	unit_ok(is(0x1fff, "first") && is(0x8000, NULL),
		"a BPF program may end before the next: one between may be gone");
	symtab_free(&symtab);
}

static void test_nesting(void)
{
	add("outer", 0x1000, 0x1000, SYMBOL_GLOBAL);
	add("inner", 0x1100, 0x10, SYMBOL_LOCAL);
	add("later", 0x1200, 0x10, SYMBOL_LOCAL);
	symtab_finish(&symtab);
	unit_ok(is(0x1108, "inner") && is(0x1208, "later"),
		"an address belongs to the innermost function");
	unit_ok(is(0x1110, "outer") && is(0x1fff, "outer"),
		"behind the inner function the outer one goes on");
	unit_ok(is(0x2000, NULL), "the outer function ends at its size");
	symtab_free(&symtab);
}

static void test_aliases(void)
{
	static const struct {
		const char *name;
		u64 size;
		enum symbol_binding binding;
	} better[][2] = {
		{ { "_sized", 8, SYMBOL_WEAK }, { "label", 0, SYMBOL_GLOBAL } },
		{ { "__local", 8, SYMBOL_LOCAL }, { "weaker", 8, SYMBOL_WEAK } },
		{ { "__global", 8, SYMBOL_GLOBAL }, { "local", 8, SYMBOL_LOCAL } },
		{ { "memcpy", 8, SYMBOL_GLOBAL }, { "__memcpy_long", 8, SYMBOL_GLOBAL } },
		{ { "longer", 8, SYMBOL_GLOBAL }, { "short", 8, SYMBOL_GLOBAL } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(better); i++) {
		for (int first = 0; first < 2; first++) {
			for (int j = 0; j < 2; j++)
				add(better[i][first ^ j].name, 0x100, better[i][first ^ j].size,
				    better[i][first ^ j].binding);
			symtab_finish(&symtab);
			unit_ok(is(0x100, better[i][0].name) && symtab.nr == 1,
				better[i][0].name);
			symtab_free(&symtab);
		}
	}
	add("first", 0x100, 0, SYMBOL_GLOBAL);
	add("__last", 0x100, 0, SYMBOL_GLOBAL);
	symtab_finish(&symtab);
	unit_ok(is(0x100, "__last"),
		"the last of several names without a size is taken");
	symtab_free(&symtab);
}

#define MANY	2000
#define SPAN	100000

/*
 * Compare lookups in a random table with a linear search. One function has an address far
 * from all others.
 */
static void test_dice(void)
{
	static u64 starts[MANY];
	bool right = true;

	srandom(1);
	for (int i = 0; i < MANY; i++) {
		starts[i] = i ? random() % SPAN : 1ULL << 40;
		add("any", starts[i], 0, SYMBOL_GLOBAL);
	}
	symtab_finish(&symtab);
	for (u64 addr = 0; addr < SPAN + 100 && right; addr++) {
		const struct symbol *symbol = symtab_find(&symtab, addr);
		u64 best = ~0ULL;

		for (int i = 0; i < MANY; i++) {
			if (starts[i] <= addr && (best == ~0ULL || starts[i] > best))
				best = starts[i];
		}
		right = best == ~0ULL ? !symbol : symbol && symbol->start == best;
	}
	unit_ok(right, "each address has the function that begins before it");
	unit_ok(is(1ULL << 40, "any") && is((1ULL << 40) + 5000, NULL) && is(~0ULL, NULL),
		"a function far away is found, too");
	symtab_free(&symtab);
}

int main(void)
{
	test_dice();
	test_search();
	test_modules();
	test_nesting();
	test_aliases();
	return unit_exit();
}
